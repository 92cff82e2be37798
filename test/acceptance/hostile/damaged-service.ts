import { type Service, startService } from "cdktf-provider-steward/testing";
import { HttpProxy, type Passage } from "../../support/http-proxy";
import { type AnswerDamage, isBelievable } from "./damage";
import { FIXTURE, TOKEN } from "./estate";
import { sendDamaged } from "./send-damaged";

/**
 * The damaged responses of a run: `times` consecutive responses, from number `at` on. `to` says whether only reads or only
 * writes count.
 */
export interface Placed {
  readonly to: "read" | "write" | "any";
  readonly at: number;
  readonly times: number;
  readonly damage: AnswerDamage;
}

/** A write that the service executed or refused. */
export interface Write {
  /** The method and path below the API's root, such as `POST /projects/1/...`. */
  readonly what: string;
  readonly body: string;
  readonly status: number;
}

/** One request of a run. Requests are recorded in the order of time. */
interface Step extends Write {
  readonly isWrite: boolean;
  /** True if the damaged response does not show the outcome of the request. */
  readonly isLost: boolean;
}

/**
 * The false responses that the client has received and could not recognize: none, some, or some about container rules.
 * Rules are a separate case. The service assigns the ids of rules, so a client can't distinguish swapped ids from changed
 * rules.
 */
export type Lies = "none" | "some" | "rules";

export const worse = (one: Lies, other: Lies): Lies =>
  (["rules", "some", "none"] as const).find((lies) => lies === one || lies === other)!;

/**
 * The number of requests after which the test assumes that the client never ends. Every run of a case needs fewer requests
 * than this number.
 */
const MOST_REQUESTS = 5000;

/** A service behind a proxy that damages responses and records requests. */
export class DamagedService {
  readonly #service: Service;
  readonly #proxy: HttpProxy;
  /** A second server, whose address occurs in damaged responses. A client must never send requests to this server. */
  readonly #elsewhere: HttpProxy;
  #names = { elsewhere: "", home: "", token: TOKEN };
  #placed: readonly Placed[] = [];
  #count = { read: 0, write: 0, any: 0 };
  #steps: Step[] = [];
  damaged = 0;
  /** The worst false responses since the run began. */
  lies: Lies = "none";
  strayed = 0;
  log: string[] = [];

  private constructor(service: Service) {
    this.#service = service;
    this.#proxy = new HttpProxy(service.url, (passage) => this.#pass(passage));
    this.#elsewhere = new HttpProxy(service.url, (passage) => {
      this.strayed += 1;
      passage.refuse(500, "elsewhere");
    });
  }

  static async start(): Promise<DamagedService> {
    const damaged = new DamagedService(await startService({ fixture: FIXTURE, recordRequests: false }));
    const home = await damaged.#proxy.start();
    damaged.#names = { ...damaged.#names, home, elsewhere: await damaged.#elsewhere.start() };
    return damaged;
  }

  /** The address of the proxy that damages responses. */
  get url(): string {
    return this.#names.home;
  }

  /** Begins the next run, with these damaged responses. */
  begin(placed: readonly Placed[] = []): void {
    this.#placed = placed;
    this.#count = { read: 0, write: 0, any: 0 };
    this.#steps = [];
    this.damaged = 0;
    this.lies = "none";
  }

  get requests(): number {
    return this.#count.any;
  }

  get writes(): readonly Write[] {
    return this.#steps.filter(({ isWrite }) => isWrite);
  }

  get isFlooded(): boolean {
    return this.#count.any > MOST_REQUESTS;
  }

  /**
   * Returns the executed writes that the client repeated without a read before the repetition. The responses to these
   * writes did not show the outcome.
   */
  get sentBlindly(): readonly string[] {
    return this.#steps.flatMap(({ what, body, isWrite, isLost, status }, index) => {
      if (!isWrite || !isLost || status >= 300) return [];
      const rest = this.#steps.slice(index + 1);
      const again = rest.findIndex((one) => one.what === what && one.body === body);
      const container = /^\w+ (\/\w+\/\d+)\//.exec(what)?.[1] ?? "";
      const looked = rest
        .slice(0, again)
        .some((one) => !one.isWrite && one.what.startsWith(`GET ${container}`));
      return again === -1 || looked ? [] : [`${what} ${body}`];
    });
  }

  async close(): Promise<void> {
    this.#proxy.close();
    this.#elsewhere.close();
    await this.#service.close();
  }

  async #pass(passage: Passage): Promise<void> {
    const damage = this.#next(passage);
    this.log.push(`${passage.method} ${passage.url} ${JSON.stringify(damage)}`);
    if (this.isFlooded) return passage.cut();
    const step = async (status: number): Promise<void> => {
      const { method, url, isWrite } = passage;
      const body = isWrite ? (await passage.body()).toString() : "";
      const what = `${method} ${url.replace(/^\/api\/v4/, "").replace(/\?.*/, "")}`;
      this.#steps.push({ what, body, status, isWrite, isLost: damage !== undefined && loses(damage) });
    };
    passage.onAnswer = ({ status }) => step(status);
    if (damage === undefined) return passage.answer(await passage.forward());
    this.damaged += 1;
    if (isBelievable(damage))
      this.lies = worse(this.lies, /repository\/rules/.test(passage.url) ? "rules" : "some");
    await sendDamaged(passage, damage, this.#names);
  }

  /** Counts a request. Returns the damage of the response to this request; undefined if there is none. */
  #next({ isWrite }: Passage): AnswerDamage | undefined {
    const kind = isWrite ? "write" : "read";
    const found = this.#placed.find(({ to, at, times }) => {
      const count = to === "any" || to === kind ? this.#count[to] : -1;
      return count >= at && count < at + times;
    });
    this.#count[kind] += 1;
    this.#count.any += 1;
    return found?.damage;
  }
}

const loses = (damage: AnswerDamage): boolean =>
  !(damage.kind === "status" && [301, 302, 307, 308, 429].includes(damage.status)) &&
  damage.kind !== "redirect";
