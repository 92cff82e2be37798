import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import vm from "node:vm";
import { fail } from "../../diagnostics";
import { MAX_WAIVER_DAYS, type Waiver, waiverProblem } from "../../provider";
import { type Rule, readRules } from "./rule";

/** How long one rule may take over the plan of one stack, and one module to load, in milliseconds. */
export const TIME_LIMIT = 60_000;

/**
 * Calls code of a policy module, which ends at the limit or at Ctrl+C even within a loop. What it prints goes to
 * stderr, because stdout has the output of the command.
 *
 * @throws Error that says so, if the code does not end in time
 */
export function withTimeLimit<T>(limit: number, call: () => T): T {
  const context: { readonly call: () => T; result?: T } = { call };
  const { write } = process.stdout;
  process.stdout.write = process.stderr.write.bind(process.stderr);
  try {
    vm.runInNewContext("result = call()", context, { timeout: limit, breakOnSigint: true });
    return context.result as T;
  } catch (problem) {
    const { code } = Object(problem) as { code?: unknown };
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new Error(`it did not end within ${limit / 1000} s`);
    if (code === "ERR_SCRIPT_EXECUTION_INTERRUPTED") throw new Error("it was interrupted");
    throw problem;
  } finally {
    process.stdout.write = write;
  }
}

/** A module that exports rules, and where it is named: `cdktf.json` or `--policy`. */
export interface PolicyModule {
  readonly file: string;
  readonly namedIn: string;
}

/**
 * Loads the rules that modules export.
 *
 * @param folder where relative paths begin
 * @throws DiagnosticError `policy_unusable`
 */
export function loadRules(modules: readonly PolicyModule[], folder: string, limit = TIME_LIMIT) {
  const loaded = new Map<string, unknown>();
  const found = modules.flatMap((module) => {
    const target = path.resolve(folder, module.file);
    if (loaded.has(target)) return [];
    const exported = load(module, target, limit);
    loaded.set(target, exported);
    return [{ rules: rulesOf(exported, module, target), waivers: waiversOf(exported, module) }];
  });
  return { rules: found.flatMap(({ rules }) => rules), waivers: found.flatMap(({ waivers }) => waivers) };
}

function load(module: PolicyModule, target: string, limit: number): unknown {
  if (!existsSync(target)) return unusable(module, "can't be loaded: it does not exist");
  try {
    return withTimeLimit(limit, () => requireModule(target));
  } catch (problem) {
    return unusable(module, `can't be loaded: ${messageOf(problem)}`);
  }
}

/** Rules in TypeScript are loaded with the tsx of the app, or by a Node that understands types. */
function requireModule(target: string): unknown {
  const require = createRequire(target);
  if (!/\.[cm]?tsx?$/.test(target)) return require(target);
  let tsx: string;
  try {
    tsx = require.resolve("tsx/cjs/api");
  } catch {
    if ((process.features as { typescript?: unknown }).typescript) return require(target);
    throw new Error(
      "TypeScript needs the package tsx beside it, or Node 22.18 or newer. Install it with `npm install --save-dev tsx`, " +
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
    return unusable(module, `exports no list of rules: ${messageOf(problem)}`);
  }
}

/** What a module exports as `waivers`, beside `maxWaiverDays`. */
function waiversOf(exported: unknown, module: PolicyModule): readonly Waiver[] {
  const { waivers = [], maxWaiverDays = MAX_WAIVER_DAYS } = Object(exported) as {
    readonly waivers?: unknown;
    readonly maxWaiverDays?: unknown;
  };
  if (!Array.isArray(waivers)) return unusable(module, "exports waivers that are no list");
  if (typeof maxWaiverDays !== "number" || !(maxWaiverDays >= 1))
    return unusable(module, "exports maxWaiverDays that is no number of days");
  for (const [at, waiver] of waivers.entries()) {
    const problem = waiverProblem(waiver, maxWaiverDays, new Date());
    if (problem !== undefined) unusable(module, `exports waivers whose entry ${at + 1} ${problem}`);
  }
  return waivers;
}

/** The first lines of an error: a loader puts file and line on the second one. */
export function messageOf(problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(Object(problem).message ?? problem);
  return text.split("\n", 3).join(" ").trim();
}

const unusable = ({ file, namedIn }: PolicyModule, why: string): never =>
  fail({
    code: "policy_unusable",
    summary: "Policy can't be used",
    detail: [
      `The policy ${JSON.stringify(file)} of ${namedIn} ${why.replace(/\.?$/, ".")} Nothing was checked.`,
      "A policy is a module that exports a list of rules, each with name, why, and check(project) or checkChange(change, plan).",
    ],
  });
