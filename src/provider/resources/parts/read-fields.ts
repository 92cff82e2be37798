import { API_CODES } from "../../../diagnostics";
import { ServiceFailure } from "../../../framework";
import { isTime } from "../../define";

/** Returns the error for a field of a response that has no usable value. */
function unusable(field: string, value: unknown, expected: string): ServiceFailure {
  const [, remedy, summary] = API_CODES.unexpected_answer;
  return new ServiceFailure({
    kind: "failed",
    code: "unexpected_answer",
    summary,
    detail: `The service returned ${JSON.stringify(value) ?? "nothing"} as \`${field}\`, which is not ${expected}. ${remedy}`,
  });
}

/**
 * Reads the access level of a record. A number is accepted as a level even if this release of Steward does not know
 * the level.
 *
 * @throws ServiceFailure `unexpected_answer` for another type
 */
export function readLevel(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw unusable("access_level", value, "a number");
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the day of a date or a timestamp as `YYYY-MM-DD`. The function does not convert time zones: the day stays
 * exactly as the service wrote it.
 *
 * @throws ServiceFailure `unexpected_answer` for another text
 */
export function readDay(field: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const day = typeof value === "string" ? value.slice(0, 10) : "";
  if (isTime(day, DAY) && !Number.isNaN(new Date(value as string).valueOf())) return day;
  throw unusable(field, value, "a date or a timestamp");
}
