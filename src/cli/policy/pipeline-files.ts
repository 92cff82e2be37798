import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import type { Terminal } from "../terminal/terminal";

/** The default name of the file that contains the pipeline (https://docs.gitlab.com/ci/yaml/). */
const PIPELINE = ".gitlab-ci.yml";

/** Matches the names of YAML files in the text of a pipeline: local includes, and files in commands. */
const YAML_NAMES = /[\w.*/-]+\.ya?ml\b/g;

/** Matches the options of commands that name files with rules. */
const RULE_FILES = /--(?:ignore|waivers|policy|owners)[ =]+["']?([\w./-]+)/g;

/** The paths of files that list code owners (https://docs.gitlab.com/user/project/codeowners/). */
const OWNER_FILES = ["OWNERS", "CODEOWNERS", ".gitlab/CODEOWNERS", "docs/CODEOWNERS"];

/**
 * The files of a checkout, besides policy modules, that influence who may apply which changes. Paths are relative to the
 * checkout.
 */
export interface RuleFiles {
  readonly pipeline: readonly string[];
  readonly owners: readonly string[];
  /** Files that commands of the pipeline read: waivers, ignored drift, policy modules and owners. */
  readonly named: readonly string[];
}

/** Finds the rule files of two checkouts. The result contains a file even if only one checkout has the file. */
export function ruleFiles(folders: readonly string[], env: Terminal["env"]): RuleFiles {
  const all = folders.map((folder) => filesOf(folder, env["CI_CONFIG_PATH"]?.trim() || PIPELINE));
  const union = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())].sort();
  return {
    pipeline: union(all.map(({ pipeline }) => pipeline)),
    owners: union(folders.map((folder) => OWNER_FILES.filter((name) => existsSync(path.join(folder, name))))),
    named: union(all.map(({ named }) => named)),
  };
}

function filesOf(folder: string, start: string) {
  const pipeline = new Set<string>();
  const named = new Set<string>();
  const visit = (name: string): void => {
    const relative = path.posix.normalize(name.replace(/^\/+/, ""));
    const text = textAt(folder, relative);
    if (text === undefined || pipeline.has(relative)) return;
    pipeline.add(relative);
    for (const [one] of text.matchAll(YAML_NAMES)) for (const file of matching(folder, one)) visit(file);
    for (const [, one] of text.matchAll(RULE_FILES)) named.add(path.posix.normalize(one!));
  };
  visit(start);
  return { pipeline: [...pipeline].filter((one) => !named.has(one)), named: [...named] };
}

/**
 * Returns the text of a file in a checkout; undefined for a missing file, and for a path outside the checkout. For a symbolic
 * link, returns the path of its target, as git does. Does not follow the link, because it could lead to secrets of this
 * machine.
 */
export function textAt(folder: string, name: string): string | undefined {
  const file = path.resolve(folder, name);
  if (path.relative(folder, file).startsWith("..")) return undefined;
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) return readlinkSync(file);
  const inside = path.join(realpathSync(folder), path.relative(folder, file));
  return stats?.isFile() && realpathSync(file) === inside ? readFileSync(file, "utf8") : undefined;
}

/** Returns the files that a name with `*` can match. The result contains all YAML files in the folder before the first `*`. */
function matching(folder: string, name: string): string[] {
  const relative = name.replace(/^\/+/, "");
  if (!relative.includes("*")) return [relative];
  const start = path.posix.dirname(`${relative.split("*", 1)[0]}x`);
  const place = path.resolve(folder, start);
  if (path.relative(folder, place).startsWith("..") || !existsSync(place)) return [];
  return readdirSync(place, { recursive: start !== "." })
    .map((one) => path.posix.join(start, String(one).split(path.sep).join("/")))
    .filter((one) => /\.ya?ml$/.test(one) && !one.includes("node_modules/"));
}
