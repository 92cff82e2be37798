const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns a duration in at most two units: `20 min`, `5 h 10 min`, `3 d 4 h`, `41 d`. */
export function durationText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / MINUTE);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(milliseconds / HOUR);
  if (hours < 24) return withRest(Math.floor(minutes / 60), "h", minutes % 60, "min");
  if (hours < 10 * 24) return withRest(Math.floor(hours / 24), "d", hours % 24, "h");
  return `${Math.round(milliseconds / DAY)} d`;
}

const withRest = (count: number, unit: string, rest: number, restUnit: string): string =>
  rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${rest} ${restUnit}`;

/** Returns a time in UTC, such as `2026-11-23 01:00`. */
export const timeText = (time: number): string => new Date(time).toISOString().slice(0, 16).replace("T", " ");

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The possible distances between two ticks of a time axis: round times that people read easily. */
const STEPS = [
  ...[5, 15, 30].map((count) => count * MINUTE),
  ...[1, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28, 91, 182, 365].map((count) => count * DAY),
];

export interface Tick {
  readonly time: number;
  readonly text: string;
}

/** Returns at most `most` ticks at round times. */
export function timeTicks(from: number, to: number, most: number): Tick[] {
  const span = to - from;
  const step = STEPS.find((one) => span / one < most) ?? span / most;
  const first = Math.ceil(from / step) * step;
  const times = Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, at) => first + at * step);
  return times.map((time) => ({ time, text: tickText(time, step, span) }));
}

function tickText(time: number, step: number, span: number): string {
  const date = new Date(time);
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
  if (step < DAY) return `${day} ${date.toISOString().slice(11, 16)}`;
  return span > 300 * DAY ? `${day} ${date.getUTCFullYear()}` : day;
}
