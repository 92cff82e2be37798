import path from "node:path";
import fc from "fast-check";
import { CODES } from "../../../src/diagnostics";
import { beginInProcess } from "../../cli/support/in-process";
import { TOKENS } from "../../cli/support/place";
import { describeWith, runs, seed } from "../../support/capabilities";
import { damaged, damages } from "../../support/damage";
import { FileMatrix, KINDS, type Kind, type Target } from "./file-matrix";

// The tests damage the files that commands read. Each command must return a correct result, or end with diagnostics. A
// command must not change an unreadable file or an object on the service.

jest.setTimeout(runs(120_000, 3_600_000));

let matrix: FileMatrix;
beforeAll(async () => {
  matrix = await FileMatrix.open();
});
afterAll(() => matrix.close());

/** Returns the number of damages to try on each target. */
const EACH = (targets: number): number => Math.ceil(runs(60, 4000) / targets);
/**
 * Returns the two commands that the test runs for one kind of irregular file. Each kind of file gets different commands.
 */
const chosen = (commands: Target["commands"], kind: number): Target["commands"] =>
  commands.filter((_, index) => (index + 2 * kind) % Math.ceil(commands.length / runs(2, 20)) === 0);

/** Text that no output may contain: internal errors, tokens, and control sequences for terminals or CI systems. */
const NEVER = [
  /Internal error|internal_error|\n\s+at .*:\d+:\d+/,
  /TypeError|RangeError|is not a function|Cannot (?:read|destructure)|Maximum call stack|\[object Object\]/,
  new RegExp(Object.values(TOKENS).join("|")),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters in the output.
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]|^(?:::|##vso)/m,
];

/** Runs a command on a damaged file, and returns the rules that the command broke. */
async function wrongIn(target: Target, command: readonly string[]): Promise<unknown> {
  const { place } = matrix;
  const before = matrix.contents();
  place.service.requests.reset();
  const env = { ...place.env, ...target.env };
  const run = beginInProcess(command.map(named), { folder: place.folder, env });
  if (target.ends === true) {
    await run.wrote("listening on").then(
      () => run.interrupt(),
      // `serve` can end before it listens, because it refuses the damaged file.
      () => undefined,
    );
  }
  const { code, out, err } = await run.ended;
  const wrong = [
    ...NEVER.flatMap((pattern) => pattern.exec(`${out}${err}`)?.slice(0, 1) ?? []).map((found) => ({
      found,
    })),
    ...place.service.requests.all.filter(({ method }) => method !== "GET"),
    ...(code === 1 || !target.sealed ? [] : ["it was taken for sound"]),
    ...(code === 1 ? untold(out, err) : []),
  ];
  // A failed command must not change any file. A successful command may write files, because some commands have this task.
  const after = matrix.contents();
  if (code === 1 && JSON.stringify(after) !== JSON.stringify(before)) wrong.push("a file was changed");
  return wrong.length === 0 ? undefined : { wrong, code, out, err };
}

/** `serve` needs an absolute path, because the process does not run in the folder of the test. */
const named = (word: string): string =>
  word.startsWith("@") ? path.join(matrix.place.folder, word.slice(1)) : word;

/**
 * Returns the mistakes in the output of a failed command. The command must print an error for people, or JSON events with
 * registered codes.
 */
function untold(out: string, err: string): unknown[] {
  const codes = out
    .split("\n")
    .filter((line) => line.startsWith("{") && line.includes('"@level":"error"'))
    .map((line) => (JSON.parse(line) as { diagnostic?: { code?: string } }).diagnostic?.code ?? line);
  if (codes.length > 0)
    return codes.filter((code) => !CODES.has(code)).map((code) => ({ unregistered: code }));
  return err.includes("Error:") ? [] : ["no error is told"];
}

test("with a damaged file, no command crashes or sends a write", async () => {
  const { targets } = matrix;
  const wrong: unknown[] = [];
  let count = 0;
  for (const [index, target] of targets.entries()) {
    const cases = fc.record({ command: fc.constantFrom(...target.commands), damage: damages });
    for (const { command, damage } of fc.sample(cases, {
      numRuns: EACH(targets.length),
      seed: seed + index,
    })) {
      matrix.restore(target);
      const sound = matrix.soundOf(target);
      const bytes = damaged(sound, damage);
      if (bytes.equals(sound)) continue;
      matrix.write(target, bytes);
      count += 1;
      const found = await wrongIn(target, command);
      if (found !== undefined) wrong.push({ file: target.file, command, damage, found });
    }
  }
  process.stderr.write(`damaged files: ${count}\n`);
  expect(wrong).toEqual([]);
});

describe("a file that is not regular", () => {
  const endsEach = (kinds: readonly Kind[]): void =>
    test.each(kinds)(
      "if a file is replaced by a %s, no command that reads the file hangs, crashes or sends a write",
      async (kind) => {
        const wrong: unknown[] = [];
        for (const target of matrix.targets) {
          // If the user names a pipe, the command must wait, because another process may still write to the pipe. The test
          // skips pipes that a user names.
          if (kind === "pipe" && !target.own) continue;
          for (const command of chosen(target.commands, KINDS.indexOf(kind))) {
            matrix.restore(target);
            matrix.putKind(target, kind);
            const found = await wrongIn(target, command);
            if (found !== undefined) wrong.push({ file: target.file, command, kind, found });
          }
        }
        expect(wrong).toEqual([]);
      },
    );

  endsEach(KINDS.filter((kind) => kind !== "pipe"));
  describeWith("mkfifo", "pipes", () => endsEach(["pipe"]));
});
