// Dialogs, toasts and the challenge page. A dialog that a person closed stays closed in this
// document until the site raises it anew.
import { h, place } from "./dom.js";

const dialogs = {
  rate: (close) =>
    modal(
      "Too many requests",
      {},
      "You're making requests too quickly. We've temporarily limited access to your " +
        "conversations. Please wait a few minutes before trying again.",
      h("button", { type: "button", onclick: close }, "Got it"),
    ),
  expired: () =>
    modal(
      "Your session has expired",
      { id: "modal-expired-session" },
      "Please log in again to continue using the app.",
      h("a", { class: "button", role: "button", href: "/auth/login" }, "Log in"),
    ),
  "no-auth": (close) =>
    modal(
      "Thanks for trying ChatGPT",
      { id: "modal-no-auth-login" },
      "Log in or sign up to get smarter responses.",
      h("a", { class: "button", role: "button", href: "/auth/login" }, "Log in"),
      h(
        "button",
        { type: "button", "data-testid": "dismiss-welcome", onclick: close },
        "Stay logged out",
      ),
    ),
  account: () =>
    modal(
      "We detected suspicious activity",
      { id: "modal-account-security" },
      "Secure your account to regain access.",
      h("a", { class: "button", role: "button", href: "/auth/login" }, "Secure account"),
    ),
};

function modal(title, attrs, text, ...buttons) {
  return h(
    "div",
    { role: "dialog", "aria-modal": "true", "aria-label": title, class: "modal", ...attrs },
    h("h2", {}, title),
    h("p", {}, text),
    h("div", { class: "buttons" }, ...buttons),
  );
}

export class Blockers {
  constructor() {
    this.node = h("div", { class: "layers" });
    this.closed = new Set();
    this.open = new Map();
    this.wanted = [];
  }

  show(view, acts) {
    this.wanted = (view.dialogs ?? []).map((d) => ({ key: `${d.kind} ${d.n}`, kind: d.kind }));
    if (view.approval) this.wanted.push({ key: "approval", kind: "approval" });
    this.acts = acts;
    this.toast = view.toast;
    this.draw();
  }

  draw() {
    const shown = this.wanted.filter((d) => !this.closed.has(d.key));
    const nodes = shown.map((d) => this.nodeOf(d));
    if (this.toast) nodes.push(this.toastNode());
    for (const key of this.open.keys())
      if (!shown.some((d) => d.key === key)) this.open.delete(key);
    place(this.node, nodes);
  }

  nodeOf({ key, kind }) {
    if (!this.open.has(key))
      this.open.set(
        key,
        kind === "approval" ? this.approval() : dialogs[kind](() => this.close(key)),
      );
    return this.open.get(key);
  }

  close(key) {
    this.closed.add(key);
    this.draw();
  }

  approval() {
    return h(
      "div",
      {
        role: "dialog",
        "data-testid": "tool-approval-card",
        "aria-label": "Allow this tool?",
        class: "modal",
      },
      h("h2", {}, "Allow this tool?"),
      h("p", {}, "The model wants to use a connected tool."),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: () => this.acts({ approve: true }) }, "Allow"),
        h("button", { type: "button" }, "Deny"),
      ),
    );
  }

  toastNode() {
    if (this.toastText !== this.toast) {
      this.toastText = this.toast;
      this.toastShown = h(
        "div",
        { class: "toast-root", "data-testid": "toast-error", role: "status" },
        this.toast,
      );
    }
    return this.toastShown;
  }
}

/** challengePage takes the whole page, as a challenge in front of the site does. */
export function challengePage() {
  return h(
    "form",
    { id: "challenge-form", method: "post", onsubmit: (e) => e.preventDefault() },
    h("h1", {}, location.hostname),
    h("p", {}, "Verify you are human by completing the action below."),
  );
}
