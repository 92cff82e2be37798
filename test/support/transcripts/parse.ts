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
  /** Above the first title: the service and what precedes each test, or all of them. */
  readonly head: readonly Step[];
  readonly tests: readonly Told[];
}

/** Reads a transcript: steps, one a line, below titles ("== …"). test/README.md lists their words. */
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
  /** The first line of the file that it is from. */
  readonly number: number;
}

/** A line that ends in a backslash continues on the next one, whose indentation does not count. */
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

/** The words of a command line, as a shell splits them: with quotes, without expansion. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
  );
