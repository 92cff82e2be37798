import { InvalidArgumentError } from "commander";
import type { Shard } from "../../engine";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a duration in Terraform's format, such as `10s`, `1m30s` or `500ms`, into milliseconds. */
export function parseDuration(text: string): number {
  if (text === "0") return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw new InvalidArgumentError("Enter a duration such as 10s, 1m30s or 500ms.");
  }
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit!]!, 0);
}

/** Parses a reason that people read, and refuses a blank reason. */
export function parseReason(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("Enter a reason.");
  return text.trim();
}

/** Returns a function that parses a whole number. The text has to match `digits`, and the number may be at most `highest`. */
const wholeNumber =
  (digits: RegExp, hint: string, highest = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    if (!digits.test(text) || Number(text) > highest) throw new InvalidArgumentError(hint);
    return Number(text);
  };

export const parseCount = wholeNumber(/^[1-9]\d{0,5}$/, "Enter a whole number above 0.");
/** Parses the value of a limit: a whole number, which may be 0. */
export const parseLimit = wholeNumber(/^\d{1,9}$/, "Enter a whole number, 0 for none.");
export const parseProjects = wholeNumber(/^[1-9]\d{0,5}$/, "Enter a number of projects, such as 50.");
export const parsePort = wholeNumber(
  /^\d{1,5}$/,
  "Enter a port between 0 and 65535; 0 picks a free one.",
  65_535,
);

/** Parses a shard, such as `3/10`. */
export function parseShard(text: string): Shard {
  const [, number, total] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  const shard = { number: Number(number), total: Number(total) };
  if (number === undefined || shard.number > shard.total)
    throw new InvalidArgumentError("Enter a number and a total, such as 3/10 for the third of ten parts.");
  return shard;
}

/** Parses `true` or `false`, as in `--lock=false`. */
export function parseSwitch(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidArgumentError("Enter true or false.");
  return text === "true";
}

/** Parses `NAME=VALUE`, as in `--var`. */
export function parseAssignment(text: string): { readonly name: string; readonly value: string } {
  const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Enter NAME=VALUE.");
  return { name, value };
}

/** Parses a SHA-256 digest in hexadecimal, with or without the prefix `sha256:`. */
export function parseDigest(text: string): string {
  const [, digest] = /^(?:sha256:)?([0-9a-f]{64})$/.exec(text.toLowerCase()) ?? [];
  if (digest === undefined) throw new InvalidArgumentError("A SHA-256 has 64 hexadecimal digits.");
  return digest;
}

/**
 * Returns the list with one more platform. `text` has Go's names of the operating system and the architecture, such as
 * `linux_amd64`.
 */
export function parsePlatforms(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[a-z0-9]+_[a-z0-9]+$/.test(text)) {
    throw new InvalidArgumentError(
      "Enter an operating system and an architecture, such as linux_amd64 or darwin_arm64.",
    );
  }
  return [...new Set([...before, text])];
}
