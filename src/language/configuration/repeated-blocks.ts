import type { Repetition } from "../../json";

/** The keywords of the blocks in a file, with the number of labels that each block has. */
const LABELS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    resource: 2,
    data: 2,
    ephemeral: 2,
    provider: 1,
    variable: 1,
    output: 1,
    check: 1,
    module: 1,
    locals: 0,
    terraform: 0,
    import: 0,
    moved: 0,
    removed: 0,
  }),
);

/** The paths of blocks that can occur several times in the body of another block. In a path, `*` is any label. */
const REPEATABLE: ReadonlySet<string> = new Set([
  ...["resource", "data"].flatMap((block) =>
    ["precondition", "postcondition"].map((name) => `${block}.*.*.lifecycle.${name}`),
  ),
  "variable.*.validation",
  "output.*.precondition",
  "check.*.assert",
  "check.*.data",
  "check.*.data.*",
]);

/** The paths of inner blocks in which `//` is a comment. */
const BODIES: ReadonlySet<string> = new Set([
  "resource.*.*.lifecycle",
  "data.*.*.lifecycle",
  "removed.lifecycle",
  "terraform.backend.local",
  "terraform.backend.http",
  "terraform.required_providers",
  "check.*.data.*.*",
  ...REPEATABLE,
]);

/**
 * Returns how a repeated key in a configuration is read, as in Terraform. If a block is repeated, all its occurrences are read. A
 * repeated argument, name or object key is an error.
 */
export function repetitionInConfiguration(keys: readonly string[]): Repetition {
  const [block = ""] = keys;
  const labels = LABELS.get(block);
  const name = keys.at(-1);
  if (keys.length === 1 && name === "//") return "keep-last";
  if (labels === undefined) return "refuse";
  if (keys.length === 1) return "merge";
  const depth = keys.length - 1;
  const pattern = (all: readonly string[]) =>
    all.map((key, at) => (isLabel(all, at, labels) ? "*" : key)).join(".");
  const isInBlock = depth <= labels + 1 || BODIES.has(pattern(keys.slice(0, -1)));
  if (name === "//" && isInBlock && block !== "locals") return "keep-last";
  if (name === "//" && block === "locals" && depth === 1) return "keep-last";
  if (depth < labels) return "merge";
  // A provider can have several configurations, each with another alias.
  if (depth === labels) return block === "provider" ? "merge" : "refuse";
  return REPEATABLE.has(pattern(keys)) ? "merge" : "refuse";
}

/** Returns whether the key at a position is the label of a block, or of a data source within a check. */
const isLabel = (keys: readonly string[], at: number, labels: number): boolean =>
  (at >= 1 && at <= labels) || (keys[0] === "check" && keys[2] === "data" && at >= 3 && at <= 4);
