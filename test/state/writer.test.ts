import { StateWriter, type WriterClock } from "../../src/state/backends/state-writer";
import { emptyState, type State } from "../../src/state/model/model";

/** A clock that stands still until it is told to go on. */
class ManualClock implements WriterClock {
  private time = 0;
  private alarms: { at: number; callback: () => void }[] = [];

  now = (): number => this.time;

  after = (milliseconds: number, callback: () => void): (() => void) => {
    const alarm = { at: this.time + milliseconds, callback };
    this.alarms.push(alarm);
    return () => {
      this.alarms = this.alarms.filter((one) => one !== alarm);
    };
  };

  advance(milliseconds: number): void {
    this.time += milliseconds;
    const due = this.alarms.filter((one) => one.at <= this.time);
    this.alarms = this.alarms.filter((one) => one.at > this.time);
    for (const { callback } of due) callback();
  }

  get pending(): number {
    return this.alarms.length;
  }
}

/** A backend whose writes end when the test says so. */
class ManualBackend {
  readonly written: State[] = [];
  private ends: { resolve: () => void; reject: (problem: Error) => void }[] = [];

  write = (state: State): Promise<void> => {
    this.written.push(state);
    return new Promise((resolve, reject) => this.ends.push({ resolve, reject }));
  };

  async end(problem?: Error): Promise<void> {
    const { resolve, reject } = this.ends.shift()!;
    if (problem === undefined) resolve();
    else reject(problem);
    await settled();
  }

  get underWay(): number {
    return this.ends.length;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const set = (options: { intervalMs?: number } = {}) => {
  const clock = new ManualClock();
  const backend = new ManualBackend();
  const problems: unknown[] = [];
  const writer = new StateWriter(backend, {
    clock,
    onError: (problem) => problems.push(problem),
    ...options,
  });
  const schedule = (serial: number): void => writer.schedule(() => ({ ...emptyState(), serial }));
  const serials = (): number[] => backend.written.map((state) => state.serial);
  return { clock, backend, problems, writer, schedule, serials };
};

test("changes of one moment are one write, with the last of them", async () => {
  const { clock, schedule, serials } = set();
  schedule(1);
  schedule(2);
  clock.advance(0);
  expect(serials()).toEqual([2]);
});

test("the state is taken when the write begins", () => {
  const { clock, backend, writer } = set();
  const state = emptyState();
  writer.schedule(() => state);
  state.serial = 5;
  clock.advance(0);
  expect(backend.written[0]!.serial).toBe(5);
});

test("at most one write begins within a second", async () => {
  const { clock, backend, schedule, serials } = set();
  schedule(1);
  clock.advance(0);
  await backend.end();
  schedule(2);
  clock.advance(999);
  expect(serials()).toEqual([1]);
  schedule(3);
  clock.advance(1);
  expect(serials()).toEqual([1, 3]);
});

test("while a write is under way no other begins, and what came meanwhile follows", async () => {
  const { clock, backend, schedule, serials } = set();
  schedule(1);
  clock.advance(0);
  schedule(2);
  clock.advance(5000);
  expect([serials(), clock.pending]).toEqual([[1], 0]);
  await backend.end();
  clock.advance(95_000);
  expect(serials()).toEqual([1, 2]);
});

test("a long write is followed by a pause nineteen times as long", async () => {
  const { clock, backend, schedule, serials } = set();
  schedule(1);
  clock.advance(0);
  clock.advance(2000);
  schedule(2);
  await backend.end();
  clock.advance(37_999);
  expect(serials()).toEqual([1]);
  clock.advance(1);
  expect(serials()).toEqual([1, 2]);
});

test("flush writes at once what waits, and waits for what is under way", async () => {
  const { clock, backend, schedule, serials, writer } = set();
  schedule(1);
  clock.advance(0);
  schedule(2);
  const flushed = writer.flush();
  await settled();
  expect(serials()).toEqual([1]);
  await backend.end();
  expect(serials()).toEqual([1, 2]);
  await backend.end();
  await flushed;
  expect([clock.pending, backend.underWay]).toEqual([0, 0]);
});

test("flush also saves what changes while it saves", async () => {
  const { backend, schedule, serials, writer } = set();
  schedule(1);
  const flushed = writer.flush();
  await settled();
  schedule(2);
  await backend.end();
  await backend.end();
  await flushed;
  expect(serials()).toEqual([1, 2]);
});

test("flush with nothing to save writes nothing", async () => {
  const { backend, writer } = set();
  await writer.flush();
  expect(backend.written).toEqual([]);
});

test("two flushes end when everything is saved", async () => {
  const { backend, schedule, writer } = set();
  schedule(1);
  const both = Promise.all([writer.flush(), writer.flush()]);
  await settled();
  expect(backend.underWay).toBe(1);
  await backend.end();
  await both;
});

describe("a failure", () => {
  test("a failure is told once, tried again by flush, and the first one is what flush ends with", async () => {
    const { clock, backend, problems, schedule, serials, writer } = set();
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
    expect(problems).toEqual([new Error("first")]);
  });

  test("a failure that a later write mends is forgotten", async () => {
    const { clock, backend, problems, schedule, writer } = set();
    schedule(1);
    clock.advance(0);
    await backend.end(new Error("no room"));
    const flushed = writer.flush();
    await settled();
    await backend.end();
    await flushed;
    expect(problems).toEqual([new Error("no room")]);
  });

  test("a failure of the snapshot itself is one too", async () => {
    const { clock, problems, writer } = set();
    writer.schedule(() => {
      throw new Error("no snapshot");
    });
    clock.advance(0);
    await settled();
    expect(problems).toEqual([new Error("no snapshot")]);
    await expect(writer.flush()).rejects.toThrow("no snapshot");
  });
});
