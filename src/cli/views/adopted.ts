import {
  type LiveSettings,
  noteText,
  skippedNotes,
  undeclarableNotes,
  type WrittenFile,
  withoutAddresses,
} from "../../adopt";
import { groupBy } from "../../engine";
import { counted, oneLine, shellWord } from "../../text";
import type { AdoptArguments } from "../arguments/adopt";
import { paragraphs, type Terminal } from "../terminal/terminal";
import { styleFor } from "../terminal/text";
import { INSTALL_OF_FILE } from "./command-results";
import { type JsonEvent, jsonEvent, writeResult } from "./json/events";

/** The result of an adoption. */
export interface Adoption {
  readonly args: AdoptArguments;
  readonly settings: LiveSettings;
  readonly files: readonly WrittenFile[];
}

/** Writes the result of an adoption. People get a summary. Programs get an event for each file and note, and then the result. */
export function writeAdoption(adoption: Adoption, terminal: Terminal): void {
  const style = styleFor(terminal.out, terminal, adoption.args.color);
  const notes = notesOf(adoption);
  const lines = paragraphs([
    [style.bold(style.green(oneLine(summaryOf(adoption))))],
    adoption.files.map((file) => oneLine(`  ${outcomeOf(file)}`)),
    notes.length === 0 ? [] : ["Not declared:", ...notes.map((note) => oneLine(`  ${note}`))],
    nextOf(adoption).map(oneLine),
  ]);
  writeResult(terminal.out, adoption.args, eventsOf(adoption), ["", ...lines]);
}

/** The outcomes with an explanation for people. */
const KEPT: { readonly [Outcome in WrittenFile["outcome"]]?: string } = {
  edited: "edited after the last adoption, not changed",
  deleted: "deleted after the last adoption, not written again",
};

/** Returns a phrase for a file and its outcome, such as `main.ts: written`. */
const outcomeOf = ({ path, outcome }: WrittenFile): string => `${path}: ${KEPT[outcome] ?? outcome}`;

function eventsOf(adoption: Adoption): JsonEvent[] {
  const { settings, files, args } = adoption;
  return [
    ...files.map((file) => jsonEvent("adopt_file", outcomeOf(file), { file })),
    ...settings.skipped.map(({ kind, path, why }) =>
      jsonEvent("adopt_skipped", `The ${kind} ${path} is skipped: ${why}`, {
        container: { kind, path },
        reason: why,
      }),
    ),
    ...undeclaredOf(adoption).map(({ container, what, why }) =>
      jsonEvent(
        "adopt_not_declared",
        `Not declared in the ${container.kind} ${container.path}: ${what}: ${why}`,
        {
          container: { kind: container.kind, path: container.path },
          object: what,
          reason: why,
        },
      ),
    ),
    jsonEvent("adopt_summary", summaryOf(adoption), {
      adoption: { folder: args.target, format: args.format, ...countsOf(adoption) },
    }),
  ];
}

function countsOf({ args, settings, files }: Adoption) {
  const { containers, skipped } = settings;
  const objects = containers.flatMap((container) => container.objects);
  return {
    projects: containers.filter(({ kind }) => kind === "project").length,
    groups: containers.filter(({ kind }) => kind === "group").length,
    objects: objects.length - leftAtDefaults({ args, settings }).length,
    skipped: skipped.length,
    not_declared: containers.flatMap((container) => container.undeclarable).length,
    at_defaults: leftAtDefaults({ args, settings }).length,
    files_written: files.filter(({ outcome }) => outcome === "written" || outcome === "removed").length,
  };
}

function summaryOf(adoption: Adoption): string {
  const { projects, groups, objects, files_written: written } = countsOf(adoption);
  const what = [counted(projects, "project"), ...(groups > 0 ? [counted(groups, "group")] : [])].join(
    " and ",
  );
  const result = `Adopted ${counted(objects, "object")} of ${what} into ${adoption.args.target}`;
  return written === 0 ? `${result}: no file changed.` : `${result}.`;
}

/**
 * Returns the objects for which the adoption wrote no declaration. If the code contains no e-mail addresses, removes the
 * addresses in these objects too.
 */
const undeclaredOf = ({ settings, args }: Adoption) =>
  settings.containers.flatMap((container) =>
    container.undeclarable.map(({ what, why }) => ({
      container,
      what: args.includeEmails ? what : withoutAddresses(what),
      why: args.includeEmails ? why : withoutAddresses(why),
    })),
  );

/** Returns the objects that the adoption left out because they have the service's defaults. */
const leftAtDefaults = ({ args, settings }: Pick<Adoption, "args" | "settings">) =>
  args.allSettings
    ? []
    : settings.containers.flatMap(({ objects }) => objects.filter(({ isDefault }) => isDefault));

/** Returns one line for each type of objects that the adoption left out because they have the service's defaults. */
const defaultNotes = (adoption: Adoption): string[] =>
  [...groupBy(leftAtDefaults(adoption), ({ type }) => type)].map(
    ([type, { length }]) =>
      `${counted(length, "object")} of type ${type}: the service's defaults. Plain \`drift\` does not watch them; --all-settings declares them.`,
  );

/** Returns a line for each reason why the adoption left out settings. */
function notesOf(adoption: Adoption): string[] {
  const { settings, args } = adoption;
  const undeclarable = undeclarableNotes(settings.containers).map(noteText);
  return [
    ...skippedNotes(settings).map(noteText),
    ...(args.includeEmails ? undeclarable : undeclarable.map(withoutAddresses)),
    ...defaultNotes(adoption),
  ];
}

function nextOf(adoption: Adoption): string[] {
  const { target, isInto, format } = adoption.args;
  const folder = shellWord(target);
  if (isInto) return ["Next: steward plan"];
  if (format === "ts")
    return countsOf(adoption).files_written === 0
      ? [`Next: cd ${folder} && npx steward plan`]
      : [`Next: cd ${folder} && npm install && npx steward plan`, INSTALL_OF_FILE];
  if (format === "json") return [`Next: steward plan --config ${folder}`];
  return [`Next: cd ${folder} && steward exec -- terraform plan`];
}
