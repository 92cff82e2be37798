import { added, describeFailures, type Failure, type Simulated } from "./simulator";

type Counts = Readonly<Record<string, number>>;
export type Round = Pick<
  Simulated,
  "stories" | "runs" | "requests" | "seconds" | "processor" | "operations" | "faults"
> & {
  readonly failures: readonly Failure[];
};

export const NOTHING: Round = {
  stories: 0,
  runs: 0,
  requests: 0,
  seconds: 0,
  processor: 0,
  operations: {},
  faults: {},
  failures: [],
};

/**
 * Adds the figures of two rounds of stories. The seconds are the time of the slower process, because both ran at the
 * same time.
 */
export const addUp = (one: Round, other: Round): Round => ({
  stories: one.stories + other.stories,
  runs: one.runs + other.runs,
  requests: one.requests + other.requests,
  seconds: one.seconds + other.seconds,
  processor: one.processor + other.processor,
  operations: added(one.operations, other.operations),
  faults: added(one.faults, other.faults),
  failures: [...one.failures, ...other.failures],
});

const listed = (counts: Counts): string =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`)
    .join("\n");

/** Describes the result of a soak for people. */
export function summaryOf(from: number, seeds: number, found: Round): string {
  const { stories, runs, requests, seconds, processor, operations, faults, failures } = found;
  const perRun = ((processor / runs) * 1000).toFixed(1);
  const perStory = ((processor / stories) * 1000).toFixed(1);
  return [
    `The stories of ${seeds} seeds (${from} to ${from + seeds - 1}), and ${stories - seeds} smaller ones that were tried while failures shrank: ${runs} runs, ${requests} requests.`,
    `${(seconds / 60).toFixed(1)} minutes of the clock, ${(processor / 60).toFixed(1)} of the processor: ${perStory} ms a story, ${perRun} ms a run.`,
    `Runs by operation:\n${listed(operations)}`,
    `What happened to them:\n${listed(faults)}`,
    `Failures: ${failures.length}`,
    ...describeFailures(failures),
    "",
  ].join("\n\n");
}
