import * as z from "zod/mini";
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
import { PROVIDER_SOURCE } from "../../provider";
import { SENSITIVE } from "../../text";
import { containerOf } from "../objects/object-facts";
import { HiddenValue, withContainers } from "./policy-plan";
import { type Rule, type RuleConstruct, type Violation, violation } from "./rule";
import { messageOf, withTimeLimit } from "./time-limit";

/** The change or project that a rule checks in one call. */
export interface Subject {
  /** The argument with which Steward calls the rule. */
  readonly view: object;
  /** The path of the project or group that the rule checks. */
  readonly path: string | undefined;
  /** The name of the change or project in messages, such as `project acme/web`. */
  readonly place: string | undefined;
  /** Returns the address of the object that a violation concerns. */
  addressOf(violation: Partial<Violation>): string | undefined;
}

/** A violation in one change or project. `policy_undecided` means that the rule could not check this change or project. */
export interface Finding {
  readonly subject: Subject;
  readonly violation: Violation;
  readonly code: "policy_violated" | "policy_undecided";
}

/**
 * The maximum number of violations of one rule in one change or project. A rule with more violations is probably in an endless
 * loop.
 */
const MAX_VIOLATIONS = 1000;

/**
 * Calls a rule for each change or project.
 *
 * @returns the findings of the rule, or a text with the reason if the rule failed. Callers report this text as an error
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
    // Handles a rejection of the promise, because an unhandled rejection would end the process.
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

/** Returns the line of the module in which an error occurred, from its stack trace. */
function lineOf(problem: unknown, file: string): string {
  const { stack } = Object(problem) as { stack?: unknown };
  if (typeof stack !== "string") return "";
  const at = stack.indexOf(`${file}:`);
  const line = at < 0 ? undefined : /^\d+/.exec(stack.slice(at + file.length + 1))?.[0];
  return line === undefined ? "" : ` (line ${line})`;
}

/**
 * Returns the projects as they are after the apply, each with its objects of Steward's provider. Steward passes the returned
 * values to rules for projects.
 */
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
      // Finds the resource whose construct the violation names. If the violation names no construct, finds the first resource
      // of the project.
      addressOf: ({ construct = resources[0]!.construct }) =>
        all.find(({ resource }) => resource.construct === construct)?.address,
    };
  });
}

/**
 * Returns an object in the form of a synthesized resource. Attributes have their names in the schema, and null attributes are
 * left out. Sensitive and unknown values are replaced by expressions.
 */
function plannedResource(object: ResourceChange) {
  const { address, type } = object;
  const attributes = attributesFor(object);
  const construct: RuleConstruct = { node: { id: object.name, path: object.construct ?? address } };
  const project = containerOf(object)?.name ?? String(attributes["project"]);
  return { project, address, resource: { construct, type, attributes } };
}

const isOfProject = ({ provider, after }: ResourceChange): boolean =>
  provider === PROVIDER_SOURCE && (after!["project"] ?? null) !== null;

/**
 * Returns the attributes of an object. Sensitive values are replaced by expressions, because rules can repeat values in their
 * messages.
 */
function attributesFor({ after, afterSensitive }: ResourceChange): Readonly<Record<string, unknown>> {
  const hidden = new Set(hiddenPaths(after, afterSensitive).map(([name]) => name));
  if (hidden.has(undefined)) return {};
  const attributes = plainOf(after!) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, hidden.has(name) ? `\${${SENSITIVE}}` : value]),
  );
}

/** Returns a value in the form in which cdktf would synthesize it. */
function plainOf(value: Value): unknown {
  if (isUnknown(value)) return "${(known after apply)}";
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value === "string") return value.replaceAll("${", "$${");
  if (!isObject(value)) return typeof value === "object" && value !== null ? Number(String(value)) : value;
  const set = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(set.map(([name, one]) => [name, plainOf(one)]));
}
