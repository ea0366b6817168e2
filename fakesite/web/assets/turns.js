// Turns: one node per turn, kept as long as the turn is mounted and changed in place.
//
//   default   div[data-turn-id-container] > section[data-turn] > h*.sr-only, status, message, bar
//   article   the same with article
//   li        li[data-message-role][data-message-id]
//   b         div[data-turn-key][data-conversation-role], no turn test id, no author role
import { Slot, h, icon, place } from "./dom.js";
import { Markdown, blocks, linesOf, writeClipboard } from "./markdown.js";

const heads = { user: "You said:", assistant: "ChatGPT said:" };

/** frames build the outside of a turn; message builds the node that carries the message id. */
const frames = {
  section: (t) => wrapped("section", t),
  article: (t) => wrapped("article", t),
  li: (t) => {
    const node = h("li", {
      "data-message-role": t.role,
      "data-message-id": t.id,
      class: "turn",
      dir: "auto",
    });
    return { root: node, inside: node };
  },
  b: (t) => {
    const node = h("div", {
      "data-turn-key": t.key,
      "data-conversation-role": t.role,
      class: "turn",
      dir: "auto",
      "data-chatgpt-search-message-ids": t.id,
    });
    return { root: node, inside: node };
  },
};

function wrapped(tag, t) {
  const inside = h(
    tag,
    {
      "data-testid": `conversation-turn-${t.n}`,
      "data-turn": t.role,
      "data-turn-id": t.key,
      class: "turn",
      "data-scroll-anchor": "false",
      dir: "auto",
      tabindex: "-1",
    },
    h(t.role === "user" ? "h5" : "h6", { class: "sr-only" }, heads[t.role]),
  );
  return {
    root: h("div", { "data-turn-id-container": t.key, "data-is-intersecting": "true" }, inside),
    inside,
  };
}

function messageNode(family, role, id) {
  const plain = family === "li" || family === "b";
  return h("div", {
    class: `message text-message ${role}`,
    dir: "auto",
    "data-message-author-role": plain ? null : role,
    "data-message-id": plain ? null : id,
    "data-turn-start-message": !plain && role === "assistant" ? "true" : null,
  });
}

/** shell is what stays of a turn that is not mounted. */
export function shell(key) {
  return h("div", {
    "data-turn-id-container": key,
    "data-is-intersecting": "false",
    class: "shell",
    style: "--last-known-height: 24px",
  });
}

export class TurnView {
  constructor(t, markup, acts) {
    this.family = markup.family;
    this.code = markup.code;
    this.acts = acts;
    const { root, inside } = frames[this.family](t);
    this.root = root;
    this.inside = inside;
    this.message = messageNode(this.family, t.role, t.id);
    this.root.addEventListener("copy-code", (e) => this.copy(e.detail, true));
    if (t.role === "user") this.startUser(t);
    else this.startAnswer(t);
  }

  startUser(t) {
    const bubble = h("div", {
      class: "user-message-bubble-color",
      "data-user-message-bubble": this.family === "b" ? "" : null,
    });
    this.content = h("div", { class: t.html ? "user-html" : "whitespace-pre-wrap" });
    this.html = t.html ? new Markdown(this.content, this.code) : null;
    bubble.append(this.content);
    this.message.append(bubble);
    if (t.notice)
      this.message.append(h("div", { class: "notice" }, "Some content was shortened for display."));
    this.inside.append(
      this.message,
      h(
        "div",
        { class: "bar" },
        icon("Copy", {
          "data-testid": "copy-turn-action-button",
          onclick: () => this.copy(this.turn.text),
        }),
        icon("Edit message", {}),
      ),
    );
  }

  startAnswer(t) {
    this.before = h("div", { class: "before" });
    this.body = h("div", {
      class: "markdown prose dark:prose-invert w-full break-words",
      "data-markdown-text-style": this.family === "b" ? "assistant-message" : null,
    });
    this.after = h("div", { class: "after" });
    this.markdown = new Markdown(this.body, this.code);
    this.message.append(this.body);
    this.inside.append(this.before, this.message, this.after);
    this.slots = {
      nested: new Slot(this.before, (ids) => this.nested(ids)),
      preamble: new Slot(this.before, (text) => this.preamble(text, t.id)),
      status: new Slot(this.before, (s) => status(s)),
      now: new Slot(this.before, () => answerNow()),
      choice: new Slot(this.after, (c) => this.choice(c)),
      error: new Slot(this.after, (text) => failure(text)),
      more: new Slot(this.after, () =>
        h("button", { type: "button", class: "btn-neutral" }, "Continue generating"),
      ),
      bar: new Slot(this.after, () => this.bar()),
    };
  }

  show(t) {
    this.turn = t;
    if (this.inside.hasAttribute("data-testid"))
      this.inside.setAttribute("data-testid", `conversation-turn-${t.n}`);
    if (t.role === "user") this.showUser(t);
    else this.showAnswer(t);
  }

  showUser(t) {
    if (this.html) this.html.show(t.text);
    else if (this.content.textContent !== t.text) this.content.textContent = t.text;
  }

  showAnswer(t) {
    if (t.model && !this.inside.matches("li,[data-turn-key]"))
      this.message.setAttribute("data-message-model-slug", t.model);
    this.markdown.show(t.text);
    const thinking = t.state === "thinking";
    this.slots.nested.show(t.nested ?? null);
    this.slots.preamble.show(t.preamble || null);
    this.slots.status.show(statusOf(t, thinking));
    this.slots.now.show(t.now || null);
    this.slots.choice.show(t.other ? { other: t.other, open: Boolean(t.choose) } : null);
    this.slots.error.show(t.error || null);
    this.slots.more.show(t.more || null);
    this.slots.bar.show(t.bar || null);
    this.orderBefore();
  }

  /** orderBefore keeps nested messages and commentary before the status, whatever came first. */
  orderBefore() {
    const { nested, preamble, status: mark, now } = this.slots;
    place(
      this.before,
      [nested, preamble, mark, now].map((slot) => slot.node).filter((node) => node),
    );
  }

  nested(ids) {
    const notes = ids.map((id, i) => {
      const node = messageNode(this.family, "assistant", id);
      node.append(
        h(
          "div",
          { class: "markdown prose" },
          h("p", {}, i ? "Tool result received." : "Calling a tool."),
        ),
      );
      return node;
    });
    return h("div", { class: "nested" }, ...notes);
  }

  preamble(text, id) {
    const node = messageNode(this.family, "assistant", `${id}-preamble`);
    const body = h("div", { class: "markdown prose" });
    new Markdown(body, this.code).show(text);
    node.append(body);
    return node;
  }

  /** choice is the second response beside the first, and the question which one is better. */
  choice({ other, open }) {
    const body = h("div", { class: "markdown prose" });
    new Markdown(body, this.code).show(other);
    const prefer = (which) =>
      h(
        "button",
        {
          type: "button",
          "data-testid": "paragen-prefer-response-button",
          onclick: () => this.acts({ choose: this.turn.id, which }),
        },
        "I prefer this response",
      );
    if (!open) return h("div", { class: "paragen-chosen" });
    return h(
      "div",
      { "data-paragen-root": "true" },
      h("h3", { "data-testid": "paragen-feedback-title" }, "Which response do you prefer?"),
      prefer(1),
      h("div", { class: "paragen-other" }, body),
      prefer(2),
    );
  }

  bar() {
    const stay = (label, id) => icon(label, { "data-testid": id });
    return h(
      "div",
      { class: "bar", role: "group", "aria-label": "Response actions" },
      icon("Copy", {
        "data-testid": "copy-turn-action-button",
        onclick: () => this.copy(this.turn.text),
      }),
      stay("Good response", "good-response-turn-action-button"),
      stay("Bad response", "bad-response-turn-action-button"),
      stay("Read aloud", "voice-play-turn-action-button"),
      stay("Share", null),
      stay("Switch model", null),
    );
  }

  /** copy writes a text to the clipboard, or what the switches of the site make of it. */
  copy(text, code) {
    if (this.turn.copy === "broken") return;
    if (this.turn.copy === "stale")
      writeClipboard(code ? firstCode(this.turn.stale ?? "") : (this.turn.stale ?? ""));
    else writeClipboard(text);
  }
}

const firstCode = (text) => blocks(linesOf(text)).find((b) => b.kind === "code")?.text ?? text;

/** statusOf is what stands before the answer: thinking now, or how long it took. */
function statusOf(t, thinking) {
  if (thinking) return { status: "thinking", label: "Thinking" };
  if (t.state === "stopped" && !t.text) return { status: "stopped", label: "Stopped thinking" };
  if (t.thought) return { status: "complete", label: `Thought for ${t.thought}s` };
  return t.preamble ? { status: "complete", label: "Thought for a moment" } : null;
}

function status({ status: value, label }) {
  const thinking = value === "thinking";
  return h(
    "div",
    { class: "status", "data-streaming-response-status": value },
    thinking
      ? h("span", { class: "loading-shimmer", "aria-busy": "true" }, label)
      : h("button", { type: "button", class: "thought", "aria-expanded": "false" }, label),
  );
}

function answerNow() {
  return h(
    "form",
    { class: "answer-now", onsubmit: (e) => e.preventDefault() },
    h("button", { type: "submit" }, "Answer now"),
  );
}

function failure(text) {
  return h(
    "div",
    { class: "failure" },
    h("div", { class: "text-token-text-error" }, text),
    h("button", { type: "button", "data-testid": "regenerate-thread-error-button" }, "Retry"),
  );
}
