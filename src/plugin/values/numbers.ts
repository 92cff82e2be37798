import type { DiagnosticPath } from "../../diagnostics";
import { fail, formatPath } from "../../diagnostics";
import { isExact } from "../../json";

/**
 * A number as msgpack brings it: what is no exact float is a text, what needs 64 bits is a bigint.
 *
 * @throws DiagnosticError where the number would be another one once it is a number here, and so would be shown to the
 *   user as a change that nobody made
 */
export function readNumber(raw: number | bigint | string, path: DiagnosticPath): number {
  if (typeof raw === "number" && Number.isSafeInteger(raw)) return raw;
  const value = Number(raw);
  const text = exactText(raw);
  if (isExact(text)) return value;
  return fail({
    code: "number_not_exact",
    summary: "Number with too many digits",
    detail:
      `${formatPath(path)}: ${text} has more digits than can be kept exactly, and would become ${value}. ` +
      "Write it with at most 15 digits.",
    attribute: [...path],
  });
}

/**
 * A number as msgpack takes it: always a text, as Terraform reads numbers of its state from a text too. From an integer
 * or a float it makes a number of another precision, which it then takes for a change (`plan -refresh-only` exits with 2);
 * and the float 0.1 would come to mean 0.1000000000000000055….
 */
export const writeNumber = (value: number): string => String(value);

/** All digits of a number. */
function exactText(raw: number | bigint | string): string {
  if (typeof raw !== "number" || !Number.isFinite(raw)) return String(raw);
  let numerator = raw;
  let halvings = 0;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    halvings += 1;
  }
  // n/2^k is n·5^k/10^k.
  return `${BigInt(numerator) * 5n ** BigInt(halvings)}e-${halvings}`;
}
