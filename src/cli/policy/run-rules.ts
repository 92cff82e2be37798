import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import vm from "node:vm";
import * as z from "zod/mini";
import { fail } from "../../diagnostics";
import {
  type AttributesOf,
  groupBy,
  hiddenPaths,
  isObject,
  isUnknown,
  objectsAfter,
  type Plan,
  type ResourceChange,
  type Value,
} from "../../engine";
import { decodeText } from "../../files";
import { parseHandwrittenJson, RepeatedKeyError } from "../../json";
import {
  MAX_WAIVER_DAYS,
  PROVIDER_SOURCE,
  type Waiver,
  waiverProblem,
  waiverProblemText,
} from "../../provider";
import { SENSITIVE } from "../../text";
import { containerOf } from "../objects/object-facts";
import { type ApprovalPolicy, readApprovalPolicy } from "./approval-policy";
import { HiddenValue, withContainers } from "./policy-plan";
import { type Rule, type RuleConstruct, readRules, type Violation, violation } from "./rule";

/** The time limit in milliseconds for one rule on the plan of one stack, and for loading one module. */
export const TIME_LIMIT = 60_000;

/**
 * Calls code of a policy module, and ends it at the limit or at Ctrl+C, even within a loop. Its output goes to
 * stderr, because stdout has the output of the command.
 *
 * @throws Error that reports it, if the code does not end in time
 */
function withTimeLimit<T>(limit: number, call: () => T): T {
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
 * Loads a module. A JSON file that it imports must not have a key twice: a rule would see one of the two values. Files of
 * installed packages are not checked.
 */
function withDataChecks<T>(target: string, work: () => T): T {
  const { cache } = createRequire(target);
  const before = new Set(Object.keys(cache));
  const loaded = work();
  for (const id of Object.keys(cache)) {
    // A loader of TypeScript may add a query.
    const [file = ""] = id.split("?");
    if (before.has(id) || !file.endsWith(".json") || file.includes(`${path.sep}node_modules${path.sep}`))
      continue;
    try {
      parseHandwrittenJson(decodeText(readFileSync(file)));
    } catch (problem) {
      if (problem instanceof RepeatedKeyError) throw new Error(`${file} can't be used: ${problem.message}`);
      throw problem;
    }
  }
  return loaded;
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

/** Returns the `waivers` of a module, with its `maxWaiverDays`. */
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

/** Returns the first lines of an error, because a loader puts file and line on the second line. */
function messageOf(problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(Object(problem).message ?? problem);
  return text.split("\n", 3).join(" ").trim();
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

/** The subject of a call of a rule: a change or a project. */
export interface Subject {
  /** The value that is passed to the rule. */
  readonly view: object;
  /** The path of the project or group. */
  readonly path: string | undefined;
  /** The subject in a message, such as `project acme/web`. */
  readonly place: string | undefined;
  /** The address of the object that a violation is about. */
  addressOf(violation: Partial<Violation>): string | undefined;
}

/** The result of a rule for one subject, which may be that it could not be checked. */
export interface Finding {
  readonly subject: Subject;
  readonly violation: Violation;
  readonly code: "policy_violated" | "policy_undecided";
}

/** More violations of one subject than this come from a rule that never ends. */
const MAX_VIOLATIONS = 1000;

/**
 * Calls a rule for each subject.
 *
 * @returns its findings, or the reason why it failed: an unchecked rule is an error
 */
export function checkRule(
  { file }: Pick<Rule, "file">,
  subjects: readonly Subject[],
  check: (view: object) => unknown,
  limit: number,
): readonly Finding[] | string {
  try {
    return withTimeLimit(limit, () => subjects.flatMap((subject) => findingsOf(subject, check)));
  } catch (problem) {
    return `${messageOf(problem)}${lineOf(problem, file)}`;
  }
}

function findingsOf(subject: Subject, check: (view: object) => unknown): Finding[] {
  try {
    const violations = violationsIn(check(subject.view));
    return violations.map((violation) => ({ subject, violation, code: "policy_violated" }));
  } catch (problem) {
    if (!(problem instanceof HiddenValue)) throw problem;
    const violation = {
      what: `${problem.message}, so the rule can't be checked.`,
      fix: "Declare a literal value, or make the rule check `unknown` and `sensitive` of the change before it reads the value.",
    };
    return [{ subject, violation, code: "policy_undecided" }];
  }
}

function violationsIn(answer: unknown): Violation[] {
  if (isPromise(answer)) {
    // Its rejection would end the process.
    answer.then(undefined, () => undefined);
    throw new Error("it returned a promise, and a rule can't be async");
  }
  if (typeof answer !== "object" || answer === null || !(Symbol.iterator in answer))
    throw new Error(`it returned ${kindOf(answer)} instead of a list of violations`);
  const found: unknown[] = [];
  for (const one of answer as Iterable<unknown>) {
    if (found.push(one) > MAX_VIOLATIONS)
      throw new Error(`it returned more than ${MAX_VIOLATIONS} violations`);
  }
  const { data, error } = z.array(violation).safeParse(found, { error: z.locales.en().localeError });
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new Error(`it returned an invalid violation: ${issue!.path.join(".")} ${issue!.message}`);
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (Object(value) as { then?: unknown }).then === "function";

const kindOf = (value: unknown): string => (value === null ? "null" : typeof value);

/** The line of the module that the stack of an error names first. */
function lineOf(problem: unknown, file: string): string {
  const { stack } = Object(problem) as { stack?: unknown };
  if (typeof stack !== "string") return "";
  const at = stack.indexOf(`${file}:`);
  const line = at < 0 ? undefined : /^\d+/.exec(stack.slice(at + file.length + 1))?.[0];
  return line === undefined ? "" : ` (line ${line})`;
}

/** The projects after a plan, with this provider's objects in them, as rules for apps see them. */
export function plannedProjects(plan: Plan, attributesOf: AttributesOf): Subject[] {
  const planned = withContainers(plan, objectsAfter(plan, attributesOf))
    .filter(isOfProject)
    .map(plannedResource);
  return [...groupBy(planned, ({ project }) => project)].map(([project, all]) => {
    const resources = all.map(({ resource }) => resource);
    const ofType = (type: string) => resources.filter((one) => one.type === type);
    return {
      path: project,
      place: `project ${project}`,
      view: { project, resources, ofType },
      // Finds the resource of the construct. By default, it is the first resource of the project.
      addressOf: ({ construct = resources[0]!.construct }) =>
        all.find(({ resource }) => resource.construct === construct)?.address,
    };
  });
}

/** Attributes have their schema names, without nulls. Sensitive and unknown values are expressions. */
function plannedResource(object: ResourceChange) {
  const { address, type } = object;
  const attributes = attributesFor(object);
  const construct: RuleConstruct = { node: { id: object.name, path: object.construct ?? address } };
  const project = containerOf(object)?.name ?? String(attributes["project"]);
  return { project, address, resource: { construct, type, attributes } };
}

const isOfProject = ({ provider, after }: ResourceChange): boolean =>
  provider === PROVIDER_SOURCE && (after!["project"] ?? null) !== null;

/** Rules repeat values in their messages, so sensitive values are expressions. */
function attributesFor({ after, afterSensitive }: ResourceChange): Readonly<Record<string, unknown>> {
  const hidden = new Set(hiddenPaths(after, afterSensitive).map(([name]) => name));
  if (hidden.has(undefined)) return {};
  const attributes = plainOf(after!) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, hidden.has(name) ? `\${${SENSITIVE}}` : value]),
  );
}

/** A value as cdktf would synthesize it. */
function plainOf(value: Value): unknown {
  if (isUnknown(value)) return "${(known after apply)}";
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value === "string") return value.replaceAll("${", "$${");
  if (!isObject(value)) return typeof value === "object" && value !== null ? Number(String(value)) : value;
  const set = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(set.map(([name, one]) => [name, plainOf(one)]));
}
