// What stands around the conversation: sidebar, header, model picker.
import { Slot, h, icon, place } from "./dom.js";

const models = [
  ["instant", "Instant 5.5"],
  ["thinking", "Thinking 5.5"],
  ["pro", "Pro 5.5"],
];

/** Sidebar lists the conversations; its links are followed without a new document. */
export class Sidebar {
  constructor(follow) {
    this.list = h("div", { class: "history-list" });
    this.account = new Slot(null, (name) => profile(name));
    this.foot = h("div", { class: "foot" });
    this.account.parent = this.foot;
    this.follow = follow;
    this.links = new Map();
    this.node = h(
      "nav",
      { id: "history", "aria-label": "Chat history" },
      h(
        "a",
        {
          href: "/",
          class: "new-chat",
          "data-testid": "create-new-chat-button",
          onclick: (e) => this.go(e),
        },
        "New chat",
      ),
      this.list,
      this.foot,
    );
  }

  go(event) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.follow(event.currentTarget.getAttribute("href"));
  }

  show(view) {
    const links = (view.history ?? []).map((item, i) =>
      this.link(item, i, item.id === view.conversation),
    );
    place(this.list, links);
    this.account.show(view.account || null);
  }

  link(item, i, current) {
    let node = this.links.get(item.id);
    if (!node) {
      node = h(
        "a",
        {
          class: "__menu-item",
          href: `/c/${item.id}`,
          draggable: "true",
          onclick: (e) => this.go(e),
        },
        h("span"),
      );
      this.links.set(item.id, node);
    }
    node.setAttribute("data-testid", `history-item-${i}`);
    node.setAttribute("aria-label", item.title);
    if (current) node.setAttribute("aria-current", "page");
    else node.removeAttribute("aria-current");
    if (node.firstChild.textContent !== item.title) node.firstChild.textContent = item.title;
    return node;
  }
}

function profile(name) {
  return h(
    "button",
    {
      type: "button",
      "data-testid": "accounts-profile-button",
      "aria-label": `${name}, open profile menu`,
    },
    name,
  );
}

/** Header holds the model picker and, for guests, the login buttons. */
export class Header {
  constructor() {
    this.model = models[1];
    this.menu = null;
    this.button = h(
      "button",
      {
        type: "button",
        "data-testid": "model-switcher-dropdown-button",
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        class: "model",
        onclick: () => this.toggle(),
      },
      `ChatGPT ${this.model[1]}`,
    );
    this.node = h("header", { id: "page-header" }, this.button);
    this.login = new Slot(this.node, () => loginButtons());
    this.other = new Slot(this.node, () =>
      icon("Stop reading aloud", { "data-testid": "voice-stop-button" }),
    );
    document.addEventListener(
      "pointerdown",
      (e) => this.menu && !this.node.contains(e.target) && this.toggle(),
    );
  }

  show(view) {
    this.login.show(view.account ? null : "login");
    this.other.show(view.otherStop || null);
  }

  toggle() {
    if (this.menu) {
      this.menu.remove();
      this.menu = null;
    } else {
      this.menu = h("div", { role: "menu", class: "menu" }, ...models.map((m) => this.option(m)));
      this.node.append(this.menu);
    }
    this.button.setAttribute("aria-expanded", String(this.menu !== null));
  }

  option(model) {
    return h(
      "div",
      {
        role: "menuitemradio",
        tabindex: "0",
        "aria-checked": String(model === this.model),
        "data-testid": `model-switcher-gpt-5-5-${model[0]}`,
        onclick: () => {
          this.model = model;
          this.button.textContent = `ChatGPT ${model[1]}`;
          this.toggle();
        },
      },
      model[1],
    );
  }
}

function loginButtons() {
  return h(
    "div",
    { class: "login" },
    h(
      "a",
      { class: "button", role: "button", "data-testid": "login-button", href: "/auth/login" },
      "Log in",
    ),
    h(
      "a",
      { class: "button", role: "button", "data-testid": "signup-button", href: "/auth/login" },
      "Sign up for free",
    ),
  );
}
