import type { ContainerSelection } from "../../engine";
import { failConflict, type Given, invalid, option, options } from "./option";

/** Which projects and groups a command reads, beside their names. */
export const SELECTION = {
  includeSubgroups: option("--include-subgroups: also the subgroups of a group, and the projects in them"),
  all: option("--all: all projects and groups that you are a member of, instead of names", {
    excludes: ["--include-subgroups"],
  }),
  ...options(
    {
      topic: "--topic <topic>: with --all: only projects that have this topic",
      search: "--search <text>: with --all: only projects and groups with this text in their name or path",
    },
    { requires: "--all" },
  ),
};

export const NAMES = { names: option("[name...]: projects and groups, by numeric id or full path") };

export function readSelection({
  includeSubgroups,
  all: isAll,
  topic,
  search,
  names,
}: Given<typeof SELECTION> & Given<typeof NAMES>): ContainerSelection {
  if (isAll) {
    if (names.length > 0) failConflict("--all", `names (${names[0]})`);
    const all = { ...(topic !== undefined && { topic }), ...(search !== undefined && { search }) };
    return { names: [], contents: "none", all };
  }
  if (names.length > 0) return { names, contents: includeSubgroups ? "nested" : "direct" };
  return invalid(
    "Missing argument",
    "Name projects or groups, or select all that you are a member of with --all.",
  );
}
