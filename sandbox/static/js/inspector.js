// The inspector: the bot's recent requests, their answers, and the rules they broke.

import { el, fill, tool } from "./dom.js";
import { ICONS } from "./icons.js";

const MAX_RECORDS = 200;

/** A panel fed with request records `{ at, method, path, status, ms, body, violations }`. */
export class Inspector {
  constructor(app) {
    this.app = app;
    this.records = [];
    this.faultsOnly = false;
    this.list = el("ol.requests", { aria: { label: "Requests of the bot, newest first" } });
    this.summary = el("span.inspector-summary");
    this.node = el(
      "aside.inspector",
      { hidden: true, aria: { label: "Inspector" } },
      el(
        "header",
        null,
        el("h2", null, "Inspector"),
        this.summary,
        el("span.spacer"),
        el(
          "label.choice",
          null,
          el("input", {
            type: "checkbox",
            onchange: (event) => {
              this.faultsOnly = event.target.checked;
              this.draw();
            },
          }),
          el("span", null, "Refused only"),
        ),
        tool("Close the inspector", ICONS.close, () => this.toggle(false)),
      ),
      this.list,
    );
  }

  /** Open or close; the server sends records only while it is open. */
  async toggle(show = this.node.hidden) {
    this.node.hidden = !show;
    document.body.classList.toggle("inspecting", show);
    await this.subscribe();
  }

  /** Tell the server whether to send records; repeated after a reconnection. */
  async subscribe() {
    const records = await this.app.socket.ask("inspect", { on: !this.node.hidden }).catch(() => []);
    this.records = records ?? [];
    this.draw();
  }

  add(record) {
    this.records.push(record);
    if (this.records.length > MAX_RECORDS) this.records.shift();
    if (!this.faultsOnly || isFault(record)) this.list.prepend(drawRecord(record));
    while (this.list.children.length > MAX_RECORDS) this.list.lastElementChild.remove();
    this.#count();
  }

  draw() {
    fill(
      this.list,
      this.records
        .filter((record) => !this.faultsOnly || isFault(record))
        .reverse()
        .map(drawRecord),
    );
    this.#count();
  }

  #count() {
    const faults = this.records.filter((record) => record.violations?.length).length;
    this.summary.textContent = `${this.records.length} requests${faults ? `, ${faults} against the rules` : ", all within the rules"}`;
    this.summary.classList.toggle("bad", faults > 0);
  }
}

const isFault = (record) => record.status >= 400 || record.violations?.length > 0;

function drawRecord(record) {
  const row = el(
    `details.request${isFault(record) ? ".bad" : ""}`,
    null,
    el(
      "summary",
      null,
      el("span.method", null, record.method),
      el("span.path", { title: record.path }, record.path),
      el("span.status", null, record.status ?? "…"),
      el("span.took", null, record.ms === undefined || record.ms === null ? "" : `${record.ms.toFixed(1)} ms`),
    ),
    record.violations?.map((violation) => el("p.violation", null, violation)),
  );
  // Bodies can be long, so they are rendered only when opened.
  row.addEventListener("toggle", () => {
    if (row.open && record.body !== undefined && record.body !== null && !row.querySelector("pre"))
      row.append(el("pre", null, JSON.stringify(record.body, null, 2)));
  });
  return el("li", null, row);
}
