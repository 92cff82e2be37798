import { type Answer, HttpProxy, type Passage } from "../../support/http-proxy";

/** The moments within a request at which a run can be killed. */
export const MOMENTS = ["before the send", "between send and answer", "between answer and save"] as const;
export type Moment = (typeof MOMENTS)[number];

/** A planned kill of a run. The kill happens at the first write that is not before the `at`th request. */
export interface Kill {
  readonly at: number;
  /** Matches the writes at which the kill may happen, as `POST /path`. Undefined if the kill may happen at every write. */
  readonly write?: RegExp;
  readonly moment: Moment;
}

/** A fault that the proxy can cause for a request. */
export type Mishap =
  | "cut"
  | "cut after the work"
  | `${number}`
  | `${number} after the work`
  /** The client gets a 504. The service executes this write only after it has executed the next write. */
  | "504 before the work";

/** A write to which the service has responded. */
export interface DoneWrite {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly body: string;
  readonly status: number;
}

/** A proxy between `steward` and the service. The proxy counts requests, and ends the run at the planned request. */
export class KillingProxy {
  readonly #proxy: HttpProxy;
  #kill: { readonly planned: Kill; readonly act: () => void } | undefined;
  #isDue = false;
  #onNext: (() => void) | undefined;
  #late: (() => Promise<unknown>) | undefined;
  /** `seen` is the number of requests since the run began; `lastWrite` is the number of the last write. */
  seen = 0;
  lastWrite = 0;
  /** Called once, before the first write, with the path of the write. The write waits until the promise resolves. */
  atFirstWrite: ((path: string) => Promise<unknown>) | undefined;
  /** Returns the fault of a request. The proxy calls this function for each request. */
  mishap: (isWrite: boolean, path: string) => Mishap | undefined = () => undefined;
  /** The writes of this run, as `POST /path`. */
  writes: string[] = [];
  /** The executed writes of all runs, in order. */
  readonly done: DoneWrite[] = [];

  constructor(target: string) {
    this.#proxy = new HttpProxy(target, (passage) => this.#pass(passage));
  }

  start(): Promise<string> {
    return this.#proxy.start();
  }

  /** Counts the requests of the next run from zero. */
  begin(kill?: { readonly planned: Kill; readonly act: () => void }): void {
    this.#kill = kill;
    this.#isDue = false;
    this.#onNext = undefined;
    this.seen = 0;
    this.lastWrite = 0;
    this.writes = [];
  }

  close(): void {
    this.#proxy.close();
  }

  async #pass(passage: Passage): Promise<void> {
    const { isWrite, method, url } = passage;
    this.seen++;
    if (isWrite) {
      this.lastWrite = this.seen;
      this.writes.push(`${method} ${url}`);
    }
    if (isWrite && this.atFirstWrite !== undefined) {
      const meanwhile = this.atFirstWrite;
      this.atFirstWrite = undefined;
      await meanwhile(url);
    }
    // The kill between the response and the save happens now: when a client sends its next request, it has handled the
    // previous response.
    this.#onNext?.();
    const moment = isWrite ? this.#momentNow(this.writes.at(-1)!) : undefined;
    if (moment === "before the send") return this.#strike();
    const mishap = this.mishap(isWrite, url);
    if (mishap === "cut") return passage.cut();
    if (mishap === "504 before the work") {
      await passage.body();
      this.#late = () => this.#forward(passage);
      return refuse(passage, 504);
    }
    if (mishap !== undefined && !mishap.endsWith("after the work")) return refuse(passage, Number(mishap));
    const answer = await this.#forward(passage);
    if (isWrite) await this.#doLate();
    if (moment === "between send and answer") return this.#strike();
    if (mishap === "cut after the work") return passage.cut();
    if (mishap !== undefined) return refuse(passage, Number.parseInt(mishap, 10));
    const act = this.#kill?.act;
    passage.answer(answer, () => {
      if (moment !== undefined) this.#onNext = act;
    });
  }

  /** Returns the moment of the kill; undefined if the kill is not due. A planned kill happens only once. */
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

  async #forward(passage: Passage): Promise<Answer> {
    const { isWrite, method, url } = passage;
    const answer = await passage.forward();
    const body = await passage.body();
    if (isWrite) this.done.push({ method, url, body: body.toString(), status: answer.status });
    return answer;
  }
}

const refuse = (passage: Passage, status: number): void =>
  passage.refuse(status, `${status} on the way`, status === 429 ? { "retry-after": "0" } : {});
