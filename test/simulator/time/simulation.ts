import { Random } from "./random";

/** A simulated process: a runner of steward, whose memory ends with it. */
export interface SimulatedProcess {
  readonly name: string;
  readonly pid: number;
  /** The machine's boot in which it was started. */
  readonly boot: number;
  /** When it was started, as the kernel counts. */
  readonly started: string;
  isAlive: boolean;
  /** When it was killed, on the monotonic clock. */
  killedAt: number | undefined;
  /** Calls of disk, network, clock and random source so far. */
  calls: number;
  /** Dies at this call. */
  crashAt: number | undefined;
  /** Called once when it dies of `crashAt`. */
  onCrash: (() => void) | undefined;
}

interface Event {
  readonly at: number;
  readonly order: number;
  /** The process of the callback; undefined for the world's events. */
  readonly process: SimulatedProcess | undefined;
  readonly run: () => void;
}

/** Chooses which of several processes goes on; gets the next event of each. */
export type Chooser = (count: number) => number;

/** 2026-03-01T08:00:00Z. */
const EPOCH = 1_772_352_000_000;
/** More events than any run needs: a run that exceeds it does not end. */
const MAX_EVENTS = 60_000;

// The timers of Node itself; the bundle gives simulated ones to everything else.
const realImmediate = globalThis.setImmediate;
/** Waits until no microtask is left. */
const settled = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));

/** Virtual time: whatever waits is an event, and the clock jumps from one to the next. */
export class Simulation {
  readonly random: Random;
  current: SimulatedProcess | undefined;
  /** Which of several processes goes on, where time does not decide it. */
  chooser: Chooser | undefined;
  #now = EPOCH;
  /** The milliseconds that the system clock is ahead after a manual change. */
  #skew = 0;
  #events: Event[] = [];
  #order = 0;
  #handled = 0;
  #nextPid = 100;
  readonly processes: SimulatedProcess[] = [];
  /** The machine's boot, which a power failure ends. */
  boot = 1;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /** Milliseconds on the monotonic clock. */
  get monotonic(): number {
    return this.#now - EPOCH;
  }

  /** Milliseconds since the epoch, as the system's clock says. */
  get wallClock(): number {
    return Math.floor(this.#now + this.#skew);
  }

  /** Sets the system's clock. */
  jumpClock(milliseconds: number): void {
    this.#skew += milliseconds;
  }

  /** Calls back later, in the process that asks now. */
  after(milliseconds: number, run: () => void, process = this.current): () => void {
    return this.#add(milliseconds, run, process);
  }

  /** Calls back later, also after the death of a process. */
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
   * Counts a call to the world. The process may die of it.
   *
   * @returns false if nothing happens any more, because the process is dead
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
      // The results of a dead process in its memory are invisible.
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
   * Lets time pass until all these processes ended.
   *
   * @returns the processes that never end
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

  /** Lets everything arrive that is still on its way. */
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

  /** The earliest event of the process that the chooser names; events of the world come in time. */
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

/** A process and what became of its work; no result if it was killed. */
export interface Started<T> {
  readonly process: SimulatedProcess;
  result: { readonly value: T } | { readonly error: unknown } | undefined;
}

let running: Simulation | undefined;

/** The current simulation; each replacement of a module of Node asks here. */
export function simulation(): Simulation {
  if (running === undefined) throw new Error("No simulation runs");
  return running;
}

export const isSimulating = (): boolean => running !== undefined;

export function begin(next: Simulation | undefined): void {
  running = next;
}
