import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { formatPlanFile, isPlanFile, type PlanFile, parsePlanFile } from "../../engine";
import { describeFileProblem, readFile } from "../../files";
import { oneLine } from "../../text";
import type { RunArguments } from "../arguments/shared-options";
import { type OutputPlace, writeOutput } from "../outputs/write-output";
import type { Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";

/** Functions that encrypt and decrypt the e-mail addresses in the text of a plan file. */
export interface ConcealedTexts {
  conceal(text: string): string;
  reveal(text: string): string;
}

/** Writes plans to a file, atomically. Only the owner may read the file, because plans contain many facts about a project. */
export async function writePlanFile(
  name: string,
  plans: PlanFile,
  place: OutputPlace,
  { conceal, reveal }: ConcealedTexts,
): Promise<void> {
  const text = formatPlanFile(plans, name, packageVersion(), conceal);
  const reader = (bytes: Buffer) => parsePlanFile(bytes, name, packageVersion(), reveal);
  await writeOutput({ kind: "plan", file: name, text, reader }, place);
}

/** Reads plans from a file that `writePlanFile` wrote. */
export async function readPlanFile(
  name: string,
  { folder }: Pick<Terminal, "folder">,
  { reveal }: ConcealedTexts,
): Promise<PlanFile> {
  const bytes = await readFile(path.resolve(folder, name)).catch((problem) =>
    fail({
      code: "saved_plan_not_found",
      summary: "No saved plan",
      detail: `The saved plan ${JSON.stringify(name)} can't be read: ${describeFileProblem(problem)}. Nothing was sent. Check the path. To save a plan, run \`steward plan --out FILE\`.`,
    }),
  );
  return parsePlanFile(bytes, name, packageVersion(), reveal);
}

/** Returns true if a file starts with the first bytes of a saved plan. */
export async function isSavedPlan(name: string, { folder }: Pick<Terminal, "folder">): Promise<boolean> {
  // A file that can't be read is not a saved plan. The caller then reads the file as a state, and reports the error.
  const bytes = await readFile(path.resolve(folder, name)).catch(() => undefined);
  return bytes !== undefined && isPlanFile(bytes);
}

const PATHS = ["config", "state"] as const;
type PathName = (typeof PATHS)[number];

/**
 * Returns the options that a saved plan records: the paths of the configuration and the state. The paths are relative to the
 * working folder, because this folder may be elsewhere in another job. The plan does not record paths outside the folder, or
 * the command of the app: a plan must not decide which program runs. Users have to repeat the options that the plan does not
 * record.
 */
export function planSource(
  args: Pick<RunArguments, PathName>,
  { folder }: Pick<Terminal, "folder">,
): PlanFile["source"] {
  const given = PATHS.filter((name) => args[name] !== undefined);
  const recorded = given.flatMap((name) => {
    const inside = relative(folder, args[name]!);
    return isInside(folder, inside) ? [[name, inside] as const] : [];
  });
  const names = recorded.map(([name]) => name);
  return { ...Object.fromEntries(recorded), again: given.filter((name) => !names.includes(name)) };
}

/** Returns the options that users have to give again when they apply a saved plan. */
export const repeatedOptions = (
  args: Pick<RunArguments, PathName | "app">,
  { again }: PlanFile["source"],
): readonly string[] =>
  (["app", ...again] as const).flatMap((name) => {
    const value = args[name];
    return value === undefined ? [] : [`--${name}`, value];
  });

/**
 * Returns the arguments of an apply, with the options that the saved plan recorded. Options on the command line override
 * recorded options.
 *
 * @param name the name of the plan file, for errors
 * @throws DiagnosticError `saved_plan_outside`
 */
export function withPlanSource<A extends RunArguments>(
  args: A,
  { source, stacks }: PlanFile,
  name: string,
  { folder }: Pick<Terminal, "folder">,
): A {
  const hasApp = args.app !== undefined || args.output !== undefined;
  const recorded = hasApp
    ? { ...source, config: undefined, again: source.again.filter((one) => one !== "config") }
    : source;
  const places = PATHS.map(
    (option) => [option, args[option] ?? recordedPath(option, recorded, name, folder)] as const,
  );
  const from = Object.fromEntries(places.filter(([, location]) => location !== undefined)) as Partial<
    Record<PathName, string>
  >;
  const names = stacks.flatMap((stack) => stack.name ?? []);
  return { ...args, ...from, stacks: from.config === undefined ? names : [] };
}

const LABELS: Readonly<Record<PathName, string>> = { config: "the configuration in", state: "the state in" };

/**
 * Returns a notice that names the paths which an apply takes from the saved plan. Returns undefined if the command line gives
 * all these paths.
 */
export function describeRecordedSource(
  args: Pick<RunArguments, PathName>,
  source: Pick<RunArguments, PathName>,
): string | undefined {
  const recordedSources = PATHS.flatMap((name) => {
    const location = source[name];
    return location === undefined || location === "." || args[name] !== undefined
      ? []
      : [`${LABELS[name]} ${oneLine(location)}`];
  });
  return recordedSources.length === 0 ? undefined : `From the saved plan: ${recordedSources.join(" and ")}.`;
}

function recordedPath(
  option: PathName,
  source: { readonly [name in PathName]?: string | undefined } & Pick<PlanFile["source"], "again">,
  name: string,
  folder: string,
): string | undefined {
  const location = source[option];
  if (source.again.includes(option)) refuseOutside(option, name, "had a path outside the working folder");
  if (location !== undefined && !isInside(folder, location))
    refuseOutside(
      option,
      name,
      `had the value ${JSON.stringify(location)}, which is outside the working folder`,
    );
  return location;
}

/** The maximum length of a path in a saved plan. Every system has a lower limit. */
const MAX_PATH = 4096;

/** Returns true if a path, with all links resolved, is in a folder. */
function isInside(folder: string, location: string): boolean {
  if (location === "" || location.length > MAX_PATH || location.includes("\0") || path.isAbsolute(location))
    return false;
  const target = path.resolve(folder, location);
  const real = realPlace(target);
  return isBelow(folder, target) && real !== undefined && isBelow(realpathSync(folder), real);
}

/**
 * Returns the path with all links resolved; for a missing file, resolves the links in the path of its folder. Returns undefined
 * if a link can't be resolved.
 */
function realPlace(target: string): string | undefined {
  try {
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return realpathSync(target);
  } catch {
    // The path is a link whose target does not exist. A write to the link would create the target, which can be anywhere.
    return undefined;
  }
  const parent = path.dirname(target);
  const real = parent === target ? parent : realPlace(parent);
  return real && path.join(real, path.basename(target));
}

function isBelow(folder: string, target: string): boolean {
  const way = path.relative(folder, target);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

const relative = (folder: string, location: string): string =>
  path.relative(folder, path.resolve(folder, location)) || ".";

const refuseOutside = (option: PathName, name: string, why: string): never =>
  fail({
    code: "saved_plan_outside",
    summary: "Saved plan refers outside the working folder",
    detail: `When the plan in ${name} was saved, --${option} ${why}. From a saved plan, Steward accepts only paths inside the working folder. Nothing was sent. Add --${option} to this command, with the same value as for \`steward plan\`.`,
  });
