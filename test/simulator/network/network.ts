import type { SimulatedProcess } from "../time/simulation";
import { simulation } from "../time/simulation";
import type { ServiceResponse } from "./response";
import type { ServiceRequest, SimulatedService } from "./service";

/** A fault that the simulator causes for a request. */
export type RequestFault =
  /** There is no connection: the client sends nothing. */
  | "unreachable"
  /** The client sends the request, and the service never gets it. The connection breaks. */
  | "request lost"
  /** The service executes the request, and the client never gets the response. The connection breaks. */
  | "response lost"
  /** The service executes the request. The client gets no byte until the client gives up. */
  | "silence"
  /** The service executes the request after the client gave up. */
  | "late"
  /** The service executes the request, and the connection breaks in the middle of the response. */
  | "cut"
  /** The service responds with this status, and executes nothing. */
  | "403"
  | "404"
  | "429"
  | "500"
  | "503"
  /** The service executes the request, and a proxy responds with the status 502. */
  | "502 after";

/** A fault of some requests of a run. */
export interface NetworkFault {
  /**
   * The requests that are counted. `write` means every method except GET. `GET after write` means a GET after the first
   * write of the run.
   */
  readonly on: "GET" | "GET after write" | "POST" | "PUT" | "PATCH" | "DELETE" | "write" | "any";
  /** The number of the first request with the fault, from 1. Only requests that match `on` count. */
  readonly nth: number;
  /** The number of consecutive requests with the fault. The default is 1. */
  readonly times?: number;
  readonly fault: RequestFault;
}

/** A request that a process sent, with its fault and the status of its response. */
export interface Exchange {
  readonly process: SimulatedProcess;
  /** The origin to which the client sent the request. The simulated service responds for every origin. */
  readonly origin: string;
  readonly token: string | undefined;
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
  /** The fault of this request, if it has one. */
  readonly fault: RequestFault | undefined;
  /** The status with which the service responded. Undefined until the service has executed the request. */
  status: number | undefined;
  /** True once the process has received the whole response. `answeredAt` has the time. */
  isAnswered: boolean;
  answeredAt: number;
}

const isWrite = (method: string): boolean => method !== "GET";

/** The network between the runners and the service. */
export class Network {
  readonly service: SimulatedService;
  readonly exchanges: Exchange[] = [];
  /**
   * Called for each request that the service executes; `answer` executes it. The world compares the live objects before
   * and after the execution.
   */
  onService: ((exchange: Exchange, answer: () => ServiceResponse) => ServiceResponse) | undefined;
  readonly #faults = new Map<SimulatedProcess, { readonly fault: NetworkFault; seen: number }[]>();
  readonly #hasWritten = new Set<SimulatedProcess>();
  /** The longest time of a message in one direction, in milliseconds. */
  slowest = 60;

  constructor(service: SimulatedService) {
    this.service = service;
  }

  /** Sets the faults of the requests of one process. */
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
    // The service never responds with 404 for a state that it has. A client would believe the response and start with
    // an empty state.
    return found === "404" && target.includes("/terraform/state/") ? undefined : found;
  }

  /** Called for each request that a process sends. */
  onSent: ((exchange: Exchange) => void) | undefined;

  serve(exchange: Exchange, request: ServiceRequest): ServiceResponse {
    const answer = () => this.service.answer(request);
    const given = this.onService?.(exchange, answer) ?? answer();
    exchange.status = given.status;
    return given;
  }

  /** The time of one message in one direction, in milliseconds. */
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
