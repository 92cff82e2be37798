// Replaces undici's pool of connections. Requests go to the simulated network.
import type { Dispatcher } from "undici";
import { simulation } from "../time/simulation";
import { type Exchange, network, type RequestFault } from "./network";
import type { ServiceResponse } from "./response";
import type { ServiceRequest } from "./service";

const ERROR_STATUS: Partial<Record<RequestFault, number>> = {
  "403": 403,
  "404": 404,
  "429": 429,
  "500": 500,
  "503": 503,
};

/** The milliseconds after which a late request reaches the service. A client gives up after 30 seconds. */
const LATE = 40_000;
const BROKEN = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
const REFUSED = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

class SimulatedPool {
  readonly #origin: string;

  constructor(origin: string | URL) {
    this.#origin = String(origin);
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const world = simulation();
    const process = world.current;
    if (process === undefined || !world.call()) return true;
    new SimulatedRequest(
      this.#origin,
      options,
      handler,
      network().takeFault(process, options.method, options.path),
    ).begin();
    return true;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    return Promise.resolve();
  }
}

class SimulatedRequest {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #request: ServiceRequest;
  readonly #fault: RequestFault | undefined;
  readonly #exchange: Exchange;
  readonly #controller: Dispatcher.DispatchController;
  #isAborted = false;

  constructor(
    origin: string,
    { method, path, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    fault: RequestFault | undefined,
  ) {
    this.#handler = handler;
    this.#fault = fault;
    this.#request = {
      method,
      target: path,
      headers: pairs(headers as readonly string[]),
      body: typeof body === "string" ? body : undefined,
    };
    const { headers: sent } = this.#request;
    this.#exchange = {
      process: simulation().current!,
      origin,
      token: sent["private-token"] ?? sent["PRIVATE-TOKEN"] ?? sent["authorization"],
      method,
      target: path,
      body: this.#request.body,
      fault,
      status: undefined,
      isAnswered: false,
      answeredAt: 0,
    };
    const abort = (reason: Error): void => {
      this.#isAborted = true;
      this.#later(0, () => this.#handler.onResponseError?.(this.#controller, reason));
    };
    this.#controller = { abort, pause() {}, resume() {}, aborted: false, paused: false } as never;
  }

  begin(): void {
    if (this.#fault === "unreachable") {
      this.#later(network().delay, () => this.#handler.onResponseError?.(this.#controller, REFUSED));
      return;
    }
    this.#later(0, () => {
      this.#handler.onRequestStart?.(this.#controller, {});
      if (this.#isAborted) return;
      network().exchanges.push(this.#exchange);
      network().onSent?.(this.#exchange);
      this.#send();
    });
  }

  /** Sends the request. From here on, the request reaches the service even if the process that sent it dies. */
  #send(): void {
    const { delay } = network();
    const status = ERROR_STATUS[this.#fault ?? "cut"];
    if (status !== undefined) this.#answer(delay * 2, errorAnswer(status));
    else if (this.#fault === "request lost") this.#break(delay);
    else this.#serve(this.#fault === "late" ? LATE : delay);
  }

  #serve(delay: number): void {
    const serve = (): void => {
      const answer = network().serve(this.#exchange, this.#request);
      if (this.#fault === "response lost") this.#break(network().delay);
      else if (this.#fault === "502 after") this.#answer(network().delay, errorAnswer(502));
      else if (this.#fault !== "silence" && this.#fault !== "late") this.#answer(network().delay, answer);
    };
    simulation().inTheWorld(delay, serve);
  }

  #break(delay: number): void {
    this.#later(delay, () => this.#handler.onResponseError?.(this.#controller, BROKEN));
  }

  #answer(delay: number, { status, headers, text }: ServiceResponse): void {
    this.#later(delay, () => {
      if (this.#isAborted) return;
      const bytes = Buffer.from(text);
      this.#handler.onResponseStart?.(this.#controller, status, headers, "");
      const isCut = this.#fault === "cut" && bytes.length > 0;
      const arrived = isCut ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
      if (arrived.length > 0) this.#handler.onResponseData?.(this.#controller, arrived);
      if (isCut) this.#handler.onResponseError?.(this.#controller, BROKEN);
      else {
        this.#exchange.isAnswered = this.#exchange.status !== undefined;
        this.#exchange.answeredAt = simulation().monotonic;
        this.#handler.onResponseEnd?.(this.#controller, {});
      }
    });
  }

  /** Calls `work` later, in the process that sent the request. In a dead process, `work` is not called. */
  #later(delay: number, work: () => void): void {
    const { process } = this.#exchange;
    if (!process.isAlive) return;
    simulation().after(delay, () => simulation().call() && work(), process);
  }
}

function errorAnswer(status: number): ServiceResponse {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (status === 429) headers["retry-after"] = "1";
  return { status, headers, text: JSON.stringify({ message: `${status} as simulated` }) };
}

function pairs(headers: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (let index = 0; index < headers.length; index += 2) found[headers[index]!] = headers[index + 1]!;
  return found;
}

export = SimulatedPool;
