import * as z from "zod/mini";
import { type Diagnostic, fail, nearest, warning } from "../../diagnostics";
import { createProvider, type GivenWaiver, mergeWaivers, type UsedWaiver, Waivers } from "../../provider";
import { SeenProjects } from "../findings/seen-projects";
import { WAIVED_RULE } from "../terminal/app-environment";
import { approverName } from "./approvers";
import type { PlannedChange, PolicyPlan } from "./policy-plan";

/** The construct of a resource, in the form that rules for projects get. A violation can refer to this construct. */
export interface RuleConstruct {
  readonly node: { readonly id: string; readonly path: string };
}

/** Returns a rule with the key `fix`. Up to release 0.1, this key had the name `mend`. */
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
  /** Whether `--waive` may name the rule. */
  waivable: z.optional(z.boolean()),
};
const projectRule = z.object({
  ...text,
  /** The name of the environment that the rule checks. */
  environment: z.optional(z.string()),
  check: method<(project: object) => unknown>(),
});
const changeRule = z.object({
  ...text,
  /** The number of people who must approve a plan that violates the rule. */
  approvals: z.optional(z.int().check(z.minimum(1))),
  /** The users and groups who may give these approvals. */
  approvers: z.optional(z.array(approverName()).check(z.minLength(1))),
  types: z.optional(z.array(z.string().check(z.refine(isType, { error: unknownType })))),
  checkChange: method<(change: PlannedChange, plan: PolicyPlan) => unknown>(),
});

/** The module file that exports a rule. */
interface FromModule {
  readonly file: string;
}

/** A rule for all objects of a project. */
type ProjectRule = z.infer<typeof projectRule> & FromModule;

/** A rule for the changes of objects. */
type ChangeRule = z.infer<typeof changeRule> & FromModule;

export type Rule = ProjectRule | ChangeRule;

/** Returns the number of people who must approve a violation of a rule; undefined if no approval is possible. */
export const approvalsOf = (rule: Rule): number | undefined =>
  "approvals" in rule ? rule.approvals : undefined;

/** Returns the approvers that a rule names for its violations. */
export const approversOf = (rule: Rule): readonly string[] | undefined =>
  "approvers" in rule ? rule.approvers : undefined;

export const isChangeRule = (rule: Rule): rule is ChangeRule => "checkChange" in rule;

/**
 * Reads the rules from the exports of a module.
 *
 * @throws Error that says which rule is invalid
 */
export function readRules(exported: unknown, file: string): Rule[] {
  if (!Array.isArray(exported)) throw new Error("it is not a list");
  return exported.map((rule: unknown, at) => {
    if (typeof rule !== "object" || rule === null) throw new Error(`${at} is not an object`);
    if ("check" in rule && "checkChange" in rule)
      throw new Error(`${at} has check and checkChange; write two rules`);
    if ("approvers" in rule && !("approvals" in rule))
      throw new Error(`${at} has approvers without approvals; add how many of them have to approve`);
    // The methods are bound, because a rule can be an instance of a class and use `this`.
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

/** Returns true if the provider has the type. Steward would never run a rule for a type that the provider does not have. */
function isType(type: string): boolean {
  return !type.startsWith("steward_") || ownTypes().includes(type);
}

function unknownType({ input }: { readonly input: unknown }): string {
  const close = nearest(String(input), ownTypes());
  return `There is no resource type ${JSON.stringify(input)}${close === undefined ? "" : `. Did you mean "${close}"?`}`;
}

/** A stack of an app, with the comments (`//`) in which the app notes its rules and waivers. */
export interface SynthesizedStack {
  readonly name: string | undefined;
  readonly comments: readonly unknown[];
}

/** A rule that `--waive` names for one run, and the reason. */
type WaivedRule = { readonly rule: string; readonly reason: string };

/** The waivers of policy rules in a run: from policy modules and files, from the command line, and from the app. */
export class RuleWaivers {
  readonly #waivers: Waivers;
  readonly #waive: WaivedRule | undefined;
  readonly #projects = new SeenProjects();
  #ofApp: readonly UsedWaiver[] = [];

  constructor(listed: readonly GivenWaiver[] = [], waive?: WaivedRule) {
    const forRun: readonly GivenWaiver[] =
      waive === undefined ? [] : [{ ...waive, project: "*", forThisRun: true }];
    this.#waivers = new Waivers([...listed, ...forRun]);
    this.#waive = waive;
  }

  /**
   * The environment variables for the app. They name the rule that `--waive` waives, because the policies of the app may
   * contain this rule.
   */
  get environment(): Readonly<Record<string, string>> {
    return this.#waive === undefined ? {} : { [WAIVED_RULE]: JSON.stringify(this.#waive) };
  }

  /**
   * Records the waivers that the policies of the app applied during its synthesis.
   *
   * @throws DiagnosticError `waiver_refused` for a rule that can't be waived for a run
   */
  take(rules: readonly Rule[], stacks: readonly SynthesizedStack[]): void {
    this.#ofApp = mergeWaivers(stacks.map(waiversOf));
    if (this.#waive === undefined) return;
    const { rule: name } = this.#waive;
    const found = rules.filter((rule) => rule.name === name);
    if (found.some(({ waivable }) => waivable === false))
      refused(
        name,
        "forbids waivers. Nothing was planned. Remove --waive, and fix the violations of the rule.",
      );
    if (found.length === 0 && !this.#ofApp.some(({ rule, forThisRun }) => forThisRun && rule === name))
      refused(
        name,
        "no policy of this run contains. Nothing was planned. Correct the name, remove --waive, or add the policy with --policy.",
      );
  }

  /** Returns true if a waiver accepts the violation. Also records that this waiver was used. */
  isWaived(rule: Rule, project: string | undefined, finding: readonly (string | undefined)[]): boolean {
    return this.#waivers.accept((one) => one.rule === rule.name, project, finding) !== undefined;
  }

  /** Returns warnings about waivers of rules that do not exist. Ignores the waivers of the app itself. */
  unknown(rules: readonly Rule[]): readonly Diagnostic[] {
    const known = new Set([...rules.map(({ name }) => name), ...this.#ofApp.map(({ rule }) => rule)]);
    const names = this.#waivers.list().flatMap(({ rule, forThisRun }) => (forThisRun ? [] : (rule ?? [])));
    return [...new Set(names)].filter((name) => !known.has(name)).map((name) => unknownRule(name, rules));
  }

  /** Whether at least one waiver names projects. If so, the run has to record the projects in its plans. */
  get needsProjects(): boolean {
    return this.list().some((one) => isForProjects(one));
  }

  /** Records the projects and groups in the plan of a stack. */
  saw(projects: readonly (string | undefined)[]): void {
    for (const one of projects) this.#projects.see(one);
  }

  /** Returns warnings about waivers for projects that appear in no plan of a complete run. */
  withoutProject(): readonly Diagnostic[] {
    const ofApp = new Set(this.#ofApp);
    return this.list()
      .filter((one) => isForProjects(one) && one.uses === 0)
      .filter((one) => this.#projects.hasNone(one.project, { withGroups: ofApp.has(one) }))
      .map((one) => matchesNoProject(one, this.#projects.hintFor(one.project)));
  }

  list(): readonly UsedWaiver[] {
    const own = this.#waivers.list();
    // A waiver that the app and a module both contain counts once, because the app and the module find the same violation.
    const keys = new Set(own.map(keyOf));
    return [...own, ...this.#ofApp.filter((one) => !keys.has(keyOf(one)))];
  }
}

/**
 * Returns true if a waiver names projects by path. In a waiver of an app, a description of the projects of a fleet can replace
 * the path.
 */
const isForProjects = ({ project }: UsedWaiver): boolean => project !== "*" && !project.includes(" ");

const matchesNoProject = ({ rule, project }: UsedWaiver, hint: string): Diagnostic =>
  warning({
    code: "waiver_unmatched",
    summary: "Waiver matches no project",
    detail: `A waiver of the rule ${JSON.stringify(rule)} names "${project}". The app declares nothing in such a project or group.${hint} Correct the path, or remove the waiver.`,
    cause: `${rule} ${project}`,
  });

const keyOf = ({ rule, project, reason, until }: UsedWaiver): string =>
  JSON.stringify([rule, project, reason, until]);

const waiversOf = ({ comments }: SynthesizedStack): readonly UsedWaiver[] =>
  comments.flatMap((comment) => {
    const { waivers } = Object(comment) as { waivers?: readonly UsedWaiver[] };
    return Array.isArray(waivers) ? waivers : [];
  });

function unknownRule(name: string, rules: readonly Rule[]): Diagnostic {
  const names = rules.map((rule) => rule.name);
  const near = nearest(name, names);
  const hint = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  return warning({
    code: "waiver_unmatched",
    summary: "Waiver of an unknown rule",
    detail:
      `A waiver names the rule ${JSON.stringify(name)}, but no policy of this run contains this rule. The waiver has no effect.${hint} ` +
      "Correct the name, or remove the waiver.",
    cause: name,
  });
}

/** @param problem the end of a sentence about the rule, and a second sentence that says what to do */
const refused = (rule: string, problem: string): never =>
  fail({
    code: "waiver_refused",
    summary: "Rule can't be waived",
    detail: `--waive names the rule ${JSON.stringify(rule)}, which ${problem}`,
  });
