// guard.js: what stands in the way, told by structure. Words count only as the label of a dialog or
// alert outside every turn, never in an answer, a chat title or the sidebar.

const verdict = (blocker, detail = "") => ({ blocker, detail });

// blocker finds the first thing that stops automation until a person acts.
function blocker() {
  return challenge() ?? loggedOut() ?? notice() ?? capped() ?? verdict("");
}

const loggedIn = () => document.querySelector(any(profile.loggedIn)) !== null;

// appShell tells the app from a challenge page: healthy pages carry challenge scripts as well.
function appShell() {
  const parts = [...profile.composer, ...profile.fallback, ...profile.loggedIn, ...profile.login,
    ...profile.shell, ...profile.families.map((family) => family.turn)];
  return document.querySelector(any(parts)) !== null;
}

function challenge() {
  const mark = document.querySelector(any(profile.challenge));
  const title = profile.challengeTitles.includes(document.title.trim().toLowerCase());
  if (!mark && !(title && document.querySelector(profile.challengeScript))) return null;
  if (appShell()) return null;
  return verdict("captcha", mark ? nameOf(mark, profile.challenge) : "title and challenge script");
}

function loggedOut() {
  if (profile.loginHosts.includes(location.hostname)) return verdict("login", location.hostname);
  const path = profile.loginPaths.find((p) => location.pathname.startsWith(p));
  if (path) return verdict("login", path);
  const modal = firstVisible(any(profile.loginModals));
  if (modal) return verdict("login", nameOf(modal, profile.loginModals));
  const button = firstVisible(any(profile.login));
  if (button && !loggedIn()) return verdict("login", nameOf(button, profile.login));
  return null;
}

const nameOf = (el, selectors) => selectors.find((s) => el.matches(s)) ?? "";

// notice looks at dialogs and alerts by their label.
function notice() {
  const places = profile.notices.map((n) => n.in);
  for (const el of document.querySelectorAll(any(places))) {
    if (insideTurn(el) || el.closest(profile.outside) || !visible(el)) continue;
    const label = labelOf(el).toLowerCase();
    const hit = profile.notices.find((n) => el.matches(n.in) && new RegExp(n.label).test(label));
    if (hit) return verdict(hit.blocker, `[role=${el.getAttribute("role")}]`);
  }
  return null;
}

const insideTurn = (el) => profile.families.some((family) => el.closest(family.turn));

// labelOf is how a dialog names itself; without a name, how its text begins.
function labelOf(el) {
  const id = el.getAttribute("aria-labelledby");
  const by = id ? document.getElementById(id) : null;
  const named = by?.textContent ?? el.getAttribute("aria-label") ??
    el.querySelector("h1,h2,h3,h4,[role='heading']")?.textContent ?? "";
  return (named.trim() || el.textContent.trim()).slice(0, 200);
}

// capped: the composer itself refuses text and says why. A banner that still lets sends through is
// no blocker.
function capped() {
  const editor = firstVisible(any(profile.refusing));
  if (!editor) return null;
  const form = editor.closest(profile.form);
  const near = form?.parentElement ?? form;
  if (!near || !firstVisible(profile.capNotice, near)) return null;
  return verdict("usage-cap", nameOf(editor, profile.refusing));
}

function guard() {
  const { blocker: what, detail } = blocker();
  const editor = composer();
  return {
    blocker: what,
    detail,
    loggedIn: loggedIn(),
    composer: editor !== null,
    conversation: conversation(),
    stop: stopShown(composerForm(editor) ?? anyForm()),
  };
}
