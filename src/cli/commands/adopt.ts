import { readFile } from "node:fs/promises";
import path from "node:path";
import {
  type AdoptedFile,
  AdoptionFolder,
  defaultStackUnit,
  EMAILS_FILE,
  fromListing,
  type LiveSettings,
  projectFiles,
  type StackUnit,
  writeConfiguration,
  writeTypeScriptApp,
} from "../../adopt";
import { DiagnosticError, fail, hasErrors } from "../../diagnostics";
import type { ContainerSelection, LiveListing } from "../../engine";
import {
  adviceForWriting,
  describeFileProblem,
  type FileOfSet,
  occupiedOf,
  requireRegularFile,
  SetProblem,
  writeSet,
} from "../../files";
import { besideAdoptedApp, type NewFile, sampleApp, standInAddress, stateFile } from "../../init";
import { parseJson } from "../../json";
import { dayAfter, MAX_WAIVER_DAYS } from "../../provider";
import { shellWord } from "../../text";
import type { AdoptArguments, InitArguments } from "../arguments/adopt";
import { waiverLines } from "../findings/waivers";
import { OUTPUT_KINDS } from "../outputs/kinds";
import { eachStack } from "../stack-runs/each-stack";
import { loadProviderOnly, ownProvider } from "../stack-runs/providers";
import type { Terminal } from "../terminal/terminal";
import { appDependencies } from "../version";
import { type Adoption, writeAdoption } from "../views/adopted";
import { writeNewApp } from "../views/command-results";
import { adoptInto, review } from "./adopt-into";

/**
 * Writes an app or a configuration that declares live settings, or adds the declarations to an existing app or configuration.
 * Sends only read requests, and writes no state.
 */
export const adopt = (args: AdoptArguments, terminal: Terminal): Promise<number> =>
  args.isInto ? adoptInto(args, terminal) : adoptNew(args, terminal);

/**
 * Writes a new app or configuration that declares the live settings.
 *
 * @param isProject whether the app gets a test and a pipeline. The caller writes the fixture of this test
 */
async function adoptNew(args: AdoptArguments, terminal: Terminal, isProject = false): Promise<number> {
  // Opens the folder before any request, to report an unusable folder early.
  const folder = await AdoptionFolder.open(path.resolve(terminal.folder, args.target), args.force);
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
      const stackPer = args.format === "ts" ? stackUnitOf(settings, args, folder) : undefined;
      const files = filesOf(settings, { ...args, stackPer }, folder, isProject && listing);
      adoption = { args, settings, files: await folder.write(files, stackPer) };
      return hasErrors(problems) ? "failed" : "found";
    },
  );
  if (adoption !== undefined) writeAdoption(adoption, terminal);
  return outcome === "failed" ? 1 : 0;
}

/**
 * Returns the unit for which the app gets one stack, such as a project. A second adoption uses the unit of the first
 * adoption, unless `--stack-per` names another unit.
 */
const stackUnitOf = (
  { containers }: LiveSettings,
  { stackPer }: Pick<AdoptArguments, "stackPer">,
  folder: AdoptionFolder,
): StackUnit =>
  stackPer ?? folder.stackPer ?? defaultStackUnit(containers.filter(({ kind }) => kind === "project").length);

function filesOf(
  settings: LiveSettings,
  { format, allSettings, includeEmails, backend, selection, target, stackPer }: AdoptArguments,
  { knownEmails }: AdoptionFolder,
  listing: LiveListing | false,
): AdoptedFile[] {
  const isProject = listing !== false;
  const options = { allSettings, includeEmails, knownEmails, stackPer };
  if (format !== "ts") return writeConfiguration(settings, { ...options, format });
  const name = nameOf(settings, selection, target);
  const hasStateFile = isProject || backend !== undefined;
  const dependencies = appDependencies();
  const app = writeTypeScriptApp(settings, { ...options, name, dependencies, isProject, hasStateFile });
  if (hasStateFile) app.push(stateFile(backend));
  const emails = app.find(({ path: file }) => file === EMAILS_FILE);
  if (!isProject) return app;
  const scope = {
    emails: Object.keys(emailsIn(emails?.text)),
    groupOptions: groupOptions(settings, selection),
    waivers: waiversOf(listing),
  };
  return [...app, ...besideAdoptedApp(scope)];
}

/** Returns the options with which a drift run searches the groups that the command line names. */
function groupOptions({ containers }: LiveSettings, { names, contents }: ContainerSelection): string {
  const named = containers.filter(
    ({ kind, id, path: full }) => kind === "group" && (names.includes(full) || names.includes(String(id))),
  );
  if (named.length === 0) return "";
  const nested = contents === "nested" ? " --include-subgroups" : "";
  return `${named.map(({ path: full }) => `--group ${shellWord(full)}`).join(" ")}${nested}`;
}

/**
 * Returns waivers for the lists that the service did not let the token read. Without these waivers, each hourly drift run with
 * the same role would fail at these lists.
 */
const waiversOf = ({ failures }: LiveListing): string[] =>
  failures
    .filter(({ isRefused }) => isRefused)
    .flatMap(({ type, container }) =>
      waiverLines({
        setting: `${type} ${container.path}`,
        kind: "unlisted",
        project: container.path,
        reason: "the token of the adoption may not list them",
        owner: "not named yet",
        until: dayAfter(new Date(), MAX_WAIVER_DAYS),
      }),
    );

/** Returns the e-mail addresses in the text of `emails.json`. The keys are the names that the code uses for these addresses. */
const emailsIn = (text: string | undefined): Readonly<Record<string, string>> =>
  text === undefined ? {} : (parseJson(text) as { readonly emails: Readonly<Record<string, string>> }).emails;

/** Returns the name of the app: the path of the only project or group on the command line, otherwise the name of the folder. */
function nameOf({ containers }: LiveSettings, { names }: ContainerSelection, folder: string): string {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return path.basename(path.resolve(folder));
  const named = containers.find(({ id, path: full }) => name === String(id) || name === full);
  return named?.path ?? name;
}

const FIXTURE = "fixture.yaml";

/** Creates an app: a sample, or an app that declares live settings. */
export const init = (args: InitArguments, terminal: Terminal): Promise<number> =>
  args.from === undefined ? initSample(args, terminal) : initFrom(args, args.from, terminal);

async function initSample(args: InitArguments, terminal: Terminal): Promise<number> {
  const folder = path.resolve(terminal.folder, args.folder);
  const files = [...sampleApp(args.backend), ...projectFiles(path.basename(folder), appDependencies(), true)];
  await writeAll(folder, files, args.force);
  writeNewApp(files, args, terminal);
  return 0;
}

const readJson = (content: Buffer): unknown => parseJson(content.toString("utf8"));

/** Writes all files. Without `force`, writes no file if one of the files already exists with other content. */
async function writeAll(folder: string, files: readonly NewFile[], force: boolean): Promise<void> {
  const set = files.map((file): FileOfSet => {
    const reader = file.path.endsWith(".json") ? readJson : "text";
    return { file: path.join(folder, file.path), content: file.text, reader, audience: "anyone" };
  });
  try {
    const existing = occupiedOf(set).map(({ file }) => path.relative(folder, file));
    if (existing.length > 0 && !force) filesExist(folder, existing);
    await writeSet(set);
  } catch (problem) {
    notWritten(folder, problem);
  }
}

const filesExist = (folder: string, existing: readonly string[]): never =>
  fail({
    code: "new_app_file_exists",
    summary: "Files already exist",
    detail: `${folder} already contains ${existing.join(", ")}. Nothing was written. Choose a new folder, or replace these files with --force.`,
  });

/** Adopts live settings. A snapshot of the adopted projects and groups becomes the fixture of the app's test. */
async function initFrom(args: InitArguments, selection: ContainerSelection, terminal: Terminal) {
  const { json, color, folder, includeEmails, force } = args;
  const file = path.join(folder, FIXTURE);
  // Checks the fixture before any request, to report early that Steward may not replace a file that is not a snapshot.
  requireFixture(path.resolve(terminal.folder, file), force);
  const adopted = await adoptNew(
    { ...args, selection, target: folder, isInto: false, format: "ts" },
    terminal,
    true,
  );
  if (adopted !== 0) return adopted;
  // The module is loaded on use: only a fixture needs the embedded service.
  const { snapshot }: typeof import("./snapshot") = require("./snapshot");
  const replaceAddress = await standIns(path.resolve(terminal.folder, folder));
  const hidden = includeEmails ? {} : { replaceAddress };
  return snapshot({ json, color, selection, file, anonymize: false, force, ...hidden }, terminal);
}

/**
 * Returns a function that replaces the e-mail addresses in the fixture. Users can then commit the fixture, and the test of the
 * app runs in every clone.
 */
async function standIns(folder: string): Promise<(address: string) => string> {
  const known = await readFile(path.join(folder, EMAILS_FILE), "utf8").then(emailsIn, () => ({}));
  const names = new Map(Object.entries(known).map(([name, address]) => [address, name]));
  return (address) => {
    const name = names.get(address) ?? `person-${names.size + 1}`;
    names.set(address, name);
    return standInAddress(name);
  };
}

/**
 * Refuses to replace an existing fixture that no snapshot wrote, unless `force` is set. @throws DiagnosticError
 * `new_app_file_exists`
 */
function requireFixture(file: string, force: boolean): void {
  try {
    const occupied = occupiedOf([{ file, content: "", reader: "text", isOwn: OUTPUT_KINDS.snapshot.isOwn }]);
    if (occupied.length > 0 && !force) filesExist(path.dirname(file), [FIXTURE]);
    requireRegularFile(file, "refuse");
  } catch (problem) {
    notWritten(file, problem);
  }
}

function notWritten(what: string, problem: unknown): never {
  if (problem instanceof DiagnosticError) throw problem;
  const { file, cause } = problem instanceof SetProblem ? problem : { file: what, cause: problem };
  return fail({
    code: "new_app_not_written",
    summary: "The app can't be written",
    detail: `${file} can't be used: ${describeFileProblem(cause)}. ${adviceForWriting(cause)}, or give another folder. Nothing was replaced.`,
  });
}
