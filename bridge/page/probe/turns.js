// turns.js: turns and answers. The site shows one of several DOM families; the profile lists them.
// Everything is found by id or by place, never by words: text is read from one turn at most.

const familyOf = () => profile.families.find((f) => document.querySelector(f.turn)) ?? null;

// turnsOf lists top-level turns in document order; message nodes inside a turn are no turns.
function turnsOf(family) {
  const all = [...document.querySelectorAll(family.turn)];
  return all.filter((el) => !el.parentElement.closest(family.turn));
}

function outermost(el, selector) {
  let found = null;
  for (let at = el?.closest(selector); at; at = at.parentElement?.closest(selector)) found = at;
  return found;
}

function roleOf(turn) {
  for (const name of profile.roleAttributes) {
    const role = turn.getAttribute(name);
    if (role) return role;
  }
  if (turn.querySelector(any(profile.userMarks))) return "user";
  const message = turn.querySelector(`[${profile.messageRole}]`);
  return message?.getAttribute(profile.messageRole) ?? "assistant";
}

function turnId(turn) {
  for (const name of profile.turnIdAttributes) {
    const id = turn.getAttribute(name);
    if (id) return id;
  }
  return turn.closest(`[${profile.turnShell}]`)?.getAttribute(profile.turnShell) ?? "";
}

function messageIdOf(node) {
  const id = node?.getAttribute(profile.messageId);
  if (id) return id;
  const ids = node?.getAttribute(profile.messageIds)?.match(/[^\s,]+/g);
  return ids ? ids[ids.length - 1] : "";
}

const messageSelector = `[${profile.messageId}],[${profile.messageIds}]`;

// messagesOf lists the message nodes of one turn, nested ones left out.
function messagesOf(turn) {
  if (turn.matches(messageSelector)) return [turn];
  const all = [...turn.querySelectorAll(messageSelector)];
  return all.filter((el) => !turn.contains(el.parentElement.closest(messageSelector)));
}

// locate finds the turn and node of a message id, or of a turn id where messages have none.
function locate(id) {
  const family = id ? familyOf() : null;
  if (!family) return null;
  const quoted = `"${CSS.escape(id)}"`;
  const byMessage = `[${profile.messageId}=${quoted}],[${profile.messageIds}~=${quoted}]`;
  const byTurn = profile.turnIdAttributes.map((name) => `[${name}=${quoted}]`).join(",");
  const node = document.querySelector(byMessage) ?? document.querySelector(byTurn);
  const turn = outermost(node, family.turn);
  return turn && { family, node, turn };
}

// answerTurn is the assistant's turn between our turn and the next one of a user.
function answerTurn(family, ours) {
  const turns = turnsOf(family);
  let answer = null;
  for (let i = turns.indexOf(ours) + 1; i > 0 && i < turns.length; i++) {
    if (roleOf(turns[i]) === "user") break;
    answer = turns[i];
  }
  return answer;
}

const follows = (a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
const behind = (mark) => (el) => !mark || (follows(mark, el) && !mark.contains(el));

// finalMessage is the last message of a turn that is no tool's; commentary stands inside or before
// the streaming status and is no answer.
function finalMessage(turn) {
  const marks = turn.querySelectorAll(profile.status);
  const mark = marks[marks.length - 1] ?? null;
  const nodes = messagesOf(turn).filter((el) => {
    const role = el.getAttribute(profile.messageRole);
    return (!role || role === "assistant") && (behind(mark)(el) || el.contains(mark));
  });
  const node = nodes[nodes.length - 1] ?? (messagesOf(turn).length ? null : turn);
  return { node, root: node && answerRoot(node, mark) };
}

// answerRoot is the last rendered text of a message; a message without one is read itself.
function answerRoot(node, mark) {
  const roots = any(profile.answerRoots);
  if (node.matches(roots)) return node;
  // A second response, which stands there until one is chosen, is not the answer.
  const outer = [...node.querySelectorAll(roots)].filter((el) =>
    !el.parentElement.closest(roots) && !el.closest(profile.alternative));
  const last = outer.filter(behind(mark)).pop();
  if (last || mark || outer.length) return last ?? null;
  return node.matches(messageSelector) ? node : null;
}

const barOn = (turn) => turn !== null && turn.querySelector(any(profile.bar)) !== null;

// errorIn finds an error that the page put into a turn; quoted errors stand inside the text.
function errorIn(turn, answer) {
  for (const el of turn?.querySelectorAll(any(profile.errors)) ?? []) {
    const text = el.closest(any([...profile.answerRoots, ...profile.userContent]));
    if (!text && !(answer && answer !== turn && answer.contains(el)) && visible(el)) return el;
  }
  return null;
}

function retryNear(ours, answer, last) {
  const selector = any(profile.retry);
  if (answer?.querySelector(selector) || ours.querySelector(selector)) return true;
  if (!last) return false;
  return [...document.querySelectorAll(selector)].some((el) => !insideTurn(el));
}

function continueNear(answer, last) {
  const places = [answer, last ? anyForm() : null].filter((el) => el);
  return places.some((place) =>
    place.querySelector(any(profile.continueMarks)) !== null ||
    [...place.querySelectorAll("button")].some((button) =>
      profile.continueLabels.includes(button.textContent.trim().toLowerCase())));
}

// characters counts code points.
const PAIRS = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;
const characters = (text) => text.length - (text.match(PAIRS) ?? []).length;

// progress sorts what one look saw into the states of an answer.
function progress(answer, look) {
  if (look.error && !look.stop) return "error";
  if (!answer) return "absent";
  const running = answer.querySelector(any(profile.running)) !== null;
  if (look.length === 0) {
    const thinking = running || answer.querySelector(any(profile.reasoning)) !== null;
    return thinking ? "thinking" : "placeholder";
  }
  return running || look.stop || !look.bar ? "streaming" : "finished";
}

const UNMOUNTED = {
  state: "unmounted", messageId: "", length: 0, bar: false, retry: false, error: "",
  truncated: false,
};

function turn({ messageId }) {
  const place = locate(messageId);
  const common = {
    stop: stopShown(anyForm()),
    conversation: conversation(),
    blocker: blocker().blocker,
  };
  if (!place || roleOf(place.turn) !== "user") return { ...UNMOUNTED, ...common };
  return { ...answerState(place, common.stop), ...common };
}

function answerState({ family, turn: ours }, stop) {
  const answer = answerTurn(family, ours);
  const { node, root } = answer ? finalMessage(answer) : { node: null, root: null };
  const turns = turnsOf(family);
  const last = turns[turns.length - 1] === (answer ?? ours);
  const error = errorIn(answer, root) ?? errorIn(ours, null);
  const look = {
    messageId: messageIdOf(node),
    length: root ? characters(markdown(root)) : 0,
    bar: barOn(answer),
    retry: retryNear(ours, answer, last),
    error: error ? shorten(error.textContent.trim(), profile.limits.errorChars) : "",
    truncated: continueNear(answer, last),
    stop,
  };
  return { ...look, state: progress(answer, look) };
}

// tail lists mounted turns behind a message or turn id.
function tail({ after, limit }) {
  const family = familyOf();
  let turns = family ? turnsOf(family) : [];
  let found = true;
  if (after) {
    const index = turns.indexOf(locate(after)?.turn);
    found = index >= 0;
    turns = found ? turns.slice(index + 1) : [];
  }
  if (limit > 0) turns = turns.slice(-limit);
  return { found, turns: turns.map(mounted), conversation: conversation() };
}

function mounted(turn) {
  const role = roleOf(turn);
  const messages = messagesOf(turn);
  const node = role === "user" ? messages[0] : messages[messages.length - 1];
  return {
    turnId: turnId(turn),
    messageId: messageIdOf(node),
    role,
    head: role === "user" ? headOf(turn, node) : "",
  };
}

// headOf reads the content node alone: the page puts notices and files beside it.
function headOf(turn, node) {
  const content = (node ?? turn).querySelector(any(profile.userContent)) ?? node ?? turn;
  const lines = readLines(content, 3).join("\n").split("\n").slice(0, 2);
  return shorten(lines.map((line) => line.trimEnd()).join("\n"), profile.limits.headChars);
}

// answerOf is the turn and root of one answer; a user's message is none.
function answerOf(id) {
  const place = locate(id);
  if (!place || roleOf(place.turn) === "user") return null;
  const final = finalMessage(place.turn);
  const own = place.node === place.turn || place.node === final.node;
  const root = own ? final.root : answerRoot(place.node, null);
  return root && { turn: place.turn, root };
}

function text({ messageId }) {
  const answer = answerOf(messageId);
  if (!answer) return { found: false, text: "", bar: false };
  return { found: true, text: markdown(answer.root), bar: barOn(answer.turn) };
}
