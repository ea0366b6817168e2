// place.js: where things stand in the document, and how their text is read.

const any = (list) => list.join(",");

// visible costs a layout at most; it never waits for a frame (a hidden page has none).
function visible(el) {
  return el.checkVisibility({ visibilityProperty: true });
}

function firstVisible(selector, root = document) {
  for (const el of root.querySelectorAll(selector)) if (visible(el)) return el;
  return null;
}

// conversation is the id in the address: /c/<id>, /g/<gizmo>/c/<id>; transient ids are kept as
// well.
function conversation() {
  const found = /\/c\/([^/]+)\/?$/.exec(location.pathname);
  if (!found) return "";
  try {
    return decodeURIComponent(found[1]);
  } catch {
    return found[1];
  }
}

// composer is the hydrated editor. The fallback text area never reaches the app and is none.
const composer = () => firstVisible(any(profile.composer));

// composerForm bounds the search for send and stop: other controls with such names stand elsewhere.
function composerForm(editor = composer()) {
  return editor?.closest(profile.form) ?? null;
}

const sendButton = (form) => (form ? firstVisible(any(profile.send), form) : null);
const stopShown = (form) => form !== null && firstVisible(any(profile.stop), form) !== null;

function anyForm() {
  const box = composer() ?? document.querySelector(any([...profile.refusing, ...profile.fallback]));
  return box?.closest(profile.form) ?? null;
}

const BLOCKS = new Set(
  ("ADDRESS ARTICLE ASIDE BLOCKQUOTE DIV DL DT DD FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER " +
    "HR LI MAIN NAV OL P PRE SECTION TABLE TBODY THEAD TR UL").split(" "),
);
const isBlock = (node) => node.nodeType === 1 && BLOCKS.has(node.tagName);

// endsBlock: a <br> with nothing behind it in its block shows no further line.
function endsBlock(br, root) {
  for (let node = br; node !== root; node = node.parentNode) {
    for (let next = node.nextSibling; next; next = next.nextSibling) {
      if (next.nodeType === 1 || next.data) return isBlock(next);
    }
    if (isBlock(node.parentNode)) return true;
  }
  return true;
}

// padding is white space between blocks, which no editor and no page shows.
function padding(text) {
  if (/\S/.test(text.data)) return false;
  for (const sibling of text.parentNode.children) if (isBlock(sibling)) return true;
  return false;
}

// readLines reads text as lines: a block is a line, <br> ends one. innerText doubles line breaks of
// an editor's paragraphs, textContent drops them.
function readLines(root, max = Infinity) {
  const lines = [];
  let current = null;
  const flush = () => {
    lines.push(current ?? "");
    current = null;
  };
  const block = (node) => {
    if (current !== null) flush();
    const before = lines.length;
    walk(node);
    if (current !== null || lines.length === before) flush();
  };
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (lines.length >= max) return;
      if (child.nodeType === 3) {
        if (!padding(child)) current = (current ?? "") + child.data;
      } else if (child.nodeType !== 1) {
        continue;
      } else if (child.tagName === "BR") {
        if (endsBlock(child, root)) current ??= "";
        else flush();
      } else if (isBlock(child)) {
        block(child);
      } else {
        walk(child);
      }
    }
  };
  walk(root);
  if (current !== null) lines.push(current);
  return lines;
}

const composerText = (editor) => (editor ? readLines(editor).join("\n") : "");

// canonical is the form in which two readings of one text are compared: the same rule as
// wire.SameText, so that page and bridge agree on what "the composer holds our text" means.
function canonical(text) {
  const plain = text.replace(/\uFEFF/g, "").replace(/[\u00A0\u202F]/g, " ").replace(/\r\n?/g, "\n");
  const lines = plain.split("\n").map((line) => line.replace(/[\s\u0085]+$/u, ""));
  return lines.join("\n").replace(/\n{3,}/g, "\n\n").replace(/^[\s\u0085]+|[\s\u0085]+$/gu, "");
}

const shorten = (text, max) => [...text.slice(0, 2 * max)].slice(0, max).join("");

function documentState() {
  return {
    name: state.name,
    url: location.href,
    conversation: conversation(),
    ready: document.readyState !== "loading",
  };
}

// hello names the document, once.
function hello({ nonce }) {
  if (!state.name) state.name = nonce;
  return documentState();
}

function composerState() {
  const editor = composer();
  const form = composerForm(editor);
  const send = sendButton(form);
  const [x, y] = centre(send);
  return {
    hydrated: editor !== null,
    focused: editor !== null && editor.contains(document.activeElement),
    text: composerText(editor),
    send: send !== null,
    enabled: send !== null && enabled(send),
    stop: stopShown(form),
    x,
    y,
  };
}

const enabled = (button) => !button.disabled && button.getAttribute("aria-disabled") !== "true";

// centre is where a press hits the button and nothing that lies over it.
function centre(button) {
  if (!button) return [0, 0];
  const box = button.getBoundingClientRect();
  const x = box.left + box.width / 2;
  const y = box.top + box.height / 2;
  return button.contains(document.elementFromPoint(x, y)) ? [x, y] : [0, 0];
}

const done = (ok, reason) => (ok ? { ok } : { ok, reason });

// focus puts the caret at the end of the text.
function focus() {
  const editor = composer();
  if (!editor) return done(false, "no hydrated composer");
  editor.focus({ preventScroll: true });
  caretToEnd(editor);
  return done(editor.contains(document.activeElement), "the composer does not take the focus");
}

function caretToEnd(editor) {
  let node = editor;
  while (node.lastChild?.nodeType === 1 && node.lastChild.tagName !== "BR") node = node.lastChild;
  const last = node.lastChild;
  const selection = document.getSelection();
  if (last?.nodeType === 3) selection.collapse(last, last.length);
  else selection.collapse(node, last ? node.childNodes.length - 1 : 0);
}

// empty deletes through the editor's own input path: setting its DOM would not reach the app.
function empty() {
  const editor = composer();
  if (!editor) return done(false, "no hydrated composer");
  if (composerText(editor).trim() === "") return done(true);
  editor.focus({ preventScroll: true });
  document.getSelection().selectAllChildren(editor);
  document.execCommand("delete");
  const left = composer();
  return done(left !== null && composerText(left).trim() === "", "the composer kept its text");
}
