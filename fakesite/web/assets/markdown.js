// Markdown as the page shows it: blocks first, then the inline marks of one block.
//
//   text ──blocks()──► [{kind, from, to, …}] ──Markdown.show()──► keyed nodes under .markdown
//
// A block is rendered anew only when its source changed, so nodes of finished blocks stay the same
// while the last one grows. A soft line break shows as <br>.
import { h, icon, place } from "./dom.js";

const fenceOpen = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*?)[ \t]*$/;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const bullet = /^( *)([-*+]|\d{1,9}[.)])( +)(?=\S)/;
const quote = /^ {0,3}> ?/;

/** fence describes an opening line, or null: a backtick fence takes no backticks in its info. */
function fence(line) {
  const m = fenceOpen.exec(line);
  return m && { mark: m[1][0], length: m[1].length, info: m[2], indent: line.search(/\S/) };
}

/** closes says whether line ends the block that open began. */
function closes(line, open) {
  const m = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line);
  return m !== null && m[1][0] === open.mark && m[1].length >= open.length;
}

function startsBlock(line) {
  return (
    fence(line) || heading.test(line) || rule.test(line) || bullet.test(line) || quote.test(line)
  );
}

/** linesOf splits a text; like the real site's renderer it drops a byte order mark at the start. */
export const linesOf = (text) => text.replace(/^\uFEFF/, "").split("\n");

/** blocks cuts lines into blocks; every block knows the lines that it came from. */
export function blocks(lines) {
  const out = [];
  let i = 0;
  while (i < lines.length) {
    if (lines[i].trim() === "") {
      i++;
      continue;
    }
    const block = take(lines, i);
    block.source = lines.slice(i, block.end).join("\n");
    out.push(block);
    i = block.end;
  }
  return out;
}

function take(lines, i) {
  const line = lines[i];
  const open = fence(line);
  if (open) return takeCode(lines, i, open);
  const head = heading.exec(line);
  if (head) return { kind: "heading", level: head[1].length, text: head[2], end: i + 1 };
  if (rule.test(line)) return { kind: "rule", end: i + 1 };
  if (bullet.test(line)) return takeList(lines, i);
  if (quote.test(line)) return takeQuote(lines, i);
  return takeParagraph(lines, i);
}

function takeCode(lines, i, open) {
  const body = [];
  let end = i + 1;
  while (end < lines.length && !closes(lines[end], open)) {
    body.push(unindent(lines[end], open.indent));
    end++;
  }
  return {
    kind: "code",
    info: open.info,
    text: body.join("\n"),
    end: Math.min(end + 1, lines.length),
  };
}

function unindent(line, most) {
  let n = 0;
  while (n < most && line[n] === " ") n++;
  return line.slice(n);
}

function takeParagraph(lines, i) {
  let end = i + 1;
  while (end < lines.length && lines[end].trim() !== "" && !startsBlock(lines[end])) end++;
  return { kind: "paragraph", text: lines.slice(i, end).join("\n"), end };
}

function takeQuote(lines, i) {
  let end = i;
  while (end < lines.length && quote.test(lines[end])) end++;
  const inner = lines.slice(i, end).map((line) => line.replace(quote, ""));
  return { kind: "quote", lines: inner, end };
}

/** takeList reads items of one kind; lines indented to an item's text belong to that item. */
function takeList(lines, i) {
  const first = bullet.exec(lines[i]);
  const ordered = /\d/.test(first[2]);
  const list = { kind: "list", ordered, start: parseInt(first[2], 10) || 1, items: [], end: i };
  while (list.end < lines.length) {
    const m = bullet.exec(lines[list.end]);
    if (!m || /\d/.test(m[2]) !== ordered || m[1].length > first[1].length + 3) break;
    list.end = takeItem(lines, list.end, m[0].length, list.items);
  }
  return list;
}

function takeItem(lines, i, width, items) {
  const body = [lines[i].slice(width)];
  let end = i + 1;
  while (end < lines.length) {
    const blank = lines[end].trim() === "";
    const indented = lines[end].startsWith(" ".repeat(width));
    const next = lines[end + 1] ?? "";
    if (blank && !next.startsWith(" ".repeat(width)) && !bullet.test(next)) break;
    if (!blank && !indented && (startsBlock(lines[end]) || lines[end - 1].trim() === "")) break;
    body.push(indented ? lines[end].slice(width) : lines[end].trim());
    end++;
  }
  items.push(body);
  return end;
}

// ---- inline -------------------------------------------------------------------------------------

const inlineMark = new RegExp(
  [
    "\\\\([!-/:-@[-`{-~])", // 1: an escaped character
    "(`+)([^]*?[^`])\\2(?!`)", // 2, 3: code
    "\\*\\*(?=\\S)([^]*?\\S)\\*\\*", // 4: strong
    "\\*(?=\\S)([^*]*?\\S)\\*", // 5: emphasis
    "\\[([^\\]\\n]*)\\]\\((https?:[^)\\s]+)\\)", // 6, 7: link
    "\\n",
  ].join("|"),
);

/** inline turns the text of one block into nodes. */
function inline(text) {
  const out = [];
  let rest = text;
  for (let m = inlineMark.exec(rest); m; m = inlineMark.exec(rest)) {
    if (m.index > 0) out.push(rest.slice(0, m.index).replace(/ +$/, m[0] === "\n" ? "" : "$&"));
    out.push(inlineNode(m));
    rest = rest.slice(m.index + m[0].length);
  }
  if (rest) out.push(rest);
  return out;
}

function inlineNode(m) {
  if (m[1] !== undefined) return m[1];
  if (m[2] !== undefined) return h("code", {}, m[3].replace(/^ (.*) $/, "$1"));
  if (m[4] !== undefined) return h("strong", {}, ...inline(m[4]));
  if (m[5] !== undefined) return h("em", {}, ...inline(m[5]));
  if (m[7] !== undefined) return h("a", { href: m[7], rel: "noopener" }, m[6]);
  return h("br");
}

// ---- nodes --------------------------------------------------------------------------------------

const builders = {
  paragraph: (b) => h("p", {}, ...inline(b.text)),
  heading: (b) => h(`h${b.level}`, {}, ...inline(b.text)),
  rule: () => h("hr"),
  quote: (b, look) => h("blockquote", {}, ...blocks(b.lines).map((c) => build(c, look))),
  list: (b, look) =>
    h(
      b.ordered ? "ol" : "ul",
      { start: b.ordered && b.start !== 1 ? b.start : null },
      ...b.items.map((lines) => h("li", {}, ...blocks(lines).map((c) => build(c, look)))),
    ),
  code: (b, look) => (look === "editor" ? editorCode(b) : classicCode(b)),
};

function build(block, look) {
  return builders[block.kind](block, look);
}

/** copyButton tells the turn by an event what to copy: the turn knows the site's switches. */
function copyButton(text) {
  const press = (e) =>
    e.currentTarget.dispatchEvent(new CustomEvent("copy-code", { bubbles: true, detail: text }));
  return icon("Copy", { class: "icon code-copy", onclick: press });
}

/** classicCode: the header shows language and "Copy" by style only, so innerText is the code. */
function classicCode(b) {
  const language = b.info.split(/\s+/)[0];
  const code = language ? `whitespace-pre! language-${language}` : "whitespace-pre!";
  const head = h(
    "div",
    { class: "code-header", "data-language": language || null },
    copyButton(b.text),
  );
  const scroll = h(
    "div",
    { class: "overflow-y-auto p-4", dir: "ltr" },
    h("code", { class: code }, b.text),
  );
  return h(
    "pre",
    { class: "overflow-visible!" },
    h("div", { class: "rounded-2xl code-box" }, head, scroll),
  );
}

/** editorCode: the newer viewer. Line breaks are <br>, and every block has the same id. */
function editorCode(b) {
  const code = h("code");
  b.text
    .split("\n")
    .forEach((line, i) => code.append(...(i ? [h("br")] : []), h("span", { class: "ͼd" }, line)));
  const view = h(
    "div",
    { id: "code-block-viewer", class: "cm-editor ͼ1" },
    h("div", { class: "cm-scroller" }, h("pre", { class: "cm-content" }, code)),
  );
  return h(
    "div",
    { class: "rounded-2xl code-box" },
    h("div", { class: "code-header" }, copyButton(b.text)),
    view,
  );
}

/** writeClipboard is looked up at each press: bridges replace it in the page. */
export function writeClipboard(text) {
  return navigator.clipboard?.writeText(text)?.catch(() => {});
}

/** Markdown keeps the nodes of one text under root. */
export class Markdown {
  constructor(root, look) {
    this.root = root;
    this.look = look;
    this.shown = [];
  }
  show(text) {
    const fresh = blocks(linesOf(text)).map((block, i) => {
      const old = this.shown[i];
      return old && old.source === block.source
        ? old
        : { source: block.source, node: build(block, this.look) };
    });
    this.shown = fresh;
    place(
      this.root,
      fresh.map((block) => block.node),
    );
    fresh.forEach((block, i) => mark(block.node, "data-is-last-node", i === fresh.length - 1));
  }
}

function mark(node, name, on) {
  if (on) node.setAttribute(name, "");
  else node.removeAttribute(name);
}
