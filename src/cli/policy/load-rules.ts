import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fail } from "../../diagnostics";
import { parseHandwrittenJson, RepeatedKeyError } from "../../json";
import { MAX_WAIVER_DAYS, type Waiver, waiverProblem, waiverProblemText } from "../../provider";
import { type ApprovalPolicy, readApprovalPolicy } from "./approval-policy";
import { type Rule, readRules } from "./rule";
import { messageOf, TIME_LIMIT, withTimeLimit } from "./time-limit";

/** A module that exports rules, and the source that names the module: `cdktf.json` or `--policy`. */
export interface PolicyModule {
  readonly file: string;
  readonly namedIn: string;
}

/**
 * Loads the rules that modules export.
 *
 * @param folder the folder to which paths of modules are relative
 * @throws DiagnosticError `policy_unusable`
 */
export function loadRules(modules: readonly PolicyModule[], folder: string, limit = TIME_LIMIT) {
  const loaded = new Map<string, unknown>();
  const found = modules.flatMap((module) => {
    const target = path.resolve(folder, module.file);
    if (loaded.has(target)) return [];
    const exported = load(module, target, limit);
    loaded.set(target, exported);
    const rules = rulesOf(exported, module, target);
    return [{ module, rules, waivers: waiversOf(exported, module), approval: approvalIn(exported, module) }];
  });
  const [first, second] = found.filter(({ approval }) => approval !== undefined);
  if (second !== undefined)
    unusable(
      second.module,
      `exports approval, and ${JSON.stringify(first!.module.file)} exports it too. Keep only one`,
    );
  return {
    files: [...loaded.keys()],
    rules: found.flatMap(({ rules }) => rules),
    waivers: found.flatMap(({ waivers }) => waivers),
    approval: first?.approval ?? {},
  };
}

function approvalIn(exported: unknown, module: PolicyModule): ApprovalPolicy | undefined {
  try {
    return readApprovalPolicy(exported);
  } catch (problem) {
    return unusable(module, `exports an invalid \`approval\`: ${messageOf(problem)}`, [APPROVAL_KEYS]);
  }
}

function load(module: PolicyModule, target: string, limit: number): unknown {
  if (!existsSync(target)) return unusable(module, "can't be loaded: it does not exist");
  try {
    return withTimeLimit(limit, () => withDataChecks(target, () => requireModule(target)));
  } catch (problem) {
    return unusable(module, `can't be loaded: ${messageOf(problem)}`);
  }
}

/**
 * Runs `work`, which loads a module. Also checks the JSON files that this module imports. Throws for a duplicate key in an
 * imported JSON file, because a rule would see only one of the two values. Does not check files of installed packages.
 */
function withDataChecks<T>(target: string, work: () => T): T {
  const { cache } = createRequire(target);
  const before = new Set(Object.keys(cache));
  const loaded = work();
  for (const id of Object.keys(cache)) {
    // A TypeScript loader may add a query to the name of the file.
    const [file = ""] = id.split("?");
    if (before.has(id) || !file.endsWith(".json") || file.includes(`${path.sep}node_modules${path.sep}`))
      continue;
    try {
      parseHandwrittenJson(readFileSync(file));
    } catch (problem) {
      if (problem instanceof RepeatedKeyError) throw new Error(`${file} can't be used: ${problem.message}`);
      throw problem;
    }
  }
  return loaded;
}

/**
 * Loads a module with rules. For TypeScript, uses the package `tsx` of the app, or Node itself if this version of Node can run
 * TypeScript.
 */
function requireModule(target: string): unknown {
  const require = createRequire(target);
  if (!/\.[cm]?tsx?$/.test(target)) return require(target);
  let tsx: string;
  try {
    tsx = require.resolve("tsx/cjs/api");
  } catch {
    if ((process.features as { typescript?: unknown }).typescript) return require(target);
    throw new Error(
      "TypeScript needs the package tsx, or Node 22.18 or newer. Install tsx with `npm install --save-dev tsx`, " +
        "or name the compiled file",
    );
  }
  return (require(tsx) as { require(file: string, from: string): unknown }).require(target, target);
}

function rulesOf(exported: unknown, module: PolicyModule, target: string): Rule[] {
  const { default: byDefault = exported } = Object(exported) as { default?: unknown };
  try {
    return readRules(byDefault, target);
  } catch (problem) {
    return unusable(module, `does not export a list of rules: ${messageOf(problem)}`);
  }
}

/** Reads the export `waivers` of a module, and checks the waivers against the module's `maxWaiverDays`. */
function waiversOf(exported: unknown, module: PolicyModule): readonly Waiver[] {
  const { waivers = [], maxWaiverDays = MAX_WAIVER_DAYS } = Object(exported) as {
    readonly waivers?: unknown;
    readonly maxWaiverDays?: unknown;
  };
  if (!Array.isArray(waivers)) return unusable(module, "exports `waivers`, but not as a list");
  if (typeof maxWaiverDays !== "number" || !(maxWaiverDays >= 1))
    return unusable(module, "exports `maxWaiverDays`, but not as a number of days");
  for (const [at, waiver] of waivers.entries()) {
    const problem = waiverProblem(waiver, maxWaiverDays, new Date());
    if (problem !== undefined)
      unusable(module, `exports waivers whose entry ${at + 1} ${waiverProblemText(problem)}`);
  }
  return waivers;
}

const RULES =
  "A policy is a module that exports a list of rules. Each rule has name, why, and check(project) or checkChange(change, plan).";
const APPROVAL_KEYS =
  "The export `approval` may contain these keys: approvals, approvers, allowAuthor, allowCommitters and bots.";

const unusable = ({ file, namedIn }: PolicyModule, why: string, help: readonly string[] = [RULES]): never =>
  fail({
    code: "policy_unusable",
    summary: "Policy can't be used",
    detail: [
      `The policy ${JSON.stringify(file)} of ${namedIn} ${why.replace(/(?<![.?])$/, ".")} The rules of this policy were not checked.`,
      ...help,
    ],
  });
