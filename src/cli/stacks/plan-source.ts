import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import type { PlanFile } from "../../engine";
import { oneLine } from "../../text";
import type { RunArguments } from "../arguments/stack-options";
import type { Terminal } from "../terminal/terminal";

const PATHS = ["config", "state"] as const;
type PathName = (typeof PATHS)[number];

/**
 * The source options that a saved plan records: the paths of configuration and state, relative to the working
 * folder, which may be elsewhere in another job. Paths outside the folder and the app's command must be given
 * again, since a plan is data.
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
 * The arguments for the stacks of a saved plan. Options on the command line override recorded ones.
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
  const namesApp = args.app !== undefined || args.output !== undefined;
  const recorded = namesApp
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

/** The notice of what an apply works on because of the saved plan alone. Undefined if there is none. */
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
  if (source.again.includes(option))
    refuseOutside(option, name, "was given a path outside the working folder");
  if (location !== undefined && !isInside(folder, location))
    refuseOutside(option, name, `names ${JSON.stringify(location)}, which is outside the working folder`);
  return location;
}

/** Longer than the maximum path length of all systems. */
const MAX_PATH = 4096;

/** Whether a path leads into a folder, even through links. */
function isInside(folder: string, location: string): boolean {
  if (location === "" || location.length > MAX_PATH || location.includes("\0") || path.isAbsolute(location))
    return false;
  const target = path.resolve(folder, location);
  const real = realPlace(target);
  return isBelow(folder, target) && real !== undefined && isBelow(realpathSync(folder), real);
}

/** The resolved path. A missing file is resolved by its folder. Undefined if it can't be resolved. */
function realPlace(target: string): string | undefined {
  try {
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return realpathSync(target);
  } catch {
    // A dangling link: writing to it creates its target.
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
    detail:
      `--${option} of the plan in ${name} ${why}. A saved plan is trusted only for paths inside it. Nothing was ` +
      `sent. Give --${option} again, with the value of \`steward plan\`.`,
  });
