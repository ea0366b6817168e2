"use strict";
// The page of a report. Everything that comes from a history is written with textContent, so no
// text of it can become markup. Nothing is loaded and nothing is stored.
(() => {
const byId = (id) => document.getElementById(id);
const json = (id) => JSON.parse(byId(id).textContent);
const entries = json("entries");
const actions = json("actions");

// make is one element: its class, its text or its children.
function make(tag, cls, ...inside) {
  const el = document.createElement(tag);
  if (cls) el.className = cls;
  for (const x of inside) if (x !== null && x !== undefined && x !== "") el.append(x);
  return el;
}
function link(href, text, cls) {
  const a = make("a", cls, text);
  a.setAttribute("href", href);
  return a;
}
function seconds(ns) {
  const s = ns / 1e9;
  if (s < 120) return s.toFixed(2) + " s";
  const whole = Math.floor(s);
  const two = (n) => String(n).padStart(2, "0");
  return Math.floor(whole / 3600) + ":" + two(Math.floor(whole / 60) % 60) + ":" + two(whole % 60);
}
// short leaves the beginning of an id that no person reads.
const short = (s) => s.replace(
  /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "$1");
const many = (n, one) => n + " " + one + (n === 1 ? "" : "s");
const terms = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

// List shows any number of lines of one height; only those in sight are in the document.
class List {
  constructor(box, draw, open) {
    this.box = box; this.draw = draw; this.open = open;
    this.count = 0; this.at = 0; this.due = false; this.shown = "";
    this.space = make("div", "space");
    box.append(this.space);
    box.addEventListener("scroll", () => this.later(), {passive: true});
    box.addEventListener("keydown", (e) => this.key(e));
    box.addEventListener("click", (e) => {
      const row = e.target.closest("[data-i]");
      if (row && !e.target.closest("a")) this.choose(+row.dataset.i, true);
    });
    new ResizeObserver(() => { this.measure(); this.shown = ""; this.later(); }).observe(box);
    this.measure();
  }
  measure() {
    this.height = parseFloat(getComputedStyle(this.box).getPropertyValue("--line")) || 28;
  }
  set(count, at) {
    this.count = count; this.at = Math.max(0, Math.min(at, count - 1)); this.shown = "";
    this.measure();
    this.box.classList.toggle("few", count * this.height < 300);
    this.paint();
  }
  later() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => { this.due = false; this.paint(); });
  }
  paint() {
    const h = this.height, room = Math.max(this.box.clientHeight, 300);
    const first = Math.max(0, Math.floor(this.box.scrollTop / h) - 10);
    const last = Math.min(this.count, Math.ceil((this.box.scrollTop + room) / h) + 10);
    const key = first + " " + last + " " + this.at + " " + h;
    if (key === this.shown) return;
    this.shown = key;
    this.space.style.height = this.count * h + "px";
    const rows = [];
    for (let i = first; i < last; i++) {
      const row = this.draw(i);
      row.dataset.i = i;
      row.id = this.box.id + "-" + i;
      row.setAttribute("role", "option");
      row.setAttribute("aria-posinset", i + 1);
      row.setAttribute("aria-setsize", this.count);
      row.setAttribute("aria-selected", i === this.at);
      row.style.top = i * h + "px";
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
    if (this.count) this.box.setAttribute("aria-activedescendant", this.box.id + "-" + this.at);
    else this.box.removeAttribute("aria-activedescendant");
  }
  choose(i, open) {
    if (!this.count) return;
    this.at = Math.max(0, Math.min(i, this.count - 1));
    const top = this.at * this.height, room = this.box.clientHeight;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + this.height > this.box.scrollTop + room)
      this.box.scrollTop = top + this.height - room;
    this.paint();
    if (open) this.open(this.at);
  }
  key(e) {
    if (e.target !== this.box || e.ctrlKey || e.metaKey || e.altKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
    const to = {
      ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page,
      PageUp: this.at - page, Home: 0, End: this.count - 1,
    }[e.key];
    if (to !== undefined) this.choose(to, this.follows);
    else if (e.key === "Enter") this.open(this.at);
    else return;
    e.preventDefault();
  }
}

// ---- the list of runs

const hay = entries.map((e) => [
  e.name, e.feature, e.place, e.engine, e.status, e.error, e.step, e.seed, ...e.tags, ...e.faults,
  ...e.broken, ...e.rows.map((n) => "row-" + n),
].join("\n").toLowerCase());
const order = {failed: 0, unknown: 1, aborted: 2, passed: 3};
const rank = (e) => order[e.status] ?? 1;
let found = [];

const runs = new List(byId("runs"), (i) => {
  const e = entries[found[i]];
  const name = link("#run-" + e.n, e.name, "name");
  name.tabIndex = -1; // Enter on the list opens it
  return make("div", "line", make("span", "word " + e.status, e.status), name,
    make("span", "quiet", e.place + " · " + e.engine + " · " + many(e.events, "event") +
      (e.rows.length ? " · row " + e.rows.join(", ") : "") +
      (e.broken.length ? " · broke " + e.broken.join(", ") : "")));
}, (i) => { location.hash = "#run-" + entries[found[i]].n; });

function filterRuns() {
  const words = terms(byId("query").value);
  const status = byId("status").value, engine = byId("engine").value, row = byId("row").value;
  found = entries.map((_, i) => i).filter((i) => {
    const e = entries[i];
    return (!status || e.status === status) && (!engine || e.engine === engine) &&
      (!row || e.rows.includes(+row)) && words.every((w) => hay[i].includes(w));
  }).sort((a, b) => rank(entries[a]) - rank(entries[b]) || a - b);
  byId("found").textContent = many(found.length, "run");
  byId("runs").scrollTop = 0;
  runs.set(found.length, 0);
}

// ---- one run

let open = null; // the run that is shown

// Trace is the events of a run, packed: nine numbers each.
class Trace {
  constructor(data) {
    this.d = data; this.v = data.events; this.count = this.v.length / 9;
    this.low = data.texts.map((s) => s.toLowerCase());
  }
  at(i) { return this.v[i * 9]; }
  lane(i) { return this.v[i * 9 + 1]; }
  round(i) { return this.v[i * 9 + 2]; }
  text(i, k) { return this.d.texts[this.v[i * 9 + 3 + k]]; } // kind op key text body digest
  kind(i) { return this.text(i, 0); }
  said(i) {
    const round = this.round(i) ? "r" + this.round(i) : "";
    return [this.kind(i), this.text(i, 2), this.text(i, 1), round, this.text(i, 3)]
      .filter(Boolean).map(short).join(" ");
  }
  // has tells whether every word stands somewhere in the event.
  has(i, words) {
    const lane = this.d.lanes[this.lane(i)];
    return words.every((w) => {
      if (lane.includes(w)) return true;
      for (let k = 3; k < 9; k++) if (this.low[this.v[i * 9 + k]].includes(w)) return true;
      return false;
    });
  }
}

const eventHash = (n, seq) => "#run-" + n + "-event-" + seq;
const eventLink = (n, seq) => link(eventHash(n, seq), "event " + seq, "to-event");

function section(title, ...inside) {
  return make("section", "part", make("h3", "", title), ...inside);
}
// PORTION is how many lines are put into the document at once where each has its own height.
const PORTION = 100;

// portions fills a box with what draw makes of each item, a portion at a time.
function portions(box, items, draw) {
  let next = 0;
  const more = make("button", "more");
  more.type = "button";
  const whole = make("div", "", box, more);
  const add = () => {
    const end = Math.min(items.length, next + PORTION);
    while (next < end) box.append(...[draw(items[next++])].flat());
    more.hidden = next >= items.length;
    const left = Math.min(PORTION, items.length - next);
    more.textContent = "show " + left + " more of " + items.length;
  };
  more.addEventListener("click", add);
  add();
  return whole;
}
function table(heads, items, cells) {
  const tr = make("tr");
  for (const h of heads) {
    const th = make("th", "", h);
    th.scope = "col";
    tr.append(th);
  }
  const body = make("tbody");
  const rows = portions(body, items,
    (x) => make("tr", "", ...cells(x).map((c) => make("td", "", c))));
  const more = rows.lastChild;
  return make("div", "wide", make("table", "", make("thead", "", tr), body), more);
}

function head(e, d) {
  const facts = make("dl", "facts");
  const fact = (k, v, code) => {
    if (v) facts.append(make("dt", "", k), make("dd", "", code ? make("code", "", v) : v));
  };
  fact("scenario", e.feature ? e.feature + " — " + e.place : e.place);
  fact("engine", e.engine + ", seed " + e.seed);
  fact("length", many(e.events, "event") + ", " + seconds(e.world) + " in the world of the run");
  fact("schedule", d.schedule, true);
  fact("tags", e.tags.join(" "));
  fact("repeat", d.repeat, true);
  fact("history", d.history, true);
  fact("sum", d.sum, true);
  fact("made with", d.host);
  const title = make("h2", "", make("span", "word " + e.status, e.status), " ", e.name);
  title.id = "run-title";
  title.tabIndex = -1;
  return [make("p", "back", link("#runs", "← all runs")), title, facts];
}

function why(e, d) {
  const inside = [];
  if (e.step) inside.push(make("p", "", "This sentence of the scenario does not hold: ",
    make("b", "", e.step)));
  if (e.error) inside.push(make("pre", "error", e.error));
  for (const m of d.missed) inside.push(make("p", "bad", "This fault never struck: " + m));
  if (d.unjudged) inside.push(make("p", "note", d.unjudged));
  const broken = d.promises.filter((p) => p.status !== "pass");
  for (const p of broken) {
    inside.push(make("div", "promise " + p.status,
      make("p", "", make("span", "word " + (p.status === "fail" ? "failed" : "unknown"),
        p.status === "fail" ? "broken" : "unknown"), " ", make("b", "", p.name), ": ", p.promise),
      make("p", "", p.message + " ", ...p.seqs.flatMap((s) => [eventLink(e.n, s), " "]))));
  }
  const kept = d.promises.filter((p) => p.status === "pass");
  if (kept.length) {
    inside.push(make("details", "", make("summary", "", many(kept.length, "promise") + " kept"),
      make("ul", "", ...kept.map((p) => make("li", "", make("b", "", p.name), ": ", p.promise)))));
  }
  return section(e.status === "passed" ? "What it proves" : "Why it is not passed", ...inside);
}

function faultTable(e, d) {
  if (!d.spans.length) return null;
  const stage = (s) => s ? eventLink(e.n, s) : make("span", "quiet", "never");
  return section("Faults", table(["fault", "armed", "reached", "applied", "healed", "evidence"],
    d.spans, (s) => [make("code", "", s.fault), stage(s.armed), stage(s.reached),
      s.missed ? make("span", "", "missed, ", stage(s.missed)) : stage(s.applied),
      s.over ? stage(s.over) : s.stays ? make("span", "", "stays, ", stage(s.stays)) : stage(0),
      s.says]));
}

function decisionTable(e, d) {
  if (!d.decisions.length) return null;
  const rowText = (n) => n ? "row " + n + (actions[n] ? ": " + actions[n].failure : "")
    : "no row fits";
  const heads = ["at", "row", "act", "evidence", "also matched", "the world expected"];
  return section("Decisions", table(heads,
    d.decisions, (x) => [
      eventLink(e.n, x.seq),
      make("span", "", rowText(x.row),
        x.row && actions[x.row] ? make("small", "quiet", " — " + actions[x.row].action) : ""),
      make("b", "", x.act), make("small", "", x.evidence),
      x.also.length ? make("small", "", ...x.also.flatMap((n) => [rowText(n), make("br")]))
        : "nothing",
      make("span", x.why && x.row && x.expected !== x.row ? "bad" : "",
        x.why ? rowText(x.expected) : "not said",
        make("small", "quiet", x.why ? " — " + x.why : ""),
        x.false ? make("small", "bad", " The evidence is false: " + x.false) : ""),
    ]));
}

function conversation(e, d, t) {
  if (!d.turns.length) {
    return section("The conversation as the site saw it",
      make("p", "quiet", "The site received nothing."));
  }
  const who = {user: "the site received", site: "the site answered", note: "the site notes"};
  let chat = null;
  const draw = (x) => {
    const i = x.seq - 1, text = t.text(i, 4), digest = t.text(i, 5), out = [];
    if (x.chat !== chat) {
      chat = x.chat;
      out.push(make("h4", "", chat ? "conversation " + short(chat) : "no conversation named"));
    }
    out.push(make("div", "turn " + x.who,
      make("p", "quiet", seconds(t.at(i)) + " · " + who[x.who] + " · ", eventLink(e.n, x.seq)),
      make("p", "say", short(x.say)),
      text ? make("pre", "", text) : digest ? make("p", "quiet",
        "the text was not kept; its digest is " + digest.slice(0, 16)) : ""));
    return out;
  };
  return section("The conversation as the site saw it",
    portions(make("div", "chat"), d.turns, draw));
}

// ---- the timeline

const swim = ["bridge", "cdp", "site", "agent", "store"];
// LANES explains the lanes to somebody who sees them for the first time.
const LANES = "Bridge is what the bridge says of itself, CDP its commands to the browser. Site, " +
  "agent and store are what really arrived, was executed and became durable. World is everything " +
  "else: people, kills, limits. Numbers are rows of the decision table; dashed lines are events " +
  "on which a broken promise rests.";
const HEAD = 20, LANE = 34, SPAN = 26, LABEL = 58;

class Timeline {
  constructor(run) {
    this.run = run; this.t = run.trace; this.byTime = false;
    this.from = 0; this.to = 1; this.due = false; this.mark = new Uint8Array(this.t.count).fill(1);
    this.end = Math.max(1, this.t.count ? this.t.at(this.t.count - 1) : 1);
    this.spans = run.data.spans;
    this.rows = Math.min(this.spans.length, 8);
    this.canvas = make("canvas", "timeline");
    this.canvas.id = "timeline";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "Timeline with the lanes " + swim.join(", ") +
      "; the same events stand in the list below");
    this.canvas.addEventListener("keydown", (e) => this.key(e));
    this.canvas.addEventListener("wheel", (e) => this.wheel(e), {passive: false});
    this.canvas.addEventListener("pointerdown", (e) => this.down(e));
    this.canvas.addEventListener("dblclick", (e) => this.zoom(4, this.unit(e)));
    this.watch = new ResizeObserver(() => this.later());
    this.watch.observe(this.canvas);
    this.height = HEAD + this.rows * SPAN + swim.length * LANE + LANE;
    this.canvas.style.height = this.height + "px";
  }
  // x of an event, 0 to 1 of the whole run.
  place(i) {
    return this.byTime ? this.t.at(i) / this.end : (i + 0.5) / Math.max(1, this.t.count);
  }
  later() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => { this.due = false; this.paint(); });
  }
  view(from, to) {
    const least = this.byTime ? 1e6 / this.end : 8 / Math.max(8, this.t.count);
    const width = Math.min(1, Math.max(least, to - from));
    const begin = Math.min(1 - width, Math.max(0, from + (to - from - width) / 2));
    this.from = begin; this.to = begin + width;
    this.later();
    this.run.viewed();
  }
  // zoom keeps where it is asked for in place: the pointer, else the chosen event, else the middle.
  zoom(by, at) {
    const chosen = this.run.chosen >= 0 ? this.place(this.run.chosen) : -1;
    const inSight = chosen >= this.from && chosen <= this.to;
    const mid = at ?? (inSight ? chosen : (this.from + this.to) / 2);
    const w = (this.to - this.from) / by;
    const part = (mid - this.from) / (this.to - this.from);
    this.view(mid - part * w, mid + (1 - part) * w);
  }
  pan(part) {
    const by = (this.to - this.from) * part;
    const move = Math.max(-this.from, Math.min(1 - this.to, by));
    this.view(this.from + move, this.to + move);
  }
  // show brings an event into sight.
  show(i) {
    const x = this.place(i);
    const far = x - (this.from + this.to) / 2;
    if (x < this.from || x > this.to) this.pan(far / (this.to - this.from));
    this.later();
  }
  unit(e) {
    const box = this.canvas.getBoundingClientRect();
    const x = (e.clientX - box.left - LABEL) / Math.max(1, box.width - LABEL);
    return this.from + Math.max(0, Math.min(1, x)) * (this.to - this.from);
  }
  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "+" || e.key === "=") this.zoom(2);
    else if (e.key === "-") this.zoom(0.5);
    else if (e.key === "0") this.view(0, 1);
    else if (e.key === "ArrowLeft") this.pan(-0.2);
    else if (e.key === "ArrowRight") this.pan(0.2);
    else return;
    e.preventDefault();
  }
  wheel(e) {
    if (e.ctrlKey || e.shiftKey) {
      e.preventDefault();
      if (e.ctrlKey) this.zoom(e.deltaY < 0 ? 1.25 : 0.8, this.unit(e));
      else this.pan((e.deltaY || e.deltaX) > 0 ? 0.1 : -0.1);
    }
  }
  down(e) {
    const start = e.clientX, from = this.from, to = this.to, w = this.canvas.clientWidth - LABEL;
    let moved = false;
    const move = (m) => {
      if (Math.abs(m.clientX - start) > 4) moved = true;
      if (!moved) return;
      const by = Math.max(-from, Math.min(1 - to, (start - m.clientX) / w * (to - from)));
      this.view(from + by, to + by);
    };
    const up = (m) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      if (!moved) this.pick(m);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
  }
  laneY(name) {
    const k = swim.indexOf(name);
    return HEAD + this.rows * SPAN + (k < 0 ? swim.length : k) * LANE;
  }
  // range are the events in sight: [first, behind the last).
  range() {
    const cut = (x) => {
      let lo = 0, hi = this.t.count;
      while (lo < hi) {
        const m = (lo + hi) >> 1;
        if (this.place(m) < x) lo = m + 1; else hi = m;
      }
      return lo;
    };
    return [cut(this.from), Math.min(this.t.count, cut(this.to + 1e-12))];
  }
  pick(e) {
    const box = this.canvas.getBoundingClientRect(), y = e.clientY - box.top, at = this.unit(e);
    const [a, b] = this.range();
    let best = -1, least = Infinity;
    for (let i = a; i < b; i++) {
      if (!this.mark[i]) continue;
      const top = this.laneY(this.run.laneName(i));
      const far = Math.abs(this.place(i) - at) + (y >= top && y < top + LANE ? 0 : 10);
      if (far < least) { least = far; best = i; }
    }
    if (best >= 0) location.hash = eventHash(this.run.entry.n, best + 1);
  }
  paint() {
    const c = this.canvas, css = getComputedStyle(document.documentElement);
    const color = (n) => css.getPropertyValue("--" + n).trim();
    const scale = window.devicePixelRatio || 1, w = c.clientWidth, h = this.height;
    if (!w) return;
    c.width = Math.round(w * scale); c.height = Math.round(h * scale);
    const g = c.getContext("2d");
    g.scale(scale, scale);
    g.font = "12px system-ui, sans-serif";
    g.textBaseline = "middle";
    const inner = w - LABEL;
    const x = (u) => LABEL + (u - this.from) / (this.to - this.from) * inner;
    this.ground(g, w, h, color, x);
    this.paintSpans(g, w, color, x);
    const [a, b] = this.range();
    const last = new Map(), size = b - a > inner ? 2 : b - a > inner / 4 ? 3 : 5;
    for (let i = a; i < b; i++) {
      const name = this.run.laneName(i), px = Math.round(x(this.place(i))), on = this.mark[i];
      const key = name + on;
      if (last.get(key) === px) continue; // one mark a pixel is all that can be seen
      last.set(key, px);
      const y = this.laneY(name);
      g.globalAlpha = on ? 1 : 0.15;
      g.fillStyle = color(swim.includes(name) || name === "fault" ? "lane-" + name : "lane-world");
      const kind = this.t.kind(i);
      if (kind === "failed" || name === "fault" && kind === "applied")
        g.fillStyle = color("failed");
      g.fillRect(px - size / 2, y + 7, size, LANE - 14);
      if (name === "bridge" && kind === "verdict" && on)
        this.flag(g, px, y, this.t.text(i, 2), color);
    }
    g.globalAlpha = 1;
    g.fillStyle = color("failed");
    for (const seq of this.run.cited) {
      const px = x(this.place(seq - 1));
      if (px >= LABEL && px <= w) for (let y = HEAD; y < h; y += 8) g.fillRect(px - 1, y, 2, 4);
    }
    const chosen = this.run.chosen;
    if (chosen >= 0) {
      const px = x(this.place(chosen));
      if (px >= LABEL) {
        g.fillStyle = color("accent");
        g.fillRect(px - 1, HEAD, 2, h - HEAD);
      }
    }
    g.fillStyle = color("ground");
    g.fillRect(0, HEAD, LABEL, h);
    g.fillStyle = color("ink");
    swim.forEach((n) => g.fillText(n === "cdp" ? "CDP" : n, 4, this.laneY(n) + LANE / 2));
    g.fillText("world", 4, this.laneY("") + LANE / 2);
    if (this.rows) g.fillText("faults", 4, HEAD + 8);
  }
  flag(g, px, y, row, color) {
    g.fillStyle = color("accent");
    g.fillText(row === "0" ? "?" : row, px + 4, y + 6);
  }
  ground(g, w, h, color, x) {
    g.fillStyle = color("ground");
    g.fillRect(0, 0, w, h);
    [...swim, ""].forEach((n, k) => {
      g.fillStyle = color(k % 2 ? "ground" : "stripe");
      g.fillRect(LABEL, this.laneY(n), w, LANE);
    });
    g.fillStyle = color("quiet");
    const steps = Math.max(2, Math.floor((w - LABEL) / 110));
    for (let k = 0; k < steps; k++) {
      const u = this.from + (this.to - this.from) * k / steps;
      const text = this.byTime ? seconds(u * this.end)
        : "#" + (Math.floor(u * this.t.count) + 1);
      g.fillText(text, x(u) + 2, HEAD / 2);
      g.globalAlpha = 0.3;
      g.fillRect(x(u), 0, 1, h);
      g.globalAlpha = 1;
    }
  }
  // paintSpans draws a thin line while a fault waits, and a bar while it is there; its name stands
  // above.
  paintSpans(g, w, color, x) {
    const at = (seq, none) => seq ? x(this.place(seq - 1)) : none;
    this.spans.slice(0, this.rows).forEach((s, k) => {
      const y = HEAD + k * SPAN, bar = y + 15, far = x(1);
      const armed = at(s.armed, x(0)), over = at(s.over, far);
      const struck = at(s.applied, s.missed ? at(s.missed, far) : far);
      g.fillStyle = color("quiet");
      g.fillRect(armed, bar + 3, struck - armed, 2);
      if (s.reached) g.fillRect(at(s.reached, 0) - 1, bar, 2, 8);
      if (s.applied) {
        g.fillStyle = color("failed");
        g.fillRect(struck - 1, bar, Math.max(4, over - struck), 8);
      }
      if (s.over) {
        g.fillStyle = color("passed");
        g.fillRect(over, bar, 3, 8);
      }
      g.fillStyle = color("ink");
      g.fillText(short(s.fault).slice(0, 80), LABEL + 4, y + 8, w - LABEL - 8);
    });
  }
  close() { this.watch.disconnect(); }
}

// ---- a run, opened

class Run {
  constructor(entry) {
    this.entry = entry; this.data = json("data-" + entry.n); this.trace = new Trace(this.data);
    this.chosen = -1; this.off = new Set(); this.found = [];
    // cited are the events on which a promise that was not kept rests.
    const broken = this.data.promises.filter((p) => p.status !== "pass");
    this.cited = new Set(broken.flatMap((p) => p.seqs));
    const box = byId("run"), d = this.data, e = entry;
    this.line = new Timeline(this);
    this.list = make("div", "list events");
    this.list.id = "events";
    this.list.tabIndex = 0;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Events: arrow keys move");
    this.detail = make("div", "detail");
    this.detail.id = "detail";
    this.detail.setAttribute("aria-live", "polite");
    const parts = [...head(e, d), why(e, d)];
    if (this.trace.count) {
      this.range = make("p", "quiet range");
      this.count = make("output", "quiet");
      parts.push(section("Timeline", make("p", "quiet", LANES), this.bar(), this.line.canvas,
        this.range), section("Events", this.count, make("div", "two", this.list, this.detail)),
        faultTable(e, d), decisionTable(e, d), conversation(e, d, this.trace));
    } else parts.push(make("p", "note", "The run left no history: it ended before there was one."));
    box.replaceChildren(...parts.filter(Boolean));
    if (!this.trace.count) return;
    this.events = new List(this.list, (i) => this.row(this.found[i]),
      (i) => { location.hash = eventHash(e.n, this.found[i] + 1); });
    this.events.follows = true;
    this.filter();
    this.viewed();
    this.select(-1);
    const first = Math.min(...this.cited) - 1;
    if (first >= 0 && first < this.trace.count) this.events.choose(this.nearest(first), false);
  }
  laneName(i) { return this.data.lanes[this.trace.lane(i)]; }
  bar() {
    const bar = make("form", "bar");
    bar.addEventListener("submit", (e) => e.preventDefault());
    const button = (text, title, act) => {
      const b = make("button", "", text);
      b.type = "button";
      b.title = title;
      b.setAttribute("aria-label", title);
      b.addEventListener("click", act);
      return b;
    };
    this.query = make("input");
    this.query.type = "search";
    this.query.id = "event-query";
    this.query.placeholder = "kind, call, id, text";
    this.query.addEventListener("input", () => this.filter());
    this.query.addEventListener("keydown", (e) => {
      if (e.key === "Enter") this.step(e.shiftKey ? -1 : 1);
    });
    const axis = make("select", "", make("option", "", "order"), make("option", "", "time"));
    axis.id = "axis";
    axis.addEventListener("change", () => {
      this.line.byTime = axis.value === "time";
      this.line.view(0, 1);
    });
    const lanes = make("fieldset", "lanes", make("legend", "", "Lanes"));
    this.data.lanes.forEach((name, k) => {
      if (!k || !this.counted(k)) return;
      const box = make("input");
      box.type = "checkbox";
      box.checked = true;
      box.dataset.lane = name;
      box.addEventListener("change", () => {
        if (box.checked) this.off.delete(k); else this.off.add(k);
        this.filter();
      });
      lanes.append(make("label", "", box, " " + (name === "cdp" ? "CDP" : name)));
    });
    bar.append(make("label", "", "Search ", this.query),
      button("‹", "previous event found", () => this.step(-1)),
      button("›", "next event found", () => this.step(1)),
      button("−", "zoom out", () => this.line.zoom(0.5)),
      button("+", "zoom in", () => this.line.zoom(2)),
      button("all", "show the whole run", () => this.line.view(0, 1)),
      make("label", "", "Axis ", axis), lanes);
    return bar;
  }
  counted(lane) {
    for (let i = 0; i < this.trace.count; i++) if (this.trace.lane(i) === lane) return true;
    return false;
  }
  row(i) {
    const t = this.trace, name = this.laneName(i);
    const bad = t.kind(i) === "failed" || name === "fault";
    return make("div", "line" + (i === this.chosen ? " chosen" : "") +
        (this.cited.has(i + 1) ? " cited" : ""),
      make("span", "seq", String(i + 1)), make("span", "at", seconds(t.at(i))),
      make("span", "lane lane-" + name, name === "cdp" ? "CDP" : name),
      make("span", bad ? "text bad" : "text", t.said(i)));
  }
  filter() {
    const words = terms(this.query.value), found = [];
    for (let i = 0; i < this.trace.count; i++) {
      const on = !this.off.has(this.trace.lane(i)) && (!words.length || this.trace.has(i, words));
      this.line.mark[i] = on ? 1 : 0;
      if (on) found.push(i);
    }
    this.found = found;
    this.count.textContent = found.length === this.trace.count ? many(found.length, "event")
      : found.length + " of " + many(this.trace.count, "event");
    const near = this.chosen < 0 ? 0 : this.nearest(this.chosen);
    this.events.set(found.length, near);
    this.events.choose(near, false);
    this.line.later();
  }
  nearest(i) {
    let lo = 0, hi = this.found.length;
    while (lo < hi) {
      const m = (lo + hi) >> 1;
      if (this.found[m] < i) lo = m + 1; else hi = m;
    }
    return Math.min(lo, this.found.length - 1);
  }
  step(by) {
    if (!this.found.length) return;
    let k = this.chosen < 0 ? (by > 0 ? 0 : this.found.length - 1) : this.nearest(this.chosen);
    if (this.found[k] === this.chosen || by < 0 && this.chosen >= 0) k += by;
    k = (k + this.found.length) % this.found.length;
    location.hash = eventHash(this.entry.n, this.found[k] + 1);
  }
  viewed() {
    const l = this.line, [a, b] = l.range();
    this.range.textContent = b > a ? "events " + (a + 1) + " to " + b + ", " +
      seconds(this.trace.at(a)) + " to " + seconds(this.trace.at(b - 1)) : "no event in sight";
  }
  // select shows one event in the timeline, in the list and in words.
  select(i) {
    this.chosen = i;
    const t = this.trace;
    if (i < 0 || i >= t.count) {
      this.detail.replaceChildren(
        make("p", "quiet", "Choose an event in the timeline or in the list."));
      return;
    }
    const near = this.nearest(i);
    this.events.shown = "";
    if (near >= 0) this.events.choose(near, false);
    this.line.show(i);
    const facts = make("dl", "facts");
    const fact = (k, v) => { if (v) facts.append(make("dt", "", k), make("dd", "", v)); };
    const name = this.laneName(i);
    fact("event", make("span", "", String(i + 1) + " ",
      link(eventHash(this.entry.n, i + 1), "link to it")));
    fact("at", seconds(t.at(i)) + " (" + t.at(i) + " ns)");
    fact("lane", name === "cdp" ? "CDP" : name);
    fact("kind", t.kind(i));
    fact("operation", t.text(i, 1));
    fact("round", t.round(i) ? String(t.round(i)) : "");
    fact("key", t.text(i, 2));
    fact("text", t.text(i, 3));
    fact("digest", t.text(i, 5));
    const body = t.text(i, 4);
    const cited = this.data.promises.filter((p) => p.status !== "pass" && p.seqs.includes(i + 1));
    const hidden = this.found[near] === i ? ""
      : make("p", "note", "The filter hides this event in the list.");
    this.detail.replaceChildren(facts,
      ...cited.map((p) => make("p", "bad", p.name + ": " + p.message)), hidden,
      body ? make("pre", "", body) : "");
  }
  close() { this.line.close(); }
}

// ---- where we are, by the address

function route() {
  let hash = location.hash;
  try { hash = decodeURIComponent(hash); } catch { /* typed by hand: it names nothing */ }
  const run = /^#run-(\d+)(?:-event-(\d+))?$/.exec(hash);
  const entry = run && entries[+run[1] - 1];
  byId("overview").hidden = Boolean(entry);
  byId("run").hidden = !entry;
  if (!entry) {
    if (open) open.close();
    open = null;
    byId("run").replaceChildren();
    listFor(hash);
    return;
  }
  if (!open || open.entry !== entry) {
    if (open) open.close();
    open = new Run(entry);
    scrollTo(0, 0);
    document.title = entry.name;
    if (!run[2]) byId("run-title").focus({preventScroll: true});
  }
  if (run[2] && open.trace.count) {
    open.select(+run[2] - 1);
    const focus = document.activeElement; // who moves through events is left where they are
    if (!open.list.contains(focus) && focus !== open.line.canvas && focus !== open.query)
      byId("timeline").scrollIntoView({block: "nearest"});
  }
}

// listFor sets the filter that an address asks for: #runs/failed, #runs/row-3/chromium.
function listFor(hash) {
  document.title = document.querySelector("h1").textContent;
  if (hash.startsWith("#runs/")) {
    const want = hash.slice(6).split("/");
    byId("query").value = "";
    const row = want.find((w) => /^row-\d+$/.test(w));
    byId("row").value = row ? row.slice(4) : "";
    for (const id of ["status", "engine"]) {
      const box = byId(id), known = [...box.options].map((o) => o.value);
      box.value = want.find((w) => w && known.includes(w)) || "";
    }
    history.replaceState(null, "", "#runs");
  }
  filterRuns();
  if (hash.startsWith("#runs")) byId("runs").focus();
}

for (const id of ["query", "status", "engine", "row"])
  byId(id).addEventListener("input", filterRuns);
byId("filter").addEventListener("submit", (e) => { e.preventDefault(); byId("runs").focus(); });
addEventListener("hashchange", route);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  if (open) open.line.later();
});
addEventListener("keydown", (e) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "Escape") {
    if (typing && e.target.value && e.target.type === "search") return; // it empties the field
    if (open) location.hash = "#runs";
  } else if (typing) return;
  else if (e.key === "/") {
    e.preventDefault();
    (open && open.query || byId("query")).focus();
  } else if (open && (e.key === "j" || e.key === "k")) {
    if (!found.length) filterRuns();
    const k = found.indexOf(open.entry.n - 1) + (e.key === "j" ? 1 : -1);
    if (found[k] !== undefined) location.hash = "#run-" + entries[found[k]].n;
  }
});
filterRuns();
route();
})();
