import path from "node:path";
import {
  type AdoptedFile,
  AdoptionFolder,
  EMAILS_FILE,
  fromListing,
  type LiveSettings,
  writeConfiguration,
  writeTypeScriptApp,
} from "../../adopt";
import { hasErrors } from "../../diagnostics";
import type { ContainerSelection } from "../../engine";
import { besideAdoptedApp, stateFile } from "../../init";
import type { AdoptArguments } from "../arguments/adopt";
import { eachStack } from "../run/each-stack";
import { loadProviderOnly, ownProvider } from "../stacks/providers";
import type { Terminal } from "../terminal/terminal";
import { appDependencies } from "../version";
import { type Adoption, writeAdoption } from "../views/adopted";
import { adoptInto, review } from "./adopt-into";

/** Writes an app or a configuration for live settings, or adds to one. Sends only reads, and writes no state. */
export const adopt = (args: AdoptArguments, terminal: Terminal): Promise<number> =>
  args.isInto ? adoptInto(args, terminal) : adoptNew(args, terminal);

/**
 * Writes a new app for live settings.
 *
 * @param isProject whether it gets a test and a pipeline; its fixture is for the caller to write
 */
export async function adoptNew(args: AdoptArguments, terminal: Terminal, isProject = false): Promise<number> {
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
