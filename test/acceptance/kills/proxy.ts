import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Where a kill falls in the request that it is for. */
export const MOMENTS = ["before the send", "between send and answer", "between answer and save"] as const;
export type Moment = (typeof MOMENTS)[number];

/** A kill at the first write that comes once so many requests were seen. */
export interface Kill {
  readonly at: number;
  /** What else has to be true of the write, given as `POST /path`; any where left out. */
  readonly write?: RegExp;
  readonly moment: Moment;
}

/** What befalls a request on its way, where anything does. */
export type Mishap =
  | "cut"
  | "cut after the work"
  | `${number}`
  | `${number} after the work`
  /** Done only once the next write was done. */
  | "504 before the work";

/** A write that the service answered. */
export interface DoneWrite {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly body: string;
  readonly status: number;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Stands between `steward` and the service, counts what passes, and ends the run at a request. */
export class KillingProxy {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((incoming, outgoing) => {
    this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  readonly #target: string;
  #kill: { readonly planned: Kill; readonly act: () => void } | undefined;
  #isDue = false;
  #onNext: (() => void) | undefined;
  #late: (() => Promise<unknown>) | undefined;
  /** How many requests were seen, and which of them was the last write. */
  seen = 0;
  lastWrite = 0;
  /** Called at the first write, which waits for it, with what that is for. */
  atFirstWrite: ((path: string) => Promise<unknown>) | undefined;
  /** Tells of each request what befalls it. */
  mishap: (isWrite: boolean, path: string) => Mishap | undefined = () => undefined;
  /** The writes of this run, as `POST /path`. */
  writes: string[] = [];
  /** What the service did of all runs, in this order. */
  readonly done: DoneWrite[] = [];

  constructor(target: string) {
    this.#target = target;
  }

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Counts anew, for another run. */
  begin(kill?: { readonly planned: Kill; readonly act: () => void }): void {
    this.#kill = kill;
    this.#isDue = false;
    this.#onNext = undefined;
    this.seen = 0;
    this.lastWrite = 0;
    this.writes = [];
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.seen++;
    const isWrite = incoming.method !== "GET";
    if (isWrite) {
      this.lastWrite = this.seen;
      this.writes.push(`${incoming.method} ${incoming.url}`);
    }
    if (isWrite && this.atFirstWrite !== undefined) {
      const meanwhile = this.atFirstWrite;
      this.atFirstWrite = undefined;
      await meanwhile(incoming.url!);
    }
    // Who sends the next request has dealt with the answer to the one before.
    this.#onNext?.();
    const moment = isWrite ? this.#momentNow(this.writes.at(-1)!) : undefined;
    if (moment === "before the send") return this.#strike();
    const mishap = this.mishap(isWrite, incoming.url!);
    if (mishap === "cut") return void incoming.socket.destroy();
    if (mishap === "504 before the work") {
      const body = await bytesOf(incoming);
      this.#late = () => this.#forward(incoming, body);
      return refuse(outgoing, 504);
    }
    if (mishap !== undefined && !mishap.endsWith("after the work")) return refuse(outgoing, Number(mishap));
    const answer = await this.#forward(incoming);
    if (isWrite) await this.#doLate();
    if (moment === "between send and answer") return this.#strike();
    if (mishap === "cut after the work") return void incoming.socket.destroy();
    if (mishap !== undefined) return refuse(outgoing, Number.parseInt(mishap, 10));
    const act = this.#kill?.act;
    outgoing.writeHead(answer.status, answer.headers).end(answer.body, () => {
      if (moment !== undefined) this.#onNext = act;
    });
  }

  /** The moment of the kill that is due, once. */
  #momentNow(write: string): Moment | undefined {
    if (this.#kill === undefined || this.#isDue || this.seen < this.#kill.planned.at) return undefined;
    if (this.#kill.planned.write?.test(write) === false) return undefined;
    this.#isDue = true;
    return this.#kill.planned.moment;
  }

  #strike(): void {
    this.#kill?.act();
  }

  async #doLate(): Promise<void> {
    const late = this.#late;
    this.#late = undefined;
    await late?.();
  }

  async #forward(incoming: IncomingMessage, read?: Buffer): Promise<Answer> {
    const body = read ?? (await bytesOf(incoming));
    const { method = "", url = "" } = incoming;
    const onward = request(new URL(url, this.#target), {
      method,
      headers: incoming.headers,
      agent: this.#agent,
    });
    onward.end(body);
    const [answer] = (await once(onward, "response")) as [IncomingMessage];
    const status = answer.statusCode!;
    if (method !== "GET") this.done.push({ method, url, body: body.toString(), status });
    return { status, headers: answer.headers, body: await bytesOf(answer) };
  }
}

function refuse(outgoing: ServerResponse, status: number): void {
  const headers = { "content-type": "application/json", ...(status === 429 && { "retry-after": "0" }) };
  outgoing.writeHead(status, headers).end(JSON.stringify({ message: `${status} on the way` }));
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
