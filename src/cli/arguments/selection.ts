import type { Command, OptionValues } from "commander";
import { fail } from "../../diagnostics";
import type { ContainerSelection } from "../../engine";
import { failConflict } from "./stack-options";

/** Which projects and groups a command reads. */
export interface SelectionArguments {
  readonly selection: ContainerSelection;
}

/** The options beside the names of projects and groups. */
export const defineSelection = (command: Command): Command =>
  command
    .option("--include-subgroups", "also the subgroups of a group, and the projects in them")
    .option("--all", "all projects and groups that you are a member of, instead of names")
    .option("--topic <topic>", "with --all: only projects that have this topic")
    .option("--search <text>", "with --all: only projects and groups with this text in their name or path");

export function readSelection(options: OptionValues, names: readonly string[]): SelectionArguments {
  const { topic, search } = options as Record<string, string | undefined>;
  const isNested = options["includeSubgroups"] === true;
  if (options["all"] === true) {
    if (names.length > 0) failConflict("--all", `names (${names[0]})`);
    if (isNested) failConflict("--all", "--include-subgroups");
    const all = { ...(topic !== undefined && { topic }), ...(search !== undefined && { search }) };
    return { selection: { names: [], contents: "none", all } };
  }
  const filter = topic !== undefined ? "--topic" : search !== undefined ? "--search" : undefined;
  if (filter !== undefined) failRequires(filter, "--all");
  if (names.length === 0) {
    return fail({
      code: "invalid_arguments",
      summary: "Missing argument",
      detail: "Name projects or groups, or select all that you are a member of with --all.",
    });
  }
  return { selection: { names, contents: isNested ? "nested" : "direct" } };
}

/** The error for an option without the one that it belongs to. */
export const failRequires = (option: string, other: string): never =>
  fail({
    code: "invalid_arguments",
    summary: "Option requires another option",
    detail: `${option} requires ${other}: give both, or omit ${option}.`,
  });
