import { lstat, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { projectFiles } from "../../adopt";
import { fail } from "../../diagnostics";
import type { ContainerSelection } from "../../engine";
import { describeFileProblem, replaceFile, systemCode } from "../../files";
import { type NewFile, sampleApp } from "../../init";
import type { InitArguments } from "../arguments/adopt";
import type { Terminal } from "../terminal/terminal";
import { appDependencies } from "../version";
import { writeFixtureIgnored, writeNewApp } from "../views/command-results";
import { adoptNew } from "./adopt";
import { snapshot } from "./snapshot";

const FIXTURE = "fixture.yaml";

/** Creates an app: a sample, or one for live settings. */
export const init = (args: InitArguments, terminal: Terminal): Promise<number> =>
  args.from === undefined ? initSample(args, terminal) : initFrom(args, args.from, terminal);

async function initSample(args: InitArguments, terminal: Terminal): Promise<number> {
  const folder = path.resolve(terminal.folder, args.folder);
  const files = [...sampleApp(args.backend), ...projectFiles(path.basename(folder), appDependencies(), true)];
  await writeAll(folder, files);
  writeNewApp(files, args, terminal);
  return 0;
}

/** Writes all files, or none if one of them exists. */
async function writeAll(folder: string, files: readonly NewFile[]): Promise<void> {
  const existing: string[] = [];
  for (const file of files) if (await isPresent(path.join(folder, file.path))) existing.push(file.path);
  if (existing.length > 0)
    fail({
      code: "new_app_file_exists",
      summary: "Files already exist",
      detail: `${folder} has ${existing.join(", ")} already, so nothing was written. Give a new folder.`,
    });
  try {
    await mkdir(folder, { recursive: true });
    for (const file of files) await replaceFile(path.join(folder, file.path), [file.text], "anyone");
  } catch (problem) {
    notWritten(folder, problem);
  }
}

const isPresent = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    (problem) => (systemCode(problem) === "ENOENT" ? false : notWritten(file, problem)),
  );

/** Adopts the live settings, and takes a snapshot of the same projects and groups as the fixture. */
async function initFrom(
  args: InitArguments,
  selection: ContainerSelection,
  terminal: Terminal,
): Promise<number> {
  const { json, color, folder, includeEmails } = args;
  const adopted = await adoptNew(
    { ...args, selection, target: folder, isInto: false, format: "ts" },
    terminal,
    true,
  );
  if (adopted !== 0) return adopted;
  const file = path.join(folder, FIXTURE);
  const taken = await snapshot({ json, color, selection, file, anonymize: false, force: true }, terminal);
  if (taken === 0 && !includeEmails && (await hideAddresses(path.resolve(terminal.folder, folder))))
    writeFixtureIgnored(FIXTURE, { json, color }, terminal);
  return taken;
}

/** Adds a fixture with e-mail addresses to `.gitignore`; returns whether it has any. */
async function hideAddresses(folder: string): Promise<boolean> {
  if (!/[^\s@"']@[\w-]+\./.test(await readFile(path.join(folder, FIXTURE), "utf8"))) return false;
  const ignored = path.join(folder, ".gitignore");
  const text = await readFile(ignored, "utf8");
  if (!text.split("\n").includes(FIXTURE))
    await replaceFile(ignored, [`${text}# It has e-mail addresses of people.\n${FIXTURE}\n`], "anyone");
  return true;
}

const notWritten = (what: string, problem: unknown): never =>
  fail({
    code: "new_app_not_written",
    summary: "The app can't be written",
    detail: `${what} can't be used: ${describeFileProblem(problem)}. Check the path and its permissions.`,
  });
