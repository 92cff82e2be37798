import type { Split } from "./model";

/** The type and time of an event. `steward --json` and `terraform -json` use the same fields. */
interface TimedEvent {
  readonly type: string;
  readonly "@timestamp": string;
}

/**
 * Splits the time of a command by phase. The times come from the events that the command printed, one JSON object per
 * line.
 * @param seconds the time from the start of the process to its exit
 * @param synth the seconds that the app ran before the command
 * @throws Error if the events contain no plan
 */
export function splitOf(output: string, seconds: number, synth: number): Split {
  // Lines that are not JSON can be between the events, such as warnings of Node.
  const events = output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as TimedEvent);
  const times = (type: string): number[] =>
    events.filter((event) => event.type === type).map((event) => Date.parse(event["@timestamp"]));
  const began = Date.parse(events[0]?.["@timestamp"] ?? "");
  // The first summary describes the plan, the second summary the result.
  const [planned, done = planned] = times("change_summary");
  if (planned === undefined || done === undefined) throw new Error(`There is no plan in:\n${output}`);
  const looked = times("refresh_start")[0] ?? began;
  const seen = times("refresh_complete").at(-1) ?? looked;
  const between = (from: number, to: number): number => Math.max(0, to - from) / 1000;
  return {
    synth,
    startUp: Math.max(0, seconds - between(began, done)),
    load: between(began, looked),
    refresh: between(looked, seen),
    diff: between(seen, planned),
    write: between(planned, done),
  };
}
