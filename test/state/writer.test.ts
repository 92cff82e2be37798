import { StateWriter } from "../../src/state/backends/state-writer";
import { emptyState, type State } from "../../src/state/model/model";

/** Replaces the clock of this process. The time changes only when a test changes it. */
class ManualClock {
  #time = 0;
  #alarms: { at: number; callback: () => void }[] = [];
  readonly #real = { setTimeout, clearTimeout, now: performance.now };

  install(): void {
    Object.assign(globalThis, {
      setTimeout: (callback: () => void, milliseconds: number) => {
        const alarm = { at: this.#time + milliseconds, callback };
        this.#alarms.push(alarm);
        return alarm;
      },
      clearTimeout: (alarm: unknown) => {
        this.#alarms = this.#alarms.filter((one) => one !== alarm);
      },
    });
    performance.now = () => this.#time;
  }

  remove(): void {
    const { now, ...timers } = this.#real;
    Object.assign(globalThis, timers);
    performance.now = now;
  }

  advance(milliseconds: number): void {
    this.#time += milliseconds;
    const due = this.#alarms.filter((one) => one.at <= this.#time);
    this.#alarms = this.#alarms.filter((one) => one.at > this.#time);
    for (const { callback } of due) callback();
  }

  get pending(): number {
    return this.#alarms.length;
  }
}

let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
  clock.install();
});
afterEach(() => clock.remove());

/** A backend whose writes end only when the test ends them. */
class ManualBackend {
  readonly written: State[] = [];
  #ends: { resolve: () => void; reject: (problem: Error) => void }[] = [];

  write = (state: State): Promise<void> => {
    this.written.push(state);
    return new Promise((resolve, reject) => this.#ends.push({ resolve, reject }));
  };

  async end(problem?: Error): Promise<void> {
    const { resolve, reject } = this.#ends.shift()!;
    if (problem === undefined) resolve();
    else reject(problem);
    await settled();
  }

  get underWay(): number {
    return this.#ends.length;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const set = () => {
  const backend = new ManualBackend();
  const writer = new StateWriter(backend);
  const schedule = (serial: number): void => writer.schedule(() => ({ ...emptyState(), serial }));
  const serials = (): number[] => backend.written.map((state) => state.serial);
  return { backend, writer, schedule, serials };
};

/** An event of a run: a new state to save, a time that passes, or the end of the current write. */
type Step = `save ${number}` | `wait ${number}` | "end";

test.each<[string, readonly Step[], readonly number[]]>([
  [
    "several states that are scheduled at once cause one write of the last state",
    ["save 1", "save 2", "wait 0"],
    [2],
  ],
  [
    "no write begins within a second after the previous write",
    ["save 1", "wait 0", "end", "save 2", "wait 999"],
    [1],
  ],
  [
    "one second after a write, the last scheduled state is written",
    ["save 1", "wait 0", "end", "save 2", "wait 999", "save 3", "wait 1"],
    [1, 3],
  ],
  ["no write begins before the current write ends", ["save 1", "wait 0", "save 2", "wait 5000"], [1]],
  [
    "a state that is scheduled during a write is written after this write",
    ["save 1", "wait 0", "save 2", "wait 5000", "end", "wait 95000"],
    [1, 2],
  ],
  [
    "after a write of two seconds, no write begins for 38 seconds",
    ["save 1", "wait 0", "wait 2000", "save 2", "end", "wait 37999"],
    [1],
  ],
  [
    "38 seconds after a write of two seconds, the next write begins",
    ["save 1", "wait 0", "wait 2000", "save 2", "end", "wait 37999", "wait 1"],
    [1, 2],
  ],
])("the state writer: %s", async (_, steps, written) => {
  const { backend, schedule, serials } = set();
  for (const step of steps) {
    const [what, number] = step.split(" ");
    if (what === "save") schedule(Number(number));
    else if (what === "wait") clock.advance(Number(number));
    else await backend.end();
  }
  expect(serials()).toEqual(written);
});

test("if the state changes before a scheduled write begins, the writer saves the changed state", () => {
  const { backend, writer } = set();
  const state = emptyState();
  writer.schedule(() => state);
  state.serial = 5;
  clock.advance(0);
  expect(backend.written[0]!.serial).toBe(5);
});

test("flush waits until the current write has ended and every scheduled state is saved", async () => {
  const { backend, schedule, serials, writer } = set();
  await writer.flush();
  schedule(1);
  clock.advance(0);
  schedule(2);
  const flushed = Promise.all([writer.flush(), writer.flush()]);
  await settled();
  expect(serials()).toEqual([1]);
  await backend.end();
  schedule(3);
  expect([serials(), backend.underWay]).toEqual([[1, 2], 1]);
  await backend.end();
  await backend.end();
  await flushed;
  expect([serials(), clock.pending, backend.underWay]).toEqual([[1, 2, 3], 0, 0]);
});

test("if all writes fail, flush rejects with the first error", async () => {
  const { backend, schedule, serials, writer } = set();
  schedule(1);
  clock.advance(0);
  await backend.end(new Error("first"));
  schedule(2);
  clock.advance(1000);
  await backend.end(new Error("second"));
  const flushed = expect(writer.flush()).rejects.toThrow("first");
  await settled();
  await backend.end(new Error("third"));
  await flushed;
  expect(serials()).toEqual([1, 2, 2]);
  schedule(4);
  const mended = writer.flush();
  await settled();
  await backend.end();
  await mended;
});

test("if the function that returns the state for a write throws, flush rejects with this error", async () => {
  const { writer } = set();
  writer.schedule(() => {
    throw new Error("no snapshot");
  });
  clock.advance(0);
  await settled();
  await expect(writer.flush()).rejects.toThrow("no snapshot");
});
