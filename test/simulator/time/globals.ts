// Replaces globals of Node in all modules of the bundle (see bundle.js).
import { isSimulating, simulation } from "./simulation";

const RealDate = globalThis.Date;

class SimulatedDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    // TypeScript cannot know which of Date's signatures these arguments match.
    if (given.length > 0) super(...(given as [number]));
    else super(SimulatedDate.now());
  }

  static override now(): number {
    return isSimulating() ? simulation().wallClock : RealDate.now();
  }
}

const simulatedPerformance = { now: (): number => (isSimulating() ? simulation().monotonic : 0) };

interface Timer {
  readonly cancel: () => void;
  unref(): Timer;
  ref(): Timer;
}

function setSimulatedTimeout(callback: () => void, milliseconds = 0): Timer {
  const timer: Timer = {
    cancel: simulation().call() ? simulation().after(milliseconds, callback) : () => undefined,
    unref: () => timer,
    ref: () => timer,
  };
  return timer;
}

const clearSimulatedTimeout = (timer: Timer | undefined): void => timer?.cancel();
const setSimulatedImmediate = (callback: () => void): Timer => setSimulatedTimeout(callback);

function simulatedRandom(): number {
  if (!isSimulating()) return 0.5;
  simulation().call();
  return simulation().random.next();
}

/**
 * Returns true if a process is alive, like `process.kill` with signal 0. A simulated process id is used only once, so a
 * dead process never seems to live again.
 */
function findProcess(pid: number, signal: number): boolean {
  if (signal !== 0) throw new Error("Only signal 0 is simulated");
  if (simulation().processes.some((process) => process.pid === pid && process.isAlive)) return true;
  throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
}

const simulatedProcess = {
  get pid(): number {
    return (isSimulating() ? simulation().current?.pid : undefined) ?? 1;
  },
  platform: "linux",
  kill: findProcess,
  getuid: () => 1000,
  getgid: () => 1000,
  cwd: () => "/app",
  env: {} as Record<string, string>,
  argv: globalThis.process.argv,
  version: globalThis.process.version,
  versions: globalThis.process.versions,
  arch: globalThis.process.arch,
  stdout: globalThis.process.stdout,
  stderr: globalThis.process.stderr,
  emitWarning: () => undefined,
};

export {
  clearSimulatedTimeout as clearTimeout,
  SimulatedDate as Date,
  setSimulatedImmediate as setImmediate,
  setSimulatedTimeout as setTimeout,
  simulatedPerformance as performance,
  simulatedProcess as process,
  simulatedRandom as "Math.random",
};
