import * as z from "zod/mini";
import { nearest } from "../../diagnostics";
import { createProvider } from "../../provider";
import type { PlannedChange, PolicyPlan } from "./policy-plan";

/** Represents a resource where rules for projects refer to a construct. */
export interface RuleConstruct {
  readonly node: { readonly id: string; readonly path: string };
}

/** `fix` was called `mend` up to 0.1. */
const withFix = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "mend" in value && !("fix" in value)
    ? { ...value, fix: value.mend }
    : value;

export const violation = z.pipe(
  z.transform(withFix),
  z.object({
    what: z.string(),
    fix: z.string(),
    attribute: z.optional(z.string()),
    address: z.optional(z.string()),
    construct: z.optional(z.custom<RuleConstruct>()),
  }),
);
export type Violation = z.infer<typeof violation>;

const method = <F>() => z.custom<F>((value) => typeof value === "function", "Not a function");

const text = {
  name: z.string(),
  why: z.string(),
  level: z._default(z.enum(["mandatory", "advisory"]), "mandatory"),
  /** Whether --waive may name it. */
  waivable: z.optional(z.boolean()),
};
const projectRule = z.object({ ...text, check: method<(project: object) => unknown>() });
const changeRule = z.object({
  ...text,
  /** So many people may approve what the rule refuses otherwise. */
  approvals: z.optional(z.int().check(z.minimum(1))),
  types: z.optional(z.array(z.string().check(z.refine(isType, { error: unknownType })))),
  checkChange: method<(change: PlannedChange, plan: PolicyPlan) => unknown>(),
});

/** A rule that a module exports, with the file of the module. */
interface FromModule {
  readonly file: string;
}

/** A rule for all objects of a project. */
export type ProjectRule = z.infer<typeof projectRule> & FromModule;

/** A rule for the changes of objects. */
export type ChangeRule = z.infer<typeof changeRule> & FromModule;

export type Rule = ProjectRule | ChangeRule;

/** How many people may approve what a rule refuses; undefined if nobody can. */
export const approvalsOf = (rule: Rule): number | undefined =>
  "approvals" in rule ? rule.approvals : undefined;

export const isChangeRule = (rule: Rule): rule is ChangeRule => "checkChange" in rule;

/**
 * The rules in what a module exports.
 *
 * @throws Error that names the place of an invalid rule
 */
export function readRules(exported: unknown, file: string): Rule[] {
  if (!Array.isArray(exported)) throw new Error("it is not a list");
  return exported.map((rule: unknown, at) => {
    if (typeof rule !== "object" || rule === null) throw new Error(`${at} is not an object`);
    if ("check" in rule && "checkChange" in rule)
      throw new Error(`${at} has check and checkChange; write two rules`);
    // A rule can be an instance of a class, whose methods need its `this`.
    return { ...parsed(rule, at), file, ...bound(rule) };
  });
}

const English = z.locales.en().localeError;

function parsed(rule: object, at: number): z.infer<typeof projectRule> | z.infer<typeof changeRule> {
  const { data, error } = ("checkChange" in rule ? changeRule : projectRule).safeParse(rule, {
    error: English,
  });
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new Error([[at, ...issue!.path].join("."), issue!.message].join(" "));
}

const bound = (rule: object) =>
  Object.fromEntries(
    ["check", "checkChange"].flatMap((name) => {
      const value = (rule as Readonly<Record<string, unknown>>)[name];
      return typeof value === "function" ? [[name, value.bind(rule)]] : [];
    }),
  );

const ownTypes = (): string[] => Object.keys(createProvider().schema.resources);

/** A rule for a type that this provider does not have would never be called. */
function isType(type: string): boolean {
  return !type.startsWith("steward_") || ownTypes().includes(type);
}

function unknownType({ input }: { readonly input: unknown }): string {
  const close = nearest(String(input), ownTypes());
  return `There is no resource type ${JSON.stringify(input)}${close === undefined ? "" : `. Did you mean "${close}"?`}`;
}
