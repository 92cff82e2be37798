import { readStory, tell } from "./notation";
import type { Story } from "./story";

/** Returns true if a story fails in the expected way. */
export type Fails = (story: Story) => Promise<boolean>;

/** Returns the smallest story that it finds and that still fails. Removes steps and faults, and makes steps simpler. */
export async function shrink(story: Story, fails: Fails): Promise<Story> {
  let best = story;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const text of simpler(tell(best).split("\n"))) {
      const candidate = readable(text);
      if (candidate === undefined || !(await fails(candidate))) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Reads a story from its remaining lines. Returns undefined if these lines are not a valid story. */
function readable(lines: readonly string[]): Story | undefined {
  try {
    return readStory(lines.join("\n"));
  } catch {
    return undefined;
  }
}

/** Yields smaller versions of a story: without some of its lines, or with one simpler line. */
function* simpler(lines: readonly string[]): Generator<readonly string[]> {
  for (let size = Math.floor(lines.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at + size <= lines.length; at += size)
      yield [...lines.slice(0, at), ...lines.slice(at + size)];
  for (const [index, line] of lines.entries())
    for (const one of simplerLines(line)) yield lines.with(index, one);
}

const SIMPLER: readonly (readonly [words: RegExp, instead: string])[] = [
  // Two runners become one runner.
  [/^both (.+) and \d+ ms later .*$/, "$1"],
  [/^both .+ and \d+ ms later (.+?)(?:, in turns .*)?$/, "$1"],
  [/ in stack \w+/, ""],
  [/^(a run uses a list of .+) \w+(:.*)$/, "$1$2"],
  [/the power fails/, "dies"],
  [/^(?:repair|destroy|save)\b/, "apply"],
  [/^(declare .*?)(?: with \d+)?((?: in stack \w+)?(?:, .*)?)$/, "$1 with 0$2"],
];

/** Yields simpler versions of a step: without one of its faults or notes, or with simpler words. */
function* simplerLines(line: string): Generator<string> {
  const [, fleets] = /^the fleets are (.*)$/.exec(line) ?? [];
  if (fleets !== undefined) {
    for (const one of simplerJson(JSON.parse(fleets))) yield `the fleets are ${JSON.stringify(one)}`;
    return;
  }
  const [, start, separator, rest] = /^([^:,]*)(: |, )(.*)$/.exec(line) ?? [];
  const parts = rest?.split(", ") ?? [];
  for (const [index] of parts.entries()) {
    const others = parts.filter((_, other) => other !== index).join(", ");
    yield `${start}${others === "" ? "" : separator}${others}`;
  }
  for (const [words, instead] of SIMPLER) {
    const one = line.replace(words, instead);
    if (one !== line) yield one;
  }
}

/**
 * Yields simpler versions of a JSON value: without one array element or one optional property, at any depth. The array
 * of stacks keeps all its elements.
 */
function* simplerJson(value: unknown, depth = 0): Generator<unknown> {
  if (Array.isArray(value)) {
    if (depth !== 1) for (const at of value.keys()) yield value.toSpliced(at, 1);
    for (const [at, one] of value.entries())
      for (const other of simplerJson(one, depth + 1)) yield value.with(at, other);
  } else if (typeof value === "object" && value !== null)
    for (const [name, one] of Object.entries(value)) {
      if (OPTIONAL.has(name)) yield Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
      for (const other of simplerJson(one, depth + 1)) yield { ...value, [name]: other };
    }
}

const OPTIONAL = new Set(["after", "crashAt", "isOld", "web", "api", "docs", "tools"]);
