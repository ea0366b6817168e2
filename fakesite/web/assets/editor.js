// The composer's editor: a contenteditable that keeps one <p> per line, as ProseMirror does.
//
//   trusted or scripted input ──► beforeinput (line breaks, paste) ──► text ──► <p>…</p>
//                            └──► the browser edits ──► input ──► read() ──► <p>…</p>
//
// Whatever the browser or a script left in the element, an input event brings it back into the one
// form. Without an input event the page does not know of the text, and Send stays away.
// With the nbsp switch every second space of a run is shown as U+00A0; what is sent has plain ones.
import { h } from "./dom.js";

const inserts = new Set([
  "insertText",
  "insertFromPaste",
  "insertFromDrop",
  "insertReplacementText",
]);

/** read gives the text of the element, block children joined by "\n", and the caret in it. */
function read(root) {
  const selection = getSelection();
  const state = {
    text: "",
    caret: -1,
    root,
    anchor: selection.focusNode,
    offset: selection.focusOffset,
  };
  walk(root, state);
  if (state.caret < 0) state.caret = state.text.length;
  state.text = state.text.replaceAll("\u00a0", " ");
  return state;
}

function walk(node, state) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node === state.anchor) state.caret = state.text.length + state.offset;
    state.text += node.data;
    return;
  }
  const children = [...node.childNodes];
  children.forEach((child, i) => {
    if (node === state.anchor && state.offset === i) state.caret = state.text.length;
    if (child.nodeName === "BR") {
      if (node === state.root || i < children.length - 1) state.text += "\n";
      return;
    }
    if (i > 0 && isBlock(child, children[i - 1])) state.text += "\n";
    if (child === state.anchor && !child.hasChildNodes()) state.caret = state.text.length;
    walk(child, state);
  });
  if (node === state.anchor && state.offset >= children.length) state.caret = state.text.length;
}

function isBlock(node, before) {
  const block = (n) => n.nodeName === "P" || n.nodeName === "DIV";
  return block(node) || block(before);
}

export class Editor {
  /** kind: "prosemirror" or "lexical". onChange hears of every change, onEnter of a bare Enter. */
  constructor(kind, placeholder, onChange, onEnter) {
    this.onChange = onChange;
    this.onEnter = onEnter;
    this.text = "";
    this.nbsp = false;
    this.placeholder = placeholder;
    this.node = h("div", {
      id: "prompt-textarea",
      contenteditable: "true",
      role: "textbox",
      "aria-multiline": "true",
      "aria-label": placeholder,
      translate: "no",
      class: kind === "lexical" ? "lexical" : "ProseMirror",
      "data-lexical-editor": kind === "lexical" ? "true" : null,
      "data-virtualkeyboard": "true",
    });
    this.node.addEventListener("beforeinput", (e) => this.before(e));
    this.node.addEventListener("input", () => this.after());
    this.node.addEventListener("paste", (e) => this.paste(e));
    this.node.addEventListener("keydown", (e) => this.key(e));
    this.node.addEventListener(
      "keypress",
      (e) => e.key === "Enter" && !e.shiftKey && e.preventDefault(),
    );
    this.draw();
  }

  key(e) {
    if (e.key !== "Enter" || e.isComposing) return;
    if (e.shiftKey) return; // the browser's insertLineBreak comes back as beforeinput
    e.preventDefault();
    this.onEnter();
  }

  before(e) {
    if (e.inputType === "insertParagraph" || e.inputType === "insertLineBreak")
      this.insert("\n", e);
    else if (inserts.has(e.inputType) && e.data !== null && e.data.includes("\n"))
      this.insert(e.data, e);
  }

  paste(e) {
    const text = e.clipboardData?.getData("text/plain") ?? "";
    if (text !== "") this.insert(text, e, "insertFromPaste");
  }

  /** insert puts text in place of the selection and tells the page by a real input event. */
  insert(text, cause, inputType = cause.inputType) {
    cause.preventDefault();
    const selection = getSelection();
    if (!selection.isCollapsed) selection.deleteFromDocument();
    const now = read(this.node);
    const added = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
    this.text = now.text.slice(0, now.caret) + added + now.text.slice(now.caret);
    this.draw(now.caret + added.length);
    this.node.dispatchEvent(new InputEvent("input", { bubbles: true, inputType, data: text }));
  }

  after() {
    const now = read(this.node);
    this.text = now.text;
    if (!this.regular()) this.draw(now.caret);
    this.onChange();
  }

  /** shown is one line as the document holds it. */
  shown(line) {
    return this.nbsp ? line.replace(/ {2,}/g, (run) => run.replaceAll("  ", " \u00a0")) : line;
  }

  /** refuse makes the editor take no text. */
  refuse(on) {
    this.node.setAttribute("contenteditable", String(!on));
    if (on) this.node.setAttribute("aria-disabled", "true");
    else this.node.removeAttribute("aria-disabled");
  }

  /** regular says whether the element already has the one form. */
  regular() {
    const lines = this.text.split("\n");
    const kids = this.node.childNodes;
    if (kids.length !== lines.length) return false;
    return (
      lines.every((line, i) => {
        const p = kids[i];
        if (p.nodeName !== "P" || p.childNodes.length !== 1) return false;
        return line === ""
          ? p.firstChild.nodeName === "BR"
          : p.firstChild.data === this.shown(line);
      }) && this.node.classList.contains("is-empty") === (this.text === "")
    );
  }

  /** set replaces the whole text without an input event: the page's own doing. */
  set(text) {
    this.text = text;
    this.draw();
    this.onChange();
  }

  draw(caret) {
    const lines = this.text.split("\n");
    this.node.classList.toggle("is-empty", this.text === "");
    this.node.replaceChildren(
      ...lines.map((line) =>
        paragraph(this.shown(line), this.text === "" ? this.placeholder : null),
      ),
    );
    if (caret !== undefined && document.activeElement === this.node) this.caret(lines, caret);
  }

  caret(lines, at) {
    let i = 0;
    while (i < lines.length - 1 && at > lines[i].length) at -= lines[i++].length + 1;
    const p = this.node.childNodes[i];
    const text = p.firstChild.nodeType === Node.TEXT_NODE;
    getSelection().collapse(text ? p.firstChild : p, text ? Math.min(at, p.firstChild.length) : 0);
  }
}

function paragraph(line, placeholder) {
  if (line !== "") return h("p", {}, line);
  return h(
    "p",
    { "data-placeholder": placeholder, class: placeholder && "placeholder" },
    h("br", { class: "ProseMirror-trailingBreak" }),
  );
}
