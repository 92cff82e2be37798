import path from "node:path";
import type { PlanFile } from "../../engine";
import type { RunArguments } from "../arguments/stack-options";
import type { Terminal } from "../terminal";

/** Where the stacks of a saved plan come from. Paths are relative to the working folder: another job has another one. */
type PlanSource = Pick<RunArguments, "app" | "output" | "config" | "state" | "stacks">;

const PATHS = ["output", "config", "state"] as const;

/** What a saved plan has to keep of its command line. */
export function planSource(
  args: RunArguments,
  stacks: readonly (string | undefined)[],
  { folder }: Pick<Terminal, "folder">,
): PlanFile["command"] {
  const paths = PATHS.map((name) => [name, args[name] && relative(folder, args[name])] as const);
  return {
    ...Object.fromEntries(
      paths.filter((entry): entry is [(typeof PATHS)[number], string] => Boolean(entry[1])),
    ),
    ...(args.app !== undefined && { app: args.app }),
    stacks: stacks.filter((name) => name !== undefined),
  };
}

/** A command line that works on the stacks of a saved plan; what is given comes before what was kept. */
export function withPlanSource<A extends RunArguments>(args: A, { command }: PlanFile): A {
  const { stacks, ...kept } = command as unknown as PlanSource;
  const given = Object.fromEntries(
    [...PATHS, "app" as const].filter((name) => args[name] !== undefined).map((name) => [name, args[name]]),
  );
  return { ...args, ...kept, ...given, stacks: args.config === undefined ? stacks : [] };
}

const relative = (folder: string, place: string): string =>
  path.relative(folder, path.resolve(folder, place)) || ".";
