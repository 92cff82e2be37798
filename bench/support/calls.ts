// Counts how often a command calls the functions of its program. The count depends little on the machine, its load and
// the compiler: two runs differ by about 1 %.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { steward } from "./command";

/** The part of a coverage file of V8 that is used here. The first range of a function is the whole function. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

const PROGRAM = "/dist/bundle/program.js";

/**
 * Runs the built command, and returns the number of calls of all functions in its bundle, libraries included.
 * @throws Error if V8 wrote no coverage of the bundle
 */
export async function countCalls(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-calls-"));
  try {
    await steward(words, { ...env, NODE_V8_COVERAGE: folder });
    const calls = readdirSync(folder)
      .map((name): Coverage => JSON.parse(readFileSync(path.join(folder, name), "utf8")))
      .reduce((sum, coverage) => sum + callsIn(coverage), 0);
    if (calls === 0) throw new Error(`There is no coverage of ${PROGRAM}. Build first: npm run build`);
    return calls;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const callsIn = ({ result }: Coverage): number =>
  result
    .filter(({ url }) => url.endsWith(PROGRAM))
    .flatMap(({ functions }) => functions)
    .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
