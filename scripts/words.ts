import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Baseline, grown, lowered, moved, readBaseline, writeBaseline } from "./words/baseline";
import { checkedFiles } from "./words/files";
import { readGlossary } from "./words/glossary";
import { createLint, type Finding, type Lint } from "./words/lint";

const HELP = `Checks that pages, comments, test titles, messages and help are plain English, with the glossary's terms.

  npm run words                      fails if a file has more findings than scripts/words/baseline.txt allows
  npm run words -- FILE...           prints all findings of these files
  npm run words -- --update          lowers the baseline to the current findings; never raises it
  npm run words -- --move OLD NEW... carries the baseline of a file to the files that its text moved to
`;

/** The root of the project, because `npm run` starts scripts there. */
const ROOT = process.cwd();
const BASELINE = path.join(ROOT, "scripts/words/baseline.txt");

async function main(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  if (first === "--help" || (first?.startsWith("-") && first !== "--update" && first !== "--move")) {
    process.stderr.write(HELP);
    return 1;
  }
  const lint = await createLint(readGlossary(path.join(ROOT, "docs/glossary.md")));
  if (first !== undefined && !first.startsWith("-")) return printAll(lint, words);
  const findings = await findAll(lint);
  const current = new Map([...findings].map(([file, { length }]) => [file, length]));
  const before = readBaseline(BASELINE);
  if (first === "--move") return move(before ?? new Map(), current, rest);
  if (first === "--update" || before === undefined) {
    writeBaseline(BASELINE, lowered(before, current));
    process.stdout.write(`${total(lowered(before, current))} findings are left in the baseline.\n`);
  }
  const files = grown(readBaseline(BASELINE)!, current);
  if (files.length === 0) {
    process.stdout.write(`No new findings; ${total(current)} old ones in ${current.size} files.\n`);
    return 0;
  }
  for (const file of files) await explain(lint, file, findings.get(file)!, before?.get(file) ?? 0);
  process.stderr.write(ADVICE);
  return 1;
}

const ADVICE = `
Write these texts in plain English: name the thing, make it the subject, one fact in a sentence of at most 25 words.
Old findings count too: once you mend some, "npm run words -- --update" lowers the baseline.
If a file was renamed or split, carry its baseline over: npm run words -- --move OLD NEW...
If the check is wrong, mend its pattern in scripts/words/patterns.ts. The baseline is never raised by hand.
`;

/** Prints the findings that are new since the last change of the baseline. Without git, prints all findings. */
async function explain(
  lint: Lint,
  file: string,
  findings: readonly Finding[],
  allowed: number,
): Promise<void> {
  const known = new Map<string, number>();
  for (const { message } of await lint(file, textOfBaseline(file)))
    known.set(message, (known.get(message) ?? 0) + 1);
  const fresh = findings.filter(({ message }) => {
    const left = known.get(message) ?? 0;
    known.set(message, left - 1);
    return left <= 0;
  });
  process.stderr.write(`\n${file}: ${findings.length} findings, ${allowed} allowed. `);
  process.stderr.write(fresh.length === 0 ? "All of them:\n" : "New ones:\n");
  print(file, fresh.length === 0 ? findings : fresh);
}

const print = (file: string, findings: readonly Finding[], to: NodeJS.WritableStream = process.stderr) => {
  for (const { line, message } of findings) to.write(`  ${file}:${line}: ${message}\n`);
};

/**
 * Returns the text of a file in the commit that last changed the baseline. Returns an empty text without git, or if the
 * file is new.
 */
function textOfBaseline(file: string): string {
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const commit = git("log", "-1", "--format=%H", "--", path.relative(ROOT, BASELINE)).trim();
    return commit === "" ? "" : git("show", `${commit}:${file}`);
  } catch {
    return "";
  }
}

async function findAll(lint: Lint): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const found = new Map<string, readonly Finding[]>();
  for (const file of checkedFiles(ROOT)) {
    const findings = await lint(file, readFileSync(path.join(ROOT, file), "utf8"));
    if (findings.length > 0) found.set(file, findings);
  }
  return found;
}

async function printAll(lint: Lint, files: readonly string[]): Promise<number> {
  for (const file of files) {
    const text = readFileSync(path.resolve(ROOT, file), "utf8");
    const relative = path.relative(ROOT, path.resolve(ROOT, file)).split(path.sep).join("/");
    print(relative, await lint(relative, text), process.stdout);
  }
  return 0;
}

function move(before: Baseline, current: Baseline, [from, ...to]: readonly string[]): number {
  const missing = to.find((file) => !existsSync(path.join(ROOT, file)));
  if (from === undefined || to.length === 0 || missing !== undefined) {
    process.stderr.write(missing === undefined ? HELP : `${missing} does not exist.\n`);
    return 1;
  }
  const after = moved(before, current, from, to);
  if (after === undefined) {
    process.stderr.write(`${to.join(", ")} have more findings than ${from} had.\n`);
    return 1;
  }
  writeBaseline(BASELINE, after);
  return 0;
}

const total = (counts: Baseline) => [...counts.values()].reduce((sum, count) => sum + count, 0);

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (problem: unknown) => {
    console.error(problem);
    process.exitCode = 1;
  },
);
