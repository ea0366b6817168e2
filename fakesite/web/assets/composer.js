// The composer: editor, send or stop or voice button, banner. One button stands in one place:
//
//   empty, nothing runs    voice         button[data-testid=composer-speech-button]
//   text, nothing runs     send          button#composer-submit-button[data-testid=send-button]
//   an answer is written   stop          button#composer-submit-button[data-testid=stop-button]
import { Slot, h, icon, place } from "./dom.js";
import { Editor } from "./editor.js";

export class Composer {
  /** onSend gets the text; onStop is the stop button. */
  constructor(markup, onSend, onStop) {
    this.onSend = onSend;
    this.clicks = 0;
    this.view = { send: {} };
    this.editor = new Editor(
      markup.editor,
      "Ask anything",
      () => this.draw(),
      () => this.submit(),
    );
    this.editor.nbsp = markup.nbsp;
    this.send = icon("Send prompt", {
      id: "composer-submit-button",
      "data-testid": "send-button",
      class: "icon submit",
      onclick: () => this.click(),
    });
    this.stop = icon("Stop streaming", {
      id: "composer-submit-button",
      "data-testid": "stop-button",
      class: "icon submit stop",
      onclick: onStop,
    });
    this.voice = icon("Start voice mode", {
      "data-testid": "composer-speech-button",
      class: "icon submit voice",
    });
    this.trailing = h("div", { class: "trailing", "data-testid": "composer-trailing-actions" });
    this.banners = h("div", { class: "banners" });
    this.banner = new Slot(this.banners, (kind) => banner(kind));
    this.form = h(
      "form",
      { class: "composer", "data-type": "unified-composer", onsubmit: (e) => this.submitted(e) },
      this.editor.node,
      h(
        "div",
        { class: "tools" },
        icon("Add files and more", { "data-testid": "composer-plus-btn", id: "composer-plus-btn" }),
        h(
          "button",
          { type: "button", class: "__composer-pill", "aria-label": "Thinking effort" },
          "Extended",
        ),
        this.trailing,
      ),
    );
    this.node = h("div", { class: "composer-area" }, this.banners, this.form);
    this.draw();
  }

  get text() {
    return this.editor.text;
  }

  show(view) {
    this.view = view;
    this.banner.show(view.banner || null);
    this.editor.refuse(view.banner === "cap");
    this.draw();
  }

  draw() {
    const empty = this.text.trim() === "";
    if (!this.send) return; // the editor draws itself before the buttons exist
    this.send.disabled = Boolean(this.view.send.disabled);
    place(this.trailing, [this.view.stop ? this.stop : empty ? this.voice : this.send]);
  }

  click() {
    this.clicks++;
    if (this.clicks > (this.view.send.noop ?? 0)) this.submit();
  }

  submitted(event) {
    event.preventDefault();
    this.submit();
  }

  submit() {
    if (this.text.trim() === "" || this.view.stop || this.view.send.disabled) return;
    this.onSend(this.text);
  }

  clear() {
    this.editor.set("");
  }

  /** restore puts a draft of the server before what stands there. */
  restore(draft) {
    this.editor.set(this.text === "" ? draft : draft + this.text);
  }
}

const banners = {
  cap: ["alert", "You've hit your usage limit. Try again after 3:00 PM."],
  downgrade: [
    "status",
    "You've hit the Free plan limit for GPT-5.5. Responses will use another model until your " +
      "limit resets after 3:00 PM.",
  ],
};

function banner(kind) {
  const [role, text] = banners[kind];
  return h("div", { class: "banner", role }, text);
}
