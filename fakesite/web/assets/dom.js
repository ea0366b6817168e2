// Building and comparing nodes. Nothing here ever parses HTML: text stays text.

/** h makes an element. Attributes that are null, undefined or false are left out. */
export function h(tag, attrs = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** icon is a picture button. Its words are a label and a style, so they never enter innerText. */
export function icon(label, attrs = {}) {
  return h("button", { type: "button", "aria-label": label, class: "icon", ...attrs });
}

/** place makes the children of parent exactly nodes, in order, and moves only what has to move. */
export function place(parent, nodes) {
  let at = parent.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** slot shows at most one node in a place: it is rebuilt only when the key changes. */
export class Slot {
  constructor(parent, build) {
    this.parent = parent;
    this.build = build;
    this.key = "null";
    this.node = null;
  }
  show(value) {
    const key = JSON.stringify(value ?? null);
    if (key === this.key) return;
    this.key = key;
    const fresh = value === null || value === undefined ? null : this.build(value);
    if (this.node && fresh) this.node.replaceWith(fresh);
    else if (fresh) this.parent.append(fresh);
    else if (this.node) this.node.remove();
    this.node = fresh;
  }
}
