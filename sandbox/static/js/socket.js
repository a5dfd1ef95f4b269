// The page's one WebSocket: numbered requests with replies, and pushed messages. It reconnects by itself.

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 4000;

/** Connection to the sandbox; `onPush(message)` gets pushed messages, `onState(up)` the connection state. */
export class Socket {
  constructor({ onPush, onState }) {
    this.onPush = onPush;
    this.onState = onState;
    this.waiting = new Map();
    this.number = 0;
    this.delay = FIRST_DELAY_MS;
  }

  /** Connect now, and again whenever the connection is lost. */
  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/page/ws`);
    this.socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    this.socket.addEventListener("open", () => {
      this.delay = FIRST_DELAY_MS;
      this.onState(true);
    });
    this.socket.addEventListener("close", () => {
      this.#giveUpWaiting();
      this.onState(false);
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(this.delay * 2, MAX_DELAY_MS);
    });
  }

  /** Send a request; resolves with the reply's data or rejects with the reason. */
  ask(op, body = {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error("The sandbox is not connected."));
    this.number += 1;
    const n = this.number;
    this.socket.send(JSON.stringify({ ...body, op, n }));
    return new Promise((resolve, reject) => this.waiting.set(n, { resolve, reject }));
  }

  #receive(message) {
    if (message.op !== "reply") {
      this.onPush(message);
      return;
    }
    const waiting = this.waiting.get(message.n);
    this.waiting.delete(message.n);
    if (message.ok) waiting?.resolve(message.data);
    else waiting?.reject(new Error(message.error));
  }

  #giveUpWaiting() {
    for (const { reject } of this.waiting.values()) reject(new Error("The connection was lost."));
    this.waiting.clear();
  }
}
