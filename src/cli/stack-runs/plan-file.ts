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

/** Conceals and reveals texts of a file, such as e-mail addresses. */
export interface ConcealedTexts {
  conceal(text: string): string;
  reveal(text: string): string;
}

/** Writes plans to a file atomically. Only its owner can read the file, because plans reveal much about a project. */
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

/** Whether a file is a saved plan, judged by its first bytes. */
export async function isSavedPlan(name: string, { folder }: Pick<Terminal, "folder">): Promise<boolean> {
  // The caller then reads the file as a state, and reports the error.
  const bytes = await readFile(path.resolve(folder, name)).catch(() => undefined);
  return bytes !== undefined && isPlanFile(bytes);
}

const PATHS = ["config", "state"] as const;
type PathName = (typeof PATHS)[number];

/**
 * Returns the source options that a saved plan records: the paths of the configuration and the state, relative to the working
 * folder. In another job, this folder may be elsewhere. Paths outside the folder, and the command of the app, must be given
 * again, because a plan is only data.
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

/** The options that must be given again to apply a saved plan. */
export const repeatedOptions = (
  args: Pick<RunArguments, PathName | "app">,
  { again }: PlanFile["source"],
): readonly string[] =>
  (["app", ...again] as const).flatMap((name) => {
    const value = args[name];
    return value === undefined ? [] : [`--${name}`, value];
  });

/**
 * Returns the arguments for the stacks of a saved plan. Options on the command line override recorded options.
 *
 * @param name the file, for errors
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
 * Returns a notice about the inputs of an apply that come only from the saved plan. Undefined if all inputs are
 * given.
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

/** A length that exceeds the maximum path length of all systems. */
const MAX_PATH = 4096;

/** Whether a path leads into a folder, even through links. */
function isInside(folder: string, location: string): boolean {
  if (location === "" || location.length > MAX_PATH || location.includes("\0") || path.isAbsolute(location))
    return false;
  const target = path.resolve(folder, location);
  const real = realPlace(target);
  return isBelow(folder, target) && real !== undefined && isBelow(realpathSync(folder), real);
}

/** Returns the resolved path. For a missing file, resolves its folder. Undefined if the path can't be resolved. */
function realPlace(target: string): string | undefined {
  try {
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return realpathSync(target);
  } catch {
    // The path is a dangling link. Writing to it would create its target.
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
