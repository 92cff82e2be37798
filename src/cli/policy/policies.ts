import path from "node:path";
import * as z from "zod";
import { type Diagnostic, error, fail } from "../../diagnostics";
import { isObject, isUnknown, type Plan, type ResourceChange, type Value } from "../../engine";
import { PROVIDER_SOURCE } from "../../provider";
import { SENSITIVE, statedLines } from "../../text";

// The rules of `ProjectPolicy` for plans of other engines. They see a project as in an app.

/** Represents a resource where rules refer to a construct. */
interface Construct {
  readonly node: { readonly id: string; readonly path: string };
}

interface PlannedResource {
  readonly construct: Construct;
  readonly type: string;
  /** Attributes by their schema names, without nulls. Sensitive and unknown values are expressions. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

const violation = z.object({
  construct: z.custom<Construct>().optional(),
  what: z.string(),
  mend: z.string(),
});

type Check = (project: object) => Iterable<unknown>;
const rules = z.array(
  z.object({
    name: z.string(),
    why: z.string(),
    check: z.custom<Check>((value) => typeof value === "function", "Not a function"),
  }),
);
type Rule = z.infer<typeof rules>[number];

/** The rules that JavaScript modules export. @throws DiagnosticError `policy_unusable` */
export function loadPolicies(files: readonly string[], folder: string): Rule[] {
  return files.flatMap((file) => {
    let exported: unknown;
    try {
      exported = require(path.resolve(folder, file));
    } catch (problem) {
      return unusable(file, `can't be loaded: ${(problem as Error).message}`);
    }
    const { default: byDefault = exported } = Object(exported) as { default?: unknown };
    const { data, error: problem } = rules.safeParse(byDefault);
    if (data !== undefined) return data.map((rule, at) => ({ ...rule, check: checkOf(byDefault, at) }));
    const [issue] = problem.issues;
    return unusable(
      file,
      `exports no list of rules: ${[issue!.path.join("."), issue!.message].join(" ").trim()}`,
    );
  });
}

/** A rule can be an instance of a class, whose check needs its `this`. */
const checkOf =
  (exported: unknown, at: number): Check =>
  (project) =>
    (exported as { check: Check }[])[at]!.check(project);

const unusable = (file: string, why: string): never =>
  fail({
    code: "policy_unusable",
    summary: "Policy can't be used",
    detail: [
      `${JSON.stringify(file)} ${why.split("\n")[0]!}. Nothing was reported.`,
      "A policy is a JavaScript module that exports a list of rules, each with name, why and check(project).",
    ],
  });

/** The violations that the projects of a plan would have after the apply. */
export function violationsIn(plan: Plan, policies: readonly Rule[]): Diagnostic[] {
  const addresses = new Map<unknown, string>();
  const projects = new Map<string, PlannedResource[]>();
  for (const change of plan.changes.filter(isKept)) {
    const construct = { node: { id: change.name, path: change.construct ?? change.address } };
    addresses.set(construct, change.address);
    const attributes = attributesFor(change);
    const project = String(attributes["project"]);
    projects.set(project, [...(projects.get(project) ?? []), { construct, type: change.type, attributes }]);
  }
  return [...projects].flatMap(([project, resources]) => {
    const ofType = (type: string) => resources.filter((one) => one.type === type);
    return policies.flatMap((rule) =>
      judged(rule, { project, resources, ofType }).map(({ construct, what, mend }) => {
        const text = `Policy "${rule.name}", project ${project}: ${what} ${rule.why} ${mend}`;
        const address = addresses.get(construct ?? resources[0]!.construct);
        return error({
          code: "policy_violated",
          summary: "Policy violated",
          detail: statedLines(text),
          ...(address !== undefined && { address }),
        });
      }),
    );
  });
}

/** The objects of this provider that exist after the apply. */
const isKept = ({ mode, provider, deposed, action, after }: ResourceChange): boolean =>
  mode === "managed" &&
  provider === PROVIDER_SOURCE &&
  deposed === undefined &&
  action !== "forget" &&
  after !== null &&
  (after["project"] ?? null) !== null;

function judged(rule: Rule, project: object): z.infer<typeof violation>[] {
  try {
    return z.array(violation).parse([...rule.check(project)]);
  } catch (problem) {
    return fail({
      code: "policy_unusable",
      summary: "Policy can't be used",
      detail: `The rule "${rule.name}" failed: ${(problem as Error).message.split("\n")[0]!}. Correct its check(project).`,
    });
  }
}

/** Rules repeat values in their messages, so sensitive values are expressions. */
function attributesFor({ after, afterSensitive }: ResourceChange): Readonly<Record<string, unknown>> {
  const hidden = new Set(afterSensitive.map(([name]) => name));
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
