import type { SimulatedProcess } from "../time/simulation";
import { simulation } from "../time/simulation";
import type { ServiceResponse } from "./response";
import type { ServiceRequest, SimulatedService } from "./service";

/** The fault of a request. */
export type RequestFault =
  /** No connection: nothing is sent. */
  | "unreachable"
  /** Sent, and never at the service; the connection breaks. */
  | "request lost"
  /** Executed, and the response never arrives; the connection breaks. */
  | "response lost"
  /** Done, and no byte comes until the client gives up. */
  | "silence"
  /** Done after the client gave up. */
  | "late"
  /** Executed, and the connection breaks within the response. */
  | "cut"
  /** Refused for once, before anything is done. */
  | "403"
  | "404"
  | "429"
  | "500"
  | "503"
  /** Executed, with an error of a proxy as response. */
  | "502 after";

/** A fault of one request of a run. */
export interface NetworkFault {
  /** `write` is any method but GET; `GET after write` is a GET after the run's first write. */
  readonly on: "GET" | "GET after write" | "POST" | "PUT" | "PATCH" | "DELETE" | "write" | "any";
  /** Which of these requests, counted from 1. */
  readonly nth: number;
  /** The number of faults in a row. The default is 1. */
  readonly times?: number;
  readonly fault: RequestFault;
}

/** A request at the service, and what came of it. */
export interface Exchange {
  readonly process: SimulatedProcess;
  /** The address of the request. All addresses belong to one service. */
  readonly origin: string;
  readonly token: string | undefined;
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
  /** The fault of the request. */
  readonly fault: RequestFault | undefined;
  /** The status; undefined until the service has executed the request. */
  status: number | undefined;
  /** Whether the whole response arrived at the process, and when. */
  isAnswered: boolean;
  answeredAt: number;
}

const isWrite = (method: string): boolean => method !== "GET";

/** The network between the runners and the service. */
export class Network {
  readonly service: SimulatedService;
  readonly exchanges: Exchange[] = [];
  /** Called around each request that the service does; the world looks for its changes. */
  onService: ((exchange: Exchange, answer: () => ServiceResponse) => ServiceResponse) | undefined;
  readonly #faults = new Map<SimulatedProcess, { readonly fault: NetworkFault; seen: number }[]>();
  readonly #hasWritten = new Set<SimulatedProcess>();
  /** The slowest response in milliseconds. */
  slowest = 60;

  constructor(service: SimulatedService) {
    this.service = service;
  }

  /** The faults that a process meets. */
  disturb(process: SimulatedProcess, faults: readonly NetworkFault[]): void {
    this.#faults.set(
      process,
      faults.map((fault) => ({ fault, seen: 0 })),
    );
  }

  takeFault(process: SimulatedProcess, method: string, target: string): RequestFault | undefined {
    let found: RequestFault | undefined;
    if (isWrite(method)) this.#hasWritten.add(process);
    for (const waiting of this.#faults.get(process) ?? []) {
      const { on, nth, times = 1, fault } = waiting.fault;
      const follows = on === "GET after write" && method === "GET" && this.#hasWritten.has(process);
      const concerns = follows || on === "any" || on === method || (on === "write" && isWrite(method));
      if (!concerns) continue;
      waiting.seen += 1;
      if (waiting.seen >= nth && waiting.seen < nth + times) found ??= fault;
    }
    // A service that denies a state that it keeps is not simulated: a client that believes it starts again.
    return found === "404" && target.includes("/terraform/state/") ? undefined : found;
  }

  /** Called with each request that leaves a process. */
  onSent: ((exchange: Exchange) => void) | undefined;

  serve(exchange: Exchange, request: ServiceRequest): ServiceResponse {
    const answer = () => this.service.answer(request);
    const given = this.onService?.(exchange, answer) ?? answer();
    exchange.status = given.status;
    return given;
  }

  /** The time that a message takes in one direction. */
  get delay(): number {
    return simulation().random.next() * this.slowest;
  }
}

let current: Network | undefined;

export function network(): Network {
  if (current === undefined) throw new Error("No network is simulated");
  return current;
}

export function useNetwork(next: Network): void {
  current = next;
}
