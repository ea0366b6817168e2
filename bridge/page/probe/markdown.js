// markdown.js: markdown rebuilt from a rendered answer. Lines survive (<br>, <p>, editor lines),
// and what a code block shows around its code (language, "Copy code", "Edit") is left out by place.

const SKIPPED = "button,svg,style,script,template,.sr-only,[aria-hidden='true']";
const PROSE = "p,ul,ol,h1,h2,h3,h4,h5,h6,blockquote,table";

// markdown gives the blocks of a root, parted by a blank line.
function markdown(root) {
  if (codeOf(root) === root) return fenced(root);
  return blocksOf(root).join("\n\n").trim();
}

// blocksOf renders children; loose inline nodes between blocks form a paragraph.
function blocksOf(parent) {
  const out = [];
  let loose = "";
  const flush = () => {
    if (loose.trim()) out.push(loose.trim());
    loose = "";
  };
  for (const child of parent.childNodes) {
    if (isBlock(child)) {
      flush();
      out.push(...blockOf(child));
    } else {
      loose += inline(child);
    }
  }
  flush();
  return out;
}

function blockOf(el) {
  if (el.matches(SKIPPED)) return [];
  if (codeOf(el)) return [fenced(el)];
  const heading = /^H([1-6])$/.exec(el.tagName);
  if (heading) return ["#".repeat(Number(heading[1])) + " " + inlineOf(el).trim()];
  switch (el.tagName) {
    case "P":
      return [inlineOf(el).trim()].filter((s) => s);
    case "UL":
    case "OL":
      return [listOf(el)];
    case "BLOCKQUOTE":
      return [quoted(blocksOf(el).join("\n\n"))];
    case "HR":
      return ["---"];
    case "TABLE":
      return [tableOf(el)];
    default:
      return blocksOf(el);
  }
}

// quoted marks every line; what else JavaScript's /^/m takes for the start of one (U+2028, CR) is none.
const quoted = (text) => text.split("\n").map((line) => (line ? `> ${line}` : ">")).join("\n");

function listOf(list) {
  const ordered = list.tagName === "OL";
  let number = Number(list.getAttribute("start") ?? 1);
  const items = [...list.children].filter((el) => el.tagName === "LI").map((item) => {
    const mark = ordered ? `${number++}. ` : "- ";
    return mark + itemOf(item).replace(/\n(?=[^\n])/g, "\n" + " ".repeat(mark.length));
  });
  return items.join("\n");
}

// itemOf keeps a tight list tight: the blocks of an item follow each other without a blank line.
const itemOf = (item) => blocksOf(item).join("\n");

function tableOf(table) {
  const rows = [...table.rows].map((row) => [...row.cells].map((cell) => inlineOf(cell).trim()));
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
  if (rows.length) lines.splice(1, 0, `| ${rows[0].map(() => "---").join(" | ")} |`);
  return lines.join("\n");
}

const WRAPS = { STRONG: "**", B: "**", EM: "*", I: "*", DEL: "~~", S: "~~" };

function inlineOf(el) {
  let out = "";
  for (const child of el.childNodes) out += inline(child);
  return out;
}

function inline(node) {
  if (node.nodeType === 3) return textNode(node);
  if (node.nodeType !== 1 || node.matches(SKIPPED)) return "";
  if (isBlock(node)) return "\n" + blockOf(node).join("\n") + "\n";
  const wrap = WRAPS[node.tagName];
  if (wrap) return wrap + inlineOf(node) + wrap;
  switch (node.tagName) {
    case "BR":
      return "\n";
    case "CODE":
      return codeSpan(node.textContent);
    case "A":
      return linkOf(node);
    case "IMG":
      return `![${node.getAttribute("alt") ?? ""}](${node.getAttribute("src") ?? ""})`;
    default:
      return inlineOf(node);
  }
}

const textNode = (node) => (preformatted(node) ? node.data : node.data.replace(/[\t\n\r ]+/g, " "));

// preformatted: a page that keeps white space shows line breaks of its text nodes as lines.
function preformatted(text) {
  if (!/[\n\t]| {2}/.test(text.data)) return false;
  return /^(pre|break-spaces)/.test(getComputedStyle(text.parentElement).whiteSpace);
}

function codeSpan(text) {
  const ticks = longest(text, /`+/g);
  const mark = "`".repeat(ticks + 1);
  return ticks ? `${mark} ${text} ${mark}` : mark + text + mark;
}

function linkOf(a) {
  const label = inlineOf(a);
  const href = a.getAttribute("href") ?? "";
  return !href || href === label ? label : `[${label}](${href})`;
}

const longest = (text, pattern) => Math.max(0, ...(text.match(pattern) ?? []).map((s) => s.length));

const codeSelector = `${profile.codeOuter},${profile.codeEditor}`;

// codeOf gives the one code block that an element is or wraps, and null when it holds anything
// else.
function codeOf(el) {
  if (el.matches(codeSelector)) return el;
  if (isProse(el)) return null;
  const found = outerCodes(el);
  return found.length === 1 && !proseIn(el) ? found[0] : null;
}

const isProse = (el) => el.matches(PROSE + ",li,tr,td");

function outerCodes(root) {
  const all = [...root.querySelectorAll(codeSelector)];
  return all.filter((el) => !root.contains(outerOf(el, root)));
}

// outerOf is a code block around a code block: the editor form holds a <pre> of its own.
function outerOf(el, root) {
  const outer = el.parentElement.closest(codeSelector);
  return outer !== root ? outer : null;
}

const proseIn = (el) => [...el.querySelectorAll(PROSE)].some((p) => !p.closest(codeSelector));

// codeBody is the element that holds the code and nothing else.
function codeBody(block) {
  const code = block.querySelector("code");
  if (code) return code;
  const editor = block.querySelector(".cm-content");
  if (editor) return editor;
  return block;
}

function codeText(block) {
  let out = "";
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3) out += child.data;
      else if (child.nodeType !== 1 || child.matches(SKIPPED)) continue;
      else if (child.tagName === "BR") out += endsLine(child) ? "" : "\n";
      else {
        const line = child.matches(profile.codeLine);
        walk(child);
        if (line && child.nextElementSibling) out += "\n";
      }
    }
  };
  walk(codeBody(block));
  return out.replace(/\n$/, "");
}

// endsLine: an editor closes an empty line with a <br> inside the line's own element.
const endsLine = (br) => br.parentElement.matches(profile.codeLine) && !br.nextSibling;

function languageOf(block) {
  const code = codeBody(block);
  const named = /(?:^|\s)language-(\S+)/.exec(code.className);
  if (named) return named[1];
  const attribute = code.closest("[data-language]") ?? block.querySelector("[data-language]");
  if (attribute) return attribute.getAttribute("data-language");
  return headerWord(block, code);
}

// headerWord is the language as the block's header shows it: its first text outside controls.
function headerWord(block, code) {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && !code.contains(node); node = walker.nextNode()) {
    const word = node.data.trim();
    if (!word || node.parentElement.closest(SKIPPED)) continue;
    return /^[\w+#.-]+$/.test(word) ? word.toLowerCase() : "";
  }
  return "";
}

function fenced(block) {
  const code = codeText(block);
  const mark = "`".repeat(Math.max(3, longest(code, /`{3,}/g) + 1));
  return `${mark}${languageOf(block)}\n${code}\n${mark}`;
}
