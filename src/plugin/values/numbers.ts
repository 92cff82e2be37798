import type { DiagnosticPath } from "../../diagnostics";
import { fail, formatPath } from "../../diagnostics";
import { isExact } from "../../json";

/**
 * Reads a number from msgpack: a text if it is no exact float, a bigint if it needs 64 bits.
 *
 * @throws DiagnosticError if the number can't be represented, and would be shown as a change that the user
 * did not make
 */
export function readNumber(raw: number | bigint | string, path: DiagnosticPath): number {
  if (typeof raw === "number" && Number.isSafeInteger(raw)) return raw;
  const value = Number(raw);
  const text = exactText(raw);
  if (isExact(text)) return value;
  return fail({
    code: "number_not_exact",
    summary: "Number has too many digits",
    detail:
      `${formatPath(path)}: ${text} has more digits than can be represented, and would become ` +
      `${value}. Write it with at most 15 digits.`,
    attribute: [...path],
  });
}

/**
 * Writes a number to msgpack as a text, as Terraform does in its state. It reads an integer or a float with
 * another precision, and then reports a change (`plan -refresh-only` exits with 2); the float 0.1 would
 * become 0.1000000000000000055….
 */
export const writeNumber = (value: number): string => String(value);

/** All digits of a number. */
function exactText(raw: number | bigint | string): string {
  if (typeof raw !== "number" || !Number.isFinite(raw)) return String(raw);
  let numerator = raw;
  let powerOfTwo = 0;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    powerOfTwo += 1;
  }
  // n/2^k is n·5^k/10^k.
  return `${BigInt(numerator) * 5n ** BigInt(powerOfTwo)}e-${powerOfTwo}`;
}
