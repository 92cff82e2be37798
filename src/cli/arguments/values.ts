import { InvalidArgumentError } from "commander";

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

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("Enter a whole number above 0.");
  return Number(text);
}

/** Parses `true` or `false`, as in `--lock=false`. */
export function parseSwitch(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidArgumentError("Enter true or false.");
  return text === "true";
}

export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError("Enter a port between 0 and 65535; 0 picks a free one.");
  }
  return Number(text);
}

/** Parses `NAME=VALUE`, as in `--var`. */
export function parseAssignment(text: string): { readonly name: string; readonly value: string } {
  const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Enter NAME=VALUE.");
  return { name, value };
}

/** Adds a platform, with Go's names for operating system and architecture. */
export function parsePlatforms(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[a-z0-9]+_[a-z0-9]+$/.test(text)) {
    throw new InvalidArgumentError(
      "Enter an operating system and an architecture, such as linux_amd64 or darwin_arm64.",
    );
  }
  return [...new Set([...before, text])];
}
