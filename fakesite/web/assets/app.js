// The page. It renders what the server pushes and decides nothing by itself; it has no timers but
// the one that reconnects a lost socket.
//
//   server ──push──► state ──► render() in one go ──► documentElement.dataset.fakeVersion = version
//   person ──input──► composer, scroll, links ──► fetch or act ──► server
import * as api from "./api.js";
import { Blockers, challengePage } from "./blockers.js";
import { Composer } from "./composer.js";
import { Slot, h, place } from "./dom.js";
import { Header, Sidebar } from "./frame.js";
import { Markdown } from "./markdown.js";
import { TurnView, shell } from "./turns.js";

const root = document.getElementById("root");
const state = { view: null, order: [], turns: new Map(), moves: 0 };
const ui = { built: "", views: new Map() };
const local = {
  sending: "",
  streams: new Set(),
  wiped: false,
  drafted: false,
  account: null,
  loaded: false,
};

// ---- pushes -------------------------------------------------------------------------------------

let socket = null;

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const query = new URLSearchParams({
    document: api.documentId,
    path: location.pathname + location.search,
  });
  socket = new WebSocket(`${scheme}//${location.host}/backend-api/fake/events?${query}`);
  socket.addEventListener("message", (e) => receive(JSON.parse(e.data)));
  socket.addEventListener("close", () => setTimeout(connect, 1000));
}

/** act tells the server what a person did. */
function act(message) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function receive(push) {
  if (push.page) state.view = push.page;
  if (push.order || push.empty) state.order = push.order ?? [];
  for (const turn of push.turns ?? []) state.turns.set(turn.key, turn);
  for (const { key, text } of push.grown ?? []) {
    const turn = state.turns.get(key);
    state.turns.set(key, { ...turn, text: turn.text + text });
  }
  if (state.view) render(state.view);
  document.documentElement.dataset.fakeVersion = String(push.version);
}

// ---- rendering ----------------------------------------------------------------------------------

function render(view) {
  if (view.challenge) return renderChallenge();
  if (!view.hydrated) {
    if (ui.built === "challenge") teardown();
    return;
  }
  build(view);
  renderTurns(view);
  ui.sidebar.show(view);
  ui.header.show(view);
  ui.blockers.show(view, act);
  ui.notice.show(view.deferral || null);
  ui.canvas.show(view.canvas || null);
  renderComposer(view);
  document.title = view.title;
  follow(view);
  if (!view.frozen) background(view);
}

function renderChallenge() {
  if (ui.built === "challenge") return;
  teardown();
  ui.built = "challenge";
  document.title = "Just a moment...";
  place(root, [challengePage()]);
}

function teardown() {
  ui.built = "";
  ui.views.clear();
  place(root, []);
}

/** build makes the app once, and again when the family changes. */
function build(view) {
  const key = JSON.stringify(view.markup);
  if (ui.built === key) return;
  const draft = ui.built && ui.built !== "challenge" ? ui.composer.text : "";
  teardown();
  ui.built = key;
  ui.markup = families(view.markup);
  ui.sidebar = new Sidebar(go);
  ui.header = new Header();
  ui.blockers = new Blockers();
  ui.composer = new Composer(ui.markup, send, () => api.stop(state.view.conversation));
  ui.thread = h(ui.markup.family === "li" ? "ol" : "div", {
    class: "thread",
    "data-testid": "chat-thread",
  });
  ui.scroller = h("div", { "data-scroll-root": "", class: "scroller" }, ui.thread);
  ui.scroller.addEventListener("scroll", scrolled);
  ui.scroller.addEventListener("wheel", wheeled, { passive: true });
  ui.below = h("div", { class: "below" });
  ui.notice = new Slot(ui.below, () => deferral());
  ui.main = h("main", { id: "main" }, ui.header.node, ui.scroller, ui.below, ui.composer.node);
  ui.app = h("div", { class: "app" }, ui.sidebar.node, ui.main);
  ui.canvas = new Slot(ui.app, (text) => panel(text));
  place(root, [ui.app, ui.blockers.node]);
  if (draft) ui.composer.restore(draft);
}

function families(markup) {
  return {
    family: markup.family || "section",
    editor: markup.editor || "prosemirror",
    code: markup.code === "cm" ? "editor" : "classic",
    nbsp: markup.nbsp,
  };
}

function deferral() {
  return h(
    "div",
    { class: "deferral", role: "status" },
    "Our systems need a little more time for this one.",
    h("button", { type: "button" }, "Use a faster model"),
  );
}

function panel(text) {
  const body = h("div", { class: "markdown prose" });
  new Markdown(body, "classic").show(text);
  return h(
    "aside",
    { class: "canvas", "data-testid": "canvas-panel" },
    h("h2", {}, "Document"),
    h("div", { contenteditable: "false", class: "canvas-body" }, body),
  );
}

function renderTurns(view) {
  const before = ui.scroller.scrollHeight - ui.scroller.scrollTop;
  const atEnd = before - ui.scroller.clientHeight < 80;
  const first = ui.first;
  ui.first = state.order[0];
  const nodes = state.order.map((key) => turnNode(state.turns.get(key)));
  for (const key of ui.views.keys()) if (!state.order.includes(key)) ui.views.delete(key);
  for (const key of state.turns.keys()) if (!state.order.includes(key)) state.turns.delete(key);
  const plain = ui.markup.family === "section" || ui.markup.family === "article";
  const shells = (keys) => (plain ? (keys ?? []).map((key) => shell(key)) : []);
  place(ui.thread, [...shells(view.before), ...nodes, ...shells(view.after)]);
  if (atEnd && !(view.after ?? []).length) ui.scroller.scrollTop = ui.scroller.scrollHeight;
  else if (first !== ui.first) ui.scroller.scrollTop = ui.scroller.scrollHeight - before;
  ui.top = ui.scroller.scrollTop;
}

function turnNode(turn) {
  let known = ui.views.get(turn.key);
  if (!known || known.turn.id !== turn.id) {
    known = new TurnView(turn, ui.markup, act);
    ui.views.set(turn.key, known);
  }
  if (known.turn !== turn) known.show(turn);
  return known.root;
}

function renderComposer(view) {
  const { composer } = ui;
  if (local.sending && (view.commits ?? []).includes(local.sending)) {
    sending("");
    composer.clear();
  }
  if (view.draft && !local.drafted) {
    local.drafted = true;
    composer.restore(view.draft);
  }
  if (view.wipe && !local.wiped) {
    local.wiped = true;
    composer.clear();
  }
  composer.show(view);
}

// ---- address ------------------------------------------------------------------------------------

/** follow pushes the address that the server wants, unless the page has just gone elsewhere. */
function follow(view) {
  if (view.moves !== state.moves || view.frozen) return;
  if (location.pathname + location.search !== view.path) history.pushState(null, "", view.path);
}

/** go changes the conversation in this document, without a load. */
function go(path) {
  if (location.pathname + location.search !== path) history.pushState(null, "", path);
  moved();
}

function moved() {
  state.moves++;
  sending("");
  act({ go: location.pathname + location.search });
}

// ---- sending ------------------------------------------------------------------------------------

async function send(text) {
  if (local.sending || state.view.frozen) return;
  const id = crypto.randomUUID();
  sending(id);
  local.streams.add(id);
  let status = 0;
  try {
    await api.send(request(id, text), (code) => (status = code));
  } catch {
    // The connection was lost: without a reply the text stays, otherwise the push decides.
  }
  if (status !== 200 && local.sending === id) sending("");
}

/** sending notes the send that was neither shown nor refused yet; until then no other leaves. */
function sending(id) {
  local.sending = id;
  document.documentElement.dataset.fakeSending = id;
}

function request(id, text) {
  const { view } = state;
  return {
    action: "next",
    messages: [
      {
        id,
        author: { role: "user" },
        create_time: Date.now() / 1000,
        content: { content_type: "text", parts: [text] },
        metadata: {},
      },
    ],
    conversation_id: view.conversation || undefined,
    parent_message_id: view.parent || "client-created-root",
    model: "auto",
    supported_encodings: ["v1"],
    timezone: "UTC",
    timezone_offset_min: 0,
    history_and_training_disabled: view.temporary || undefined,
    websocket_request_id: view.conversation ? undefined : `WEB:${crypto.randomUUID()}`,
  };
}

/** background does what the real page does on the network while a conversation is on screen. */
function background(view) {
  if (local.account !== view.account) {
    if (local.account !== null) api.forget();
    local.account = view.account;
  }
  if (!local.loaded) {
    local.loaded = true;
    quietly(api.load(view.account ? view.conversation : ""));
  }
  const running = view.account && view.stream;
  if (running && !local.streams.has(running)) {
    local.streams.add(running);
    quietly(api.resume(view.conversation));
  }
}

/** quietly: what these requests bring is shown by pushes; a lost one needs no word. */
function quietly(promise) {
  promise.catch(() => {});
}

// ---- scrolling ----------------------------------------------------------------------------------

function scrolled() {
  const { scroller } = ui;
  const up = scroller.scrollTop < (ui.top ?? 0);
  const down = scroller.scrollTop > (ui.top ?? 0);
  ui.top = scroller.scrollTop;
  const rest = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
  // A box that grows (the composer lost its text) pulls a scroller up to its new end: nobody did.
  const pulled = rest < 1;
  if (up && !pulled && scroller.scrollTop < 120) more(-1);
  else if (down && rest < 120) more(1);
}

function wheeled(e) {
  if (e.deltaY < 0 && ui.scroller.scrollTop === 0) more(-1);
}

function more(direction) {
  const shells = direction < 0 ? state.view.before : state.view.after;
  if ((shells ?? []).length) act({ scroll: direction });
}

addEventListener("popstate", moved);
connect();
