// fence.js: a capture-phase gate before the app. While the composer holds our text, the app sees at
// most one act that can submit it, and only against the live token.
//
//   pointerdown mousedown pointerup mouseup touch…  on Send ──► hidden from the app (not prevented:
//                                                              the click still follows)
//   click on Send │ Enter │ insertParagraph │ submit ─────────► judged: token or swallowed
//
// Of a mouse click the app gets the click alone, so an app that acts on pointerdown cannot submit
// past the fence: it does not submit at all, and "passed" never says less than what happened.
// The submit event that a passed click or Enter brings about itself needs no second token.
// A text that contains ours but is not ours (a restored draft before it) is never let through.
// A token is good for the conversation and the composer that it was armed in: a person who opens
// another chat keeps document, fence and text, and a click that is on its way would send it there.

const PRESSES = ["pointerdown", "mousedown", "pointerup", "mouseup", "touchstart", "touchend",
  "keypress", "keyup"];
const ACTS = ["click", "submit", "keydown", "beforeinput"];
const PART_MIN = 40; // a shorter text of ours may stand in a person's text by chance

const targetOf = (event) => event.composedPath()[0] ?? event.target;

// submitKind is "act" for an event that can submit, "press" for its forerunners, "" for all others.
function submitKind(event) {
  const target = targetOf(event);
  if (event.type === "submit") return target === composerForm() ? "act" : "";
  if (event.type.startsWith("key")) return enterKind(event, target);
  if (event.type === "beforeinput") {
    return event.inputType === "insertParagraph" && composer()?.contains(target) ? "act" : "";
  }
  if (!submitControl(target)) return "";
  return event.type === "click" ? "act" : "press";
}

function enterKind(event, target) {
  if (event.key !== "Enter" || event.shiftKey) return "";
  const form = composerForm();
  const inForm = form?.contains(target) && !target.closest("button"); // a button's Enter is a click
  if (!inForm && !event.ctrlKey && !event.metaKey) return "";
  return event.type === "keydown" ? "act" : "press";
}

function submitControl(target) {
  const control = target.closest?.("button,input,[role='button']");
  const form = control && composerForm();
  if (!form?.contains(control)) return false;
  return control.matches(any(profile.send)) || control.getAttribute("type") === "submit";
}

// held tells how much of our text the composer holds: "whole", "part" of something else, or "".
function held(fence, text) {
  const now = canonical(text);
  if (now === fence.text) return "whole";
  if (fence.text.length < PART_MIN) return "";
  return now.includes(fence.text) || now.includes(fence.head) ? "part" : "";
}

function judge(event) {
  const fence = state.fence;
  const kind = fence ? submitKind(event) : "";
  if (!kind) return;
  const holds = held(fence, composerText(composer()));
  if (!holds) return;
  if (kind === "press") {
    event.stopImmediatePropagation();
  } else if (!echoes(fence, event) && !spend(fence, holds)) {
    fence.stopped++;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

// echoes: this submit event is the consequence of the act that was just let through.
function echoes(fence, event) {
  const echo = fence.echo && event.type === "submit";
  fence.echo = false;
  return echo;
}

// moved: the tab shows another conversation than that of the token, or another composer.
const moved = (fence) => conversation() !== fence.conversation || composer() !== fence.editor;

// spend uses the token up and lets the act through.
function spend(fence, holds) {
  if (!fence.live || holds !== "whole" || moved(fence) || blocker().blocker) return false;
  fence.live = false;
  fence.passed++;
  fence.echo = true;
  setTimeout(() => (fence.echo = false), 0);
  return true;
}

function listen() {
  if (state.listener) return;
  state.listener = (event) => state.judge(event);
  for (const type of [...PRESSES, ...ACTS]) {
    const passive = type.startsWith("touch");
    window.addEventListener(type, state.listener, { capture: true, passive });
  }
}

function fence({ token, text, conversation: bound, dead = false }) {
  const plain = canonical(text);
  const head = plain.split("\n").filter((line) => line).slice(0, 2).join("\n");
  state.fence = {
    token, text: plain, head, conversation: bound, editor: composer(), live: !dead, passed: 0,
    stopped: 0, echo: false,
  };
  state.fence.live &&= !moved(state.fence);
  listen();
  return fenceState();
}

function revoke() {
  if (state.fence) state.fence.live = false;
  if (state.fence) state.fence.echo = false;
  return fenceState();
}

function unfence() {
  state.fence = null;
  for (const type of state.listener ? [...PRESSES, ...ACTS] : []) {
    window.removeEventListener(type, state.listener, { capture: true });
  }
  state.listener = null;
  return done(true);
}

function fenceState() {
  const fence = state.fence;
  const text = composerText(composer());
  return {
    present: fence !== null,
    document: state.name,
    token: fence?.token ?? "",
    bound: fence?.conversation ?? "",
    conversation: conversation(),
    live: fence?.live ?? false,
    passed: fence?.passed ?? 0,
    stopped: fence?.stopped ?? 0,
    composer: text,
    holds: fence !== null && held(fence, text) === "whole",
  };
}
