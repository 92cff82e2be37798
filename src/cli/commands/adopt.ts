import { lstat, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import {
  type AdoptedFile,
  AdoptionFolder,
  EMAILS_FILE,
  fromListing,
  type LiveSettings,
  projectFiles,
  writeConfiguration,
  writeTypeScriptApp,
} from "../../adopt";
import { fail, hasErrors } from "../../diagnostics";
import type { ContainerSelection } from "../../engine";
import { describeFileProblem, replaceFile, systemCode } from "../../files";
import { besideAdoptedApp, type NewFile, sampleApp, stateFile } from "../../init";
import type { AdoptArguments, InitArguments } from "../arguments/adopt";
import { eachStack } from "../run/each-stack";
import { loadProviderOnly, ownProvider } from "../stacks/providers";
import type { Terminal } from "../terminal/terminal";
import { appDependencies } from "../version";
import { type Adoption, writeAdoption } from "../views/adopted";
import { writeFixtureIgnored, writeNewApp } from "../views/command-results";
import { adoptInto, review } from "./adopt-into";

/** Writes an app or a configuration for live settings, or adds to one. Sends only reads, and writes no state. */
export const adopt = (args: AdoptArguments, terminal: Terminal): Promise<number> =>
  args.isInto ? adoptInto(args, terminal) : adoptNew(args, terminal);

/**
 * Writes a new app for live settings.
 *
 * @param isProject whether it gets a test and a pipeline; its fixture is for the caller to write
 */
async function adoptNew(args: AdoptArguments, terminal: Terminal, isProject = false): Promise<number> {
  // Before any request: a folder that can't be used is known at once.
  const folder = await AdoptionFolder.open(path.resolve(terminal.folder, args.target));
  let adoption: Adoption | undefined;
  const outcome = await eachStack(
    args,
    terminal,
    { load: () => loadProviderOnly(terminal) },
    async (stack, view) => {
      const listing = await stack.listLive(args.selection);
      const { problems, isWritten } = review(listing, args.selection, folder.isAdopted);
      view.diagnostics(problems);
      if (!isWritten) return "failed";
      const settings = fromListing(listing, ownProvider(terminal).schema);
      adoption = { args, settings, files: await folder.write(filesOf(settings, args, folder, isProject)) };
      return hasErrors(problems) ? "failed" : "found";
    },
  );
  if (adoption !== undefined) writeAdoption(adoption, terminal);
  return outcome === "failed" ? 1 : 0;
}

function filesOf(
  settings: LiveSettings,
  { format, allSettings, includeEmails, backend, selection, target }: AdoptArguments,
  { knownEmails }: AdoptionFolder,
  isProject: boolean,
): AdoptedFile[] {
  const options = { allSettings, includeEmails, knownEmails };
  if (format !== "ts") return writeConfiguration(settings, { ...options, format });
  const name = nameOf(settings, selection, target);
  const hasStateFile = isProject || backend !== undefined;
  const dependencies = appDependencies();
  const app = writeTypeScriptApp(settings, { ...options, name, dependencies, isProject, hasStateFile });
  if (hasStateFile) app.push(stateFile(backend));
  const emailsFile = app.find(({ path: file }) => file === EMAILS_FILE)?.path;
  return isProject ? [...app, ...besideAdoptedApp(emailsFile)] : app;
}

/** The name of the app: the path of the only project or group that was named, or else the folder. */
function nameOf({ containers }: LiveSettings, { names }: ContainerSelection, folder: string): string {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return path.basename(path.resolve(folder));
  const named = containers.find(({ id, path: full }) => name === String(id) || name === full);
  return named?.path ?? name;
}

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
async function initFrom(args: InitArguments, selection: ContainerSelection, terminal: Terminal) {
  const { json, color, folder, includeEmails } = args;
  const adopted = await adoptNew(
    { ...args, selection, target: folder, isInto: false, format: "ts" },
    terminal,
    true,
  );
  if (adopted !== 0) return adopted;
  const file = path.join(folder, FIXTURE);
  // Loaded on use: only a fixture needs the embedded service.
  const { snapshot }: typeof import("./snapshot") = require("./snapshot");
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
