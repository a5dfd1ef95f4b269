// The page: people at the side, one to four panes, one socket.

import { avatar, displayName, spreadHues } from "./avatar.js";
import { announce, el, icon, reconcile, tool } from "./dom.js";
import { ICONS } from "./icons.js";
import { Inspector } from "./inspector.js";
import { bindKeys, openSheet } from "./keys.js";
import { Pane } from "./pane.js";
import { drawPeople, editForm } from "./people.js";
import { openPicker } from "./picker.js";
import { Socket } from "./socket.js";
import { themeButton } from "./theme.js";
import { startClock } from "./time.js";

const MAX_PANES = 4;

class App {
  constructor() {
    this.people = new Map();
    this.panes = [];
    this.active = null;
    this.expected = new Map();
    this.rail = document.getElementById("people");
    this.stage = document.getElementById("stage");
    this.banner = document.getElementById("banner");
    this.botLine = document.getElementById("bot");
    this.inspector = new Inspector(this);
    this.socket = new Socket({ onPush: (message) => this.#push(message), onState: (up) => this.#state(up) });
    document.getElementById("tools").append(
      tool("Inspector (Alt+I)", ICONS.inspect, () => this.inspector.toggle()),
      themeButton(),
      el(
        "button.tool",
        {
          type: "button",
          title: "Keyboard shortcuts ( ? )",
          aria: { label: "Keyboard shortcuts" },
          onclick: openSheet,
        },
        el("span.glyph", null, "?"),
      ),
    );
    document.getElementById("brand-mark").append(icon(ICONS.feather, "icon brand-feather"));
    document.getElementById("workspace").append(this.inspector.node);
    bindKeys(this);
    startClock();
    this.socket.connect();
  }

  #state(up) {
    this.banner.hidden = up;
    if (!up) announce("The sandbox is not connected. Trying again.");
  }

  #push(message) {
    if (message.op === "hello") this.#hello(message);
    else if (message.op === "people") this.#setPeople(message.people);
    else if (message.op === "event")
      for (const pane of this.panes) if (pane.personId === message.person) pane.view?.receive(message.t, message.d);
    if (message.op === "bot") this.#bot(message);
    if (message.op === "nudge") this.#nudge(message.person);
    if (message.op === "request") this.inspector.add(message.record);
  }

  #bot({ here, user }) {
    this.botLine.classList.toggle("away", !here);
    this.botLine.textContent = here ? `${displayName(user)} is connected` : "No bot is connected";
  }

  async #hello({ people }) {
    this.#setPeople(people);
    if (!this.panes.length) this.#restore();
    this.panes = this.panes.filter((pane) => this.people.has(pane.personId));
    if (!this.panes.length && people.length) this.panes = [new Pane(this, people[0].user.id)];
    this.#layOut();
    for (const pane of this.panes) await pane.load();
    if (!this.inspector.node.hidden) await this.inspector.subscribe();
  }

  #setPeople(list) {
    const nudges = new Map([...this.people].map(([id, person]) => [id, person.nudges]));
    spreadHues(list.map((person) => person.user.id));
    this.people = new Map(
      list.map((person) => [person.user.id, { ...person, nudges: nudges.get(person.user.id) ?? 0 }]),
    );
    this.drawPeople();
    const gone = this.panes.filter((pane) => !this.people.has(pane.personId));
    if (gone.length && gone.length === this.panes.length && list.length) this.#replace(gone[0], list[0].user.id);
    else for (const pane of gone) this.closePane(pane);
    for (const pane of this.panes) if (pane.view && this.people.has(pane.personId)) pane.drawWho();
    for (const [id, run] of this.expected)
      if (this.people.has(id)) {
        this.expected.delete(id);
        run();
      }
  }

  /** Call `run` once a new person is in the list. */
  whenKnown(id, run) {
    if (this.people.has(id)) run();
    else this.expected.set(id, run);
  }

  #nudge(personId) {
    const person = this.people.get(personId);
    if (!person || this.panes.some((pane) => pane.personId === personId)) return;
    person.nudges += 1;
    this.drawPeople();
  }

  drawPeople() {
    drawPeople(this.rail, this);
  }

  /** Show this person in the active pane, in the channel that is open there. */
  become(personId) {
    const shown = this.panes.find((pane) => pane.personId === personId);
    if (shown) {
      this.activate(shown);
      shown.composer?.input.focus();
      return;
    }
    this.#replace(this.active ?? this.panes[0], personId);
  }

  async #replace(old, personId) {
    const pane = new Pane(this, personId, old?.channelId);
    if (old) this.panes[this.panes.indexOf(old)] = pane;
    else this.panes.push(pane);
    this.active = pane;
    await this.#show(pane);
    if (old) this.#unwatch(old.personId);
  }

  /** Show this person in a separate pane beside the others. */
  async beside(personId) {
    if (this.panes.some((pane) => pane.personId === personId)) {
      this.become(personId);
      return;
    }
    if (this.panes.length >= MAX_PANES) {
      this.#replace(this.panes.at(-1), personId);
      return;
    }
    const pane = new Pane(this, personId, this.active?.channelId);
    this.panes.push(pane);
    this.active = pane;
    await this.#show(pane);
  }

  async #show(pane) {
    this.people.get(pane.personId).nudges = 0;
    this.#layOut();
    await pane.load();
    this.activate(pane);
    this.remember();
    announce(`You are ${displayName(this.people.get(pane.personId).user)}`);
    if (matchMedia("(hover: hover)").matches) pane.composer?.input.focus();
  }

  closePane(pane) {
    this.panes = this.panes.filter((one) => one !== pane);
    if (this.active === pane) this.active = this.panes[0];
    this.#layOut();
    this.#unwatch(pane.personId);
    this.remember();
  }

  #unwatch(personId) {
    if (!this.panes.some((pane) => pane.personId === personId))
      this.socket.ask("unwatch", { person: personId }).catch(() => {});
  }

  activate(pane) {
    if (this.active === pane && pane.node.classList.contains("active")) return;
    this.active = pane;
    for (const one of this.panes) {
      one.node.classList.toggle("active", one === pane);
      // Only the active pane is live, so that screen readers announce news once.
      one.timeline?.node.setAttribute("aria-live", one === pane ? "polite" : "off");
    }
    this.drawPeople();
  }

  nextPane(by) {
    const at = this.panes.indexOf(this.active);
    const pane = this.panes[(at + by + this.panes.length) % this.panes.length];
    this.activate(pane);
    pane.composer?.input.focus();
  }

  #layOut() {
    reconcile(
      this.stage,
      this.panes.map((pane) => pane.node),
    );
    this.stage.dataset.panes = this.panes.length;
    this.active = this.panes.includes(this.active) ? this.active : this.panes[0];
    for (const pane of this.panes) {
      pane.node.classList.toggle("active", pane === this.active);
      if (pane.view) pane.drawWho();
    }
    this.drawPeople();
  }

  /** True when two panes fit side by side. */
  wide() {
    return matchMedia("(min-width: 900px)").matches;
  }

  switchMenu(pane, anchor) {
    this.#personMenu(anchor, "Be somebody else", [...this.people.values()], (id) =>
      this.panes.some((one) => one.personId === id) ? this.become(id) : this.#replace(pane, id),
    );
  }

  besideMenu(pane, anchor) {
    const others = [...this.people.values()].filter(
      (person) => !this.panes.some((one) => one.personId === person.user.id),
    );
    if (others.length) this.#personMenu(anchor, "Show beside", others, (id) => this.beside(id));
    else pane.toast("Everybody is on show. Add another person first.");
  }

  #personMenu(anchor, title, people, done) {
    const options = people.map((person) => ({
      value: person.user.id,
      label: displayName(person.user),
      description: person.locale,
      leading: avatar(person.user, "small"),
    }));
    openPicker(anchor, { title, options, searchable: options.length > 8, done: ([id]) => done(id) });
  }

  editPerson(personId, anchor) {
    editForm(this, personId, anchor);
  }

  addPerson() {
    this.rail.querySelector(".person.add")?.click();
  }

  /** Save the open panes, so that they survive a reload. */
  remember() {
    sessionStorage.setItem(
      "panes",
      JSON.stringify(this.panes.map((pane) => ({ person: pane.personId, channel: pane.channelId }))),
    );
  }

  #restore() {
    try {
      const saved = JSON.parse(sessionStorage.getItem("panes") ?? "[]");
      this.panes = saved
        .filter(({ person }) => this.people.has(person))
        .map(({ person, channel }) => new Pane(this, person, channel));
    } catch {
      this.panes = [];
    }
  }
}

// For tests and debugging; the page itself does not use it.
window.sandbox = new App();
