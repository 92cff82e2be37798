import { Random } from "./random";

/** A simulated process of a runner. When it dies, its memory is lost. */
export interface SimulatedProcess {
  readonly name: string;
  readonly pid: number;
  /** The number of the machine's boot in which the process started. */
  readonly boot: number;
  /** The start time of the process, as `/proc` shows it. */
  readonly started: string;
  isAlive: boolean;
  /** The time at which the process was killed, on the monotonic clock. */
  killedAt: number | undefined;
  /** The number of calls to disk, network, clock and random source that this process has already made. */
  calls: number;
  /** The number of the call at which the process dies. */
  crashAt: number | undefined;
  /** Called when the process dies at call `crashAt`. */
  onCrash: (() => void) | undefined;
}

interface Event {
  readonly at: number;
  readonly order: number;
  /**
   * The process in which the callback runs. Undefined for events that belong to no process, such as a request that
   * arrives at the service.
   */
  readonly process: SimulatedProcess | undefined;
  readonly run: () => void;
}

/**
 * Decides which process continues. The function gets the number of processes that can continue, and returns the index
 * of one.
 */
export type Chooser = (count: number) => number;

/** 2026-03-01T08:00:00Z. */
const EPOCH = 1_772_352_000_000;
/** The maximum number of events of a run. A run with more events counts as one that never ends. */
const MAX_EVENTS = 60_000;

// Node's own timer. Other modules of the bundle get simulated timers.
const realImmediate = globalThis.setImmediate;
/** Waits until all promise callbacks that are ready have run. */
const settled = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));

/** The virtual time. Everything that waits is an event, and the clock jumps from one event to the next. */
export class Simulation {
  readonly random: Random;
  current: SimulatedProcess | undefined;
  /** Decides which process continues. Without a chooser, the earliest event comes next. */
  chooser: Chooser | undefined;
  #now = EPOCH;
  /** The difference between the system clock and the true time after manual changes, in milliseconds. */
  #skew = 0;
  #events: Event[] = [];
  #order = 0;
  #handled = 0;
  #nextPid = 100;
  readonly processes: SimulatedProcess[] = [];
  /** The number of the machine's boot. A power failure adds 1. */
  boot = 1;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /** The milliseconds on the monotonic clock. */
  get monotonic(): number {
    return this.#now - EPOCH;
  }

  /** The milliseconds since the epoch on the system clock. */
  get wallClock(): number {
    return Math.floor(this.#now + this.#skew);
  }

  /** Changes the system clock by some milliseconds. */
  jumpClock(milliseconds: number): void {
    this.#skew += milliseconds;
  }

  /**
   * Calls back after some milliseconds, in the current process by default. A death of the process cancels the call.
   * @returns a function that cancels the call
   */
  after(milliseconds: number, run: () => void, process = this.current): () => void {
    return this.#add(milliseconds, run, process);
  }

  /** Calls back after some milliseconds, in no process. A death of the current process does not cancel the call. */
  inTheWorld(milliseconds: number, run: () => void): void {
    this.#add(milliseconds, run, undefined);
  }

  #add(milliseconds: number, run: () => void, process: SimulatedProcess | undefined): () => void {
    const event: Event = { at: this.#now + Math.max(0, milliseconds), order: this.#order++, process, run };
    this.#events.push(event);
    return () => {
      const index = this.#events.indexOf(event);
      if (index >= 0) this.#events.splice(index, 1);
    };
  }

  /**
   * Counts a call of the current process to disk, network, clock or random source. The process may die at this call.
   * @returns false if the process is dead, so that the call must have no effect
   */
  call(): boolean {
    const process = this.current;
    if (process === undefined) return true;
    if (!process.isAlive) return false;
    process.calls += 1;
    if (process.calls === process.crashAt) {
      this.kill(process);
      process.onCrash?.();
    }
    return process.isAlive;
  }

  start<T>(
    name: string,
    work: () => Promise<T>,
    {
      delay = 0,
      prepare,
    }: { readonly delay?: number; readonly prepare?: (process: SimulatedProcess) => void } = {},
  ): Started<T> {
    const pid = this.#nextPid++;
    const process: SimulatedProcess = {
      name,
      pid,
      boot: this.boot,
      started: String(pid * 7),
      isAlive: true,
      killedAt: undefined,
      calls: 0,
      crashAt: undefined,
      onCrash: undefined,
    };
    prepare?.(process);
    this.processes.push(process);
    const started: Started<T> = { process, result: undefined };
    const end = (result: Started<T>["result"]): void => {
      // A dead process has no result, even if its code ran to the end.
      if (!process.isAlive) return;
      started.result = result;
      process.isAlive = false;
    };
    this.after(
      delay,
      () => {
        work().then(
          (value) => end({ value }),
          (error: unknown) => end({ error }),
        );
      },
      process,
    );
    return started;
  }

  kill(process: SimulatedProcess): void {
    process.isAlive = false;
    process.killedAt = this.monotonic;
    this.#events = this.#events.filter((event) => event.process !== process);
  }

  /**
   * Lets time pass until all these processes have ended.
   * @returns the processes that do not end; the function kills them
   */
  async finish(started: readonly Started<unknown>[]): Promise<readonly SimulatedProcess[]> {
    const isRunning = () => started.some(({ process }) => process.isAlive);
    const limit = this.#handled + MAX_EVENTS;
    while (isRunning()) {
      const event = this.#take();
      if (event === undefined || this.#handled++ > limit) {
        const stuck = started.map(({ process }) => process).filter(({ isAlive }) => isAlive);
        for (const process of stuck) this.kill(process);
        return stuck;
      }
      this.#now = Math.max(this.#now, event.at);
      this.#enter(event.process);
      event.run();
      await settled();
      this.current = undefined;
    }
    return [];
  }

  /** Handles all remaining events, such as requests that are still on their way to the service. */
  async calm(): Promise<void> {
    for (let event = this.#take(); event !== undefined; event = this.#take()) {
      this.#now = Math.max(this.#now, event.at);
      event.run();
      await settled();
    }
  }

  #enter(process: SimulatedProcess | undefined): void {
    this.current = process;
  }

  #take(): Event | undefined {
    const index = this.chooser === undefined ? earliest(this.#events) : this.#choose(this.chooser);
    return index < 0 ? undefined : this.#events.splice(index, 1)[0];
  }

  /**
   * Returns the index of the next event. The next event is the earliest event of the process that the chooser selects,
   * or an earlier event that belongs to no process.
   */
  #choose(chooser: Chooser): number {
    const first = new Map<SimulatedProcess | undefined, number>();
    for (const [index, event] of this.#events.entries()) {
      const known = first.get(event.process);
      if (known === undefined || isBefore(event, this.#events[known]!)) first.set(event.process, index);
    }
    const world = first.get(undefined);
    first.delete(undefined);
    const candidates = [...first].sort(([one], [other]) => one!.pid - other!.pid).map(([, index]) => index);
    const chosen = candidates[candidates.length < 2 ? 0 : chooser(candidates.length)];
    if (world === undefined || chosen === undefined) return chosen ?? world ?? -1;
    return isBefore(this.#events[world]!, this.#events[chosen]!) ? world : chosen;
  }
}

const isBefore = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

function earliest(events: readonly Event[]): number {
  let best = -1;
  for (let index = 0; index < events.length; index += 1) {
    if (best < 0 || isBefore(events[index]!, events[best]!)) best = index;
  }
  return best;
}

/**
 * A started process with the result of its work. There is no result while the process runs, or if the process was
 * killed.
 */
export interface Started<T> {
  readonly process: SimulatedProcess;
  result: { readonly value: T } | { readonly error: unknown } | undefined;
}

let running: Simulation | undefined;

/** Returns the current simulation. All modules that replace modules of Node use this simulation. */
export function simulation(): Simulation {
  if (running === undefined) throw new Error("No simulation runs");
  return running;
}

export const isSimulating = (): boolean => running !== undefined;

export function begin(next: Simulation | undefined): void {
  running = next;
}
