import { readFileSync } from "node:fs";
import path from "node:path";
import { policyModules } from "../../engine";
import { parseJson } from "../../json";
import { counted } from "../../text";
import type { Terminal } from "../terminal/terminal";
import { type Literal, literalsIn, plainText } from "./literals";
import { partsOfModules } from "./module-files";
import { ruleFiles, textAt } from "./pipeline-files";

/** A change of the rules that decide which plans are applied, and who approves them. */
export interface RuleChange {
  readonly what: string;
  /** True if the change loosens a rule, or can loosen a rule. */
  readonly is_looser?: true | undefined;
}

/** The maximum number of changed lines of one file that a comment shows. */
const MAX_LINES = 10;

/**
 * Compares the rules of a checkout with the rules of its target branch. The rules consist of policy modules and the files that
 * they import, waivers, owners, the minimum settings of fleets, and the pipeline. Reads files, and runs no code of either
 * checkout. Changes that loosen a rule come first.
 *
 * @param base the checkout of the target branch
 * @param modules the policy modules of the command line
 * @param waivers the files of waivers of the command line
 */
export function ruleChanges(
  base: string,
  folder: string,
  { modules, waivers }: { readonly modules: readonly string[]; readonly waivers: readonly string[] },
  env: Terminal["env"],
): RuleChange[] {
  const { pipeline, owners, named } = ruleFiles([base, folder], env);
  const isModule = (name: string) => /\.[cm]?[jt]sx?$/.test(name);
  const policies = [...modules, ...named.filter(isModule)];
  const rulesOf = (root: string): Rules => ({
    root,
    policies: partsOf(root, [...policies, ...policyModules(root)]),
    floors: floorsOf(root),
  });
  const [before, after] = [rulesOf(base), rulesOf(folder)];
  const names = union(before.policies.files, after.policies.files);
  const data = union(
    waivers,
    named.filter((name) => !isModule(name)),
  ).filter((name) => !owners.includes(name));
  const found = [
    ...changesOfLiterals(before, after),
    ...names.flatMap((name) => fileChange(before, after, name, "a policy")),
    ...union(before.policies.packages, after.policies.packages)
      .filter((one) => before.policies.packages.includes(one) !== after.policies.packages.includes(one))
      .map((one) =>
        looser(
          `${after.policies.packages.includes(one) ? "adds" : "removes"} the package ${one} of a policy`,
        ),
      ),
    ...data.flatMap((name) => fileChange(before, after, name, "waivers")),
    ...owners.flatMap((name) => fileChange(before, after, name, "owners")),
    ...union([...before.floors.keys()], [...after.floors.keys()])
      .filter((name) => before.floors.get(name) !== after.floors.get(name))
      .map((name) => looser(`changes minimum settings or a project policy in ${name}`)),
    ...pipeline.flatMap((name) => fileChange(before, after, name, "the pipeline")),
  ];
  return [...found.filter((one) => one.is_looser), ...found.filter((one) => !one.is_looser)];
}

interface Rules {
  readonly root: string;
  readonly policies: { readonly files: readonly string[]; readonly packages: readonly string[] };
  /** The texts of the minimum settings and project policies in the app's code, by file. */
  readonly floors: ReadonlyMap<string, string>;
}

const looser = (what: string): RuleChange => ({ what, is_looser: true });
const union = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())].sort();

function partsOf(root: string, modules: readonly string[]) {
  const found = partsOfModules(modules.map((name) => path.resolve(root, name)));
  // The versions of the packages come from the lock files, because a job may compare checkouts before their packages are
  // installed.
  const imported = [...found.packages, ...found.missing.map((name) => `${name}@`)];
  const packages = imported.map((one) => lockedPackage(root, one));
  return { packages, files: found.files.map((file) => path.relative(root, file).split(path.sep).join("/")) };
}

/**
 * Returns a package with its version from the lock file of a checkout. The installed version is not used, because both
 * checkouts may share one folder with packages.
 */
function lockedPackage(root: string, installed: string): string {
  const name = installed.slice(0, installed.lastIndexOf("@"));
  try {
    const { packages } = parseJson(textAt(root, "package-lock.json") ?? "{}") as {
      readonly packages?: Readonly<
        Record<string, { readonly version?: string; readonly integrity?: string }>
      >;
    };
    const { version, integrity } = packages?.[`node_modules/${name}`] ?? {};
    return version === undefined ? installed : [`${name}@${version}`, integrity ?? ""].join(" ").trim();
  } catch {
    return `${installed} (the lock file can't be read)`;
  }
}

/**
 * Returns the change of a file with its changed lines. Treats every change as looser, except a change that only removes
 * waivers, and a new policy file.
 */
function fileChange(before: Rules, after: Rules, name: string, of: string): RuleChange[] {
  const [old, now] = [textAt(before.root, name), textAt(after.root, name)];
  if (old === now) return [];
  const [removed, added] = [linesWithout(old, now), linesWithout(now, old)];
  const lines = [...removed.map((line) => `− ${line}`), ...added.map((line) => `+ ${line}`)];
  const verb = old === undefined ? "adds" : now === undefined ? "removes" : "changes";
  const left = lines.length - MAX_LINES;
  const shown = [...lines.slice(0, MAX_LINES), ...(left > 0 ? [`and ${counted(left, "more line")}`] : [])];
  const isTighter = (of === "waivers" && added.length === 0) || (of === "a policy" && old === undefined);
  const what = [`${verb} ${name} (${of})`, ...shown].join("\n");
  return [isTighter ? { what } : looser(what)];
}

function linesWithout(text = "", other = ""): string[] {
  const others = new Set(other.split("\n").map((line) => line.trim()));
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !others.has(line));
}

const FACTS = ["approvals", "level", "waivable", "approvers", "types"] as const;
const OPTIONS = ["approvals", "approvers", "allowAuthor", "allowCommitters", "bots"] as const;

/**
 * Returns the changes that the object literals in policy modules show: added, removed and changed rules, and options about
 * approvers.
 */
function changesOfLiterals(before: Rules, after: Rules): RuleChange[] {
  const [old, now] = [literalsOf(before), literalsOf(after)];
  const [oldRules, newRules] = [rulesIn(old), rulesIn(now)];
  const rules = union([...oldRules.keys()], [...newRules.keys()]).flatMap((name) => {
    const [one, other] = [oldRules.get(name), newRules.get(name)];
    if (other === undefined) return [looser(`removes the rule ${name}`)];
    if (one === undefined) return [{ what: `adds the rule ${name}` }];
    return FACTS.flatMap((fact) => factChange(name, fact, one.get(fact), other.get(fact)));
  });
  const [oldOptions, newOptions] = [optionsIn(old), optionsIn(now)];
  const options = OPTIONS.flatMap((fact) =>
    factChange("approval", fact, oldOptions.get(fact), newOptions.get(fact)),
  );
  return [...rules, ...options];
}

const literalsOf = ({ root, policies }: Rules): Literal[] =>
  policies.files
    .filter((name) => !name.endsWith(".json"))
    .flatMap((name) => literalsIn(textAt(root, name) ?? ""));

const rulesIn = (literals: readonly Literal[]): Map<string, ReadonlyMap<string, string>> =>
  new Map(
    literals.flatMap(({ properties }) => {
      const name = plainText(properties.get("name"));
      return name === undefined || !properties.has("why") ? [] : [[name, properties] as const];
    }),
  );

const optionsIn = (literals: readonly Literal[]): ReadonlyMap<string, string> =>
  literals.find(({ head }) => /\bapproval\b[^=]*=\s*$|\.approval\s*=\s*$/.test(head))?.properties ??
  new Map();

/** Returns the change of one property of a rule, or of the options about approvers. */
function factChange(
  name: string,
  fact: string,
  old: string | undefined,
  now: string | undefined,
): RuleChange[] {
  if (old === now) return [];
  const [one, other] = [plainText(old), plainText(now)];
  if (fact === "approvals") {
    // Without `approvals`, a rule always refuses its violations. The export `approval` without `approvals` requires one person.
    const none = name === "approval" ? 1 : Number.POSITIVE_INFINITY;
    const [from, to] = [old, now].map((value) => (value === undefined ? none : Number(value))) as [
      number,
      number,
    ];
    const shown = (value: number) => (value === none && none !== 1 ? "refused" : String(value));
    if (to > from) return [{ what: `strengthens ${name}: ${shown(from)} → ${shown(to)}` }];
    return [looser(`weakens ${name}: ${shown(from)} → ${shown(to)}`)];
  }
  const isTighter =
    (fact === "level" && other !== "advisory") ||
    (fact === "waivable" && other === "false") ||
    (fact.startsWith("allow") && other !== "true") ||
    (fact === "bots" && now === undefined);
  const what = `changes ${fact} of ${name}: ${one ?? "none"} → ${other ?? "none"}`;
  return [isTighter ? { what } : looser(what)];
}

/**
 * Returns the files of the app that contain minimum settings or a project policy, each with the text of these settings and
 * policies.
 */
function floorsOf(root: string): ReadonlyMap<string, string> {
  const command = textAt(root, "cdktf.json") ?? "";
  const starts = [...command.matchAll(/[\w./-]+\.[cm]?[jt]sx?\b/g)].map(([name]) => path.resolve(root, name));
  return new Map(
    partsOfModules(starts).files.flatMap((file) => {
      const text = readFileSync(file, "utf8");
      if (!/\bfloor\b|\bProjectPolicy\b/.test(text)) return [];
      const floors = literalsIn(text).flatMap(({ head, properties }) => [
        ...(/\bfloor\b[^=:]*[=:]\s*$/.test(head) ? [JSON.stringify([...properties])] : []),
        ...(properties.has("floor") ? [properties.get("floor")!] : []),
      ]);
      const isWhole = floors.length === 0 || /\bProjectPolicy\b/.test(text) || !file.match(/\.[cm]?[jt]sx?$/);
      return [[path.relative(root, file).split(path.sep).join("/"), isWhole ? text : floors.join("\n")]];
    }),
  );
}
