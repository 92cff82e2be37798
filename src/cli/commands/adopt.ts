import path from "node:path";
import {
  type AdoptedFile,
  AdoptionFolder,
  fromListing,
  type LiveSettings,
  writeConfiguration,
  writeTypeScriptApp,
} from "../../adopt";
import { type Diagnostic, error, hasErrors, warning } from "../../diagnostics";
import type { ContainerSelection, LiveListing } from "../../engine";
import type { AdoptArguments } from "../arguments/adopt";
import { withoutStacks } from "../arguments/stack-options";
import { eachStack } from "../run/each-stack";
import { ownProvider } from "../stacks/providers";
import { loadProviderOnly } from "../stacks/standalone-state";
import type { Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";
import { type Adoption, writeAdoption } from "../views/adopted";

/** Writes an app or a configuration for live settings. Sends only reads, and writes no state. */
export async function adopt(args: AdoptArguments, terminal: Terminal): Promise<number> {
  // Before any request: a folder that can't be used is known at once.
  const folder = await AdoptionFolder.open(path.resolve(terminal.folder, args.out));
  let adoption: Adoption | undefined;
  const outcome = await eachStack(
    withoutStacks(args),
    terminal,
    { locksFor: undefined, reversed: false, waits: false, load: () => loadProviderOnly(terminal) },
    async (stack, view) => {
      const listing = await stack.listLive(args.selection);
      await view.stopProgress();
      const { problems, isWritten } = review(listing, args.selection, folder);
      view.diagnostics(problems);
      if (!isWritten) return "failed";
      const settings = fromListing(listing, ownProvider(terminal).schema);
      adoption = { args, settings, files: await folder.write(filesOf(settings, args, folder)) };
      return hasErrors(problems) ? "failed" : "found";
    },
  );
  if (adoption !== undefined) writeAdoption(adoption, terminal);
  return outcome === "failed" ? 1 : 0;
}

function filesOf(
  settings: LiveSettings,
  { format, allSettings, includeEmails, selection, out }: AdoptArguments,
  { knownEmails }: AdoptionFolder,
): AdoptedFile[] {
  const options = { allSettings, includeEmails, knownEmails };
  return format === "ts"
    ? writeTypeScriptApp(settings, { ...options, name: nameOf(selection, out), version: packageVersion() })
    : writeConfiguration(settings, { ...options, format });
}

/** The name of the app: that of the only project or group, or else of the folder. */
const nameOf = ({ names }: ContainerSelection, out: string): string =>
  names.length === 1 ? names[0]! : path.basename(path.resolve(out));

interface Review {
  readonly problems: readonly Diagnostic[];
  /** Whether the listing is good enough to write files from it. */
  readonly isWritten: boolean;
}

/**
 * What the token may not read is a warning: it stays undeclared, with a comment. Other failures are errors; what could
 * be read is written, unless that would take declarations out of an earlier adoption.
 */
function review(
  { containers, archived, failures, diagnostics }: LiveListing,
  { all }: ContainerSelection,
  { isAdopted }: AdoptionFolder,
): Review {
  const refused = failures.filter(({ isRefused }) => isRefused);
  const failed = failures.filter(({ isRefused }) => !isRefused).flatMap((one) => one.diagnostics);
  const problems = [
    ...diagnostics,
    ...failed,
    ...refused.flatMap(({ type, container, diagnostics: why }) =>
      why.map(({ detail }) => notReadable(`${type} in the ${container.kind} ${container.path}`, detail)),
    ),
  ];
  if (hasErrors(diagnostics)) return { problems, isWritten: false };
  if (containers.length + archived.length === 0)
    return { problems: [...problems, nothingFound(all !== undefined)], isWritten: false };
  if (failed.length > 0 && isAdopted) return { problems: [...problems, INCOMPLETE], isWritten: false };
  return { problems, isWritten: true };
}

const notReadable = (what: string, why: string): Diagnostic =>
  warning({
    code: "settings_not_readable",
    summary: "Settings are not readable",
    detail: `Objects of type ${what} are not declared: ${why}`,
    cause: `not readable ${why}`,
  });

const nothingFound = (isAll: boolean): Diagnostic =>
  error({
    code: "nothing_to_adopt",
    summary: "Nothing to adopt",
    detail: isAll
      ? "You are a member of no project or group that matches, so nothing was written. Check --topic and --search, and " +
        "whose token it is."
      : "No project or group was found, so nothing was written. Check the names.",
  });

const INCOMPLETE: Diagnostic = error({
  code: "adoption_incomplete",
  summary: "Earlier adoption left as it is",
  detail:
    "Not everything could be read, see the errors, so nothing was written: the code would lose what it declares of the " +
    "rest. Adopt again.",
});
