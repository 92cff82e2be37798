import { readFileSync } from "node:fs";
import path from "node:path";

/** One line of a transcript, with the indented lines below it. */
export interface Step {
  readonly word: string;
  readonly rest: string;
  readonly block: string;
  readonly at: string;
}

interface Told {
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface Transcript {
  /**
   * The steps above the first title. These steps set up the service, and run before each test, or once before all
   * tests.
   */
  readonly head: readonly Step[];
  readonly tests: readonly Told[];
}

/**
 * Reads a transcript. A transcript has titles ("== …"), and one step on each line below them. test/README.md lists the
 * words of steps.
 */
export function readTranscript(folder: string, name: string): Transcript {
  const file = `${name}.transcript`;
  const lines = joinedLines(readFileSync(path.join(folder, file), "utf8").trimEnd().split("\n"));
  const head: Step[] = [];
  const tests: { title: string; steps: Step[] }[] = [];
  for (let at = 0; at < lines.length; at++) {
    const { text: line, number } = lines[at]!;
    if (line === "" || line.startsWith("# ")) continue;
    if (line.startsWith("== ")) {
      tests.push({ title: line.slice(3), steps: [] });
      continue;
    }
    const space = line.indexOf(" ");
    const [word, rest] = space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
    const block: string[] = [];
    while (lines[at + 1]?.text.startsWith("  ")) block.push(lines[++at]!.text.slice(2));
    (tests.at(-1)?.steps ?? head).push({ word, rest, block: block.join("\n"), at: `${file}:${number}` });
  }
  return { head, tests };
}

interface Line {
  readonly text: string;
  /** The number of its first line in the file. */
  readonly number: number;
}

/** Joins each line that ends with a backslash with the next line, without the indentation of the next line. */
function joinedLines(lines: readonly string[]): Line[] {
  const joined: Line[] = [];
  for (let at = 0; at < lines.length; at++) {
    const number = at + 1;
    let text = lines[at]!;
    while (text.endsWith("\\") && at + 1 < lines.length) text = text.slice(0, -1) + lines[++at]!.trimStart();
    joined.push({ text, number });
  }
  return joined;
}

/** Splits a command line into words as a shell does. Quotes count, but nothing is expanded. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
  );
