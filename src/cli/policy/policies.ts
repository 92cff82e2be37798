import { type Diagnostic, error, fail, hasErrors, warning } from "../../diagnostics";
import { type AttributesOf, groupBy, type Plan } from "../../engine";
import { defined } from "../../json";
import { PROVIDER_SOURCE } from "../../provider";
import { counted, statedLines } from "../../text";
import { containerOf } from "../objects/object-facts";
import type { ApprovalPolicy } from "./approval-policy";
import { type PlannedChange, policyPlan } from "./policy-plan";
import { type PolicyResults, resultsOf } from "./results";
import { approvalsOf, isChangeRule, type Rule, RuleWaivers, type SynthesizedStack } from "./rule";
import { RuleApprovals } from "./rule-approvals";
import type { RuleChange } from "./rule-changes";
import { checkRule, type Finding, plannedProjects, type Subject } from "./run-rules";
import { SelectedEnvironments } from "./selected-environments";
import { TIME_LIMIT } from "./time-limit";

/** The minimum number of equal violations that are reported as one, without the projects. */
const EQUAL = 5;

/** The rules for the plans of a run. */
export class Policies extends RuleApprovals {
  /** The rules of the request that differ from the target branch; undefined without a checkout of it. */
  ruleChanges: readonly RuleChange[] | undefined;
  readonly #environments = new SelectedEnvironments();
  /** The stacks of the app that have no complete plan yet. */
  #unplanned = new Set<string | undefined>();

  /**
   * @param digest the hash of the modules that the rules come from; null without rules
   * @param ofFiles warnings about the files of waivers
   * @param limit how long a rule may take over one plan, in milliseconds
   * @param approval who may approve any plan
   */
  constructor(
    rules: readonly Rule[],
    private readonly attributesOf: AttributesOf,
    readonly digest: string | null = null,
    readonly waivers = new RuleWaivers(),
    private readonly ofFiles: readonly Diagnostic[] = [],
    private readonly limit = TIME_LIMIT,
    approval: ApprovalPolicy = {},
  ) {
    super(rules, approval);
  }

  /**
   * Returns warnings about the files of waivers, and about waivers of rules that the run does not have. After a run over the
   * whole app, also returns warnings about names in waivers and rules. A warning then names a project or environment that no
   * stack declares.
   */
  warnings({ isWholeApp = false } = {}): readonly Diagnostic[] {
    const ofWholeApp =
      isWholeApp && this.#unplanned.size === 0
        ? [...this.waivers.withoutProject(), ...this.#environments.unmatched(this.rules)]
        : [];
    return [...this.ofFiles, ...this.waivers.unknown(this.rules), ...ofWholeApp];
  }

  get hasRules(): boolean {
    return this.rules.length > 0;
  }

  /** Whether this run checks its plans, or records their projects for waivers. */
  get needsPlans(): boolean {
    return this.hasRules || this.waivers.needsProjects;
  }

  /**
   * Refuses stacks whose app declares rules for changes that no module exports: they would never be checked.
   *
   * @throws DiagnosticError `policy_unchecked`, `waiver_refused`
   */
  requireRulesOf(stacks: readonly SynthesizedStack[]): void {
    this.take(stacks);
    const names = new Set(this.rules.filter(isChangeRule).map(({ name }) => name));
    const missing = new Set(stacks.flatMap(declaredRules).filter((name) => !names.has(name)));
    if (missing.size === 0) return;
    fail({
      code: "policy_unchecked",
      summary: "Rules are not checked",
      detail: `No policy module exports these rules of the app: ${[...missing].map((name) => JSON.stringify(name)).join(", ")}. Nothing was planned. Name the module in cdktf.json ("policy": "policy.ts"), or with --policy.`,
    });
  }

  /** Records the stacks of the run. */
  protected take(stacks: readonly SynthesizedStack[]): void {
    this.#unplanned = new Set(stacks.map(({ name }) => name));
    this.waivers.take(this.rules, stacks);
  }

  /** Returns the results for plans with these violations. People see these results before they approve. */
  results(violations: readonly Diagnostic[]): PolicyResults {
    return resultsOf(violations, this.waivers.list());
  }

  /**
   * The violations of a plan: errors of mandatory rules, warnings of advisory ones, and an error for each rule that
   * failed. A refresh-only plan changes no object, so no rule is called.
   *
   * @param approvals how many people approved the plan: a warning if that is enough for the rule
   */
  violations(plan: Plan, stack: string | undefined, approvals = 0): Diagnostic[] {
    if (plan.mode === "refresh-only") return [];
    if (plan.mode === "normal" && !hasErrors(plan.diagnostics)) this.#unplanned.delete(stack);
    if (this.waivers.needsProjects) this.waivers.saw(plan.changes.map((change) => containerOf(change)?.name));
    if (this.rules.length === 0) return [];
    const view = policyPlan(plan, stack, this.attributesOf);
    const projects = plannedProjects(plan, this.attributesOf);
    this.#environments.see(projects);
    const constructs = new Map(plan.changes.map(({ address, construct }) => [address, construct]));
    return this.rules.flatMap((rule) => {
      const found = isChangeRule(rule)
        ? checkRule(
            rule,
            view.changes.filter(selectorFor(rule)).map(subjectOf),
            (change) => rule.checkChange(change as PlannedChange, view),
            this.limit,
          )
        : checkRule(rule, projects, (project) => rule.check(project), this.limit);
      if (typeof found === "string") return [failed(rule, stack, found)];
      const isOpen = ({ subject: { path, place, addressOf }, violation, code }: Finding) =>
        code === "policy_undecided" ||
        !this.waivers.isWaived(rule, path, [stack, addressOf(violation) ?? place, violation.what]);
      const open = found.filter(isOpen);
      const equal = groupBy(open, keyOf);
      const report = isAllowed(rule, approvals) ? warning : error;
      return open.map((one) =>
        report(textOf(one, equal.get(keyOf(one))!.length >= EQUAL, rule, stack, constructs)),
      );
    });
  }
}

const subjectOf = (change: PlannedChange): Subject => {
  const { project, group } = change;
  const place = project === undefined ? group && `group ${group}` : `project ${project}`;
  return {
    view: change,
    path: project ?? group,
    place,
    addressOf: ({ address }) => address ?? change.address,
  };
};

function isAllowed(rule: Rule, approvals: number): boolean {
  const needed = approvalsOf(rule);
  return needed === undefined ? rule.level === "advisory" : approvals >= needed;
}

const selectorFor =
  ({ types }: { readonly types?: readonly string[] | undefined }) =>
  ({ type, provider }: PlannedChange): boolean =>
    types?.includes(type) ?? provider === PROVIDER_SOURCE;

/** The names of the rules for changes that an app declares, as `ProjectPolicy` writes them. */
const declaredRules = ({ comments }: SynthesizedStack): string[] =>
  comments.flatMap((comment) => {
    const { change_rules: names } = Object(comment) as { change_rules?: unknown };
    return Array.isArray(names) ? names.map(String) : [];
  });

const keyOf = ({ violation: { what, fix } }: Finding): string => JSON.stringify([what, fix]);

/**
 * Returns a finding as the text of a diagnostic. A folded finding is printed together with equal ones, without its
 * project.
 */
function textOf(
  { subject, violation, code }: Finding,
  isFolded: boolean,
  rule: Rule,
  stack: string | undefined,
  constructs: ReadonlyMap<string, string | undefined>,
) {
  const { what, fix, attribute } = violation;
  const place = isFolded ? undefined : subject.place;
  const head = [
    `Policy "${rule.name}"`,
    ...(stack === undefined ? [] : [`stack ${stack}`]),
    ...(place === undefined ? [] : [place]),
  ];
  const needed = approvalsOf(rule);
  const exception = needed === undefined ? "" : ` Or get ${counted(needed, "approval")}.`;
  const address = subject.addressOf(violation);
  return {
    code,
    summary: code === "policy_violated" ? "Policy violated" : "Policy can't be checked",
    detail: statedLines(`${head.join(", ")}: ${what} ${rule.why} ${fix}${exception}`),
    rule: rule.name,
    ...defined({
      cause: isFolded ? JSON.stringify([rule.name, what, fix]) : undefined,
      address,
      construct: constructs.get(address ?? ""),
      attribute: attribute === undefined ? undefined : [attribute],
    }),
  };
}

const failed = ({ name }: Rule, stack: string | undefined, why: string): Diagnostic =>
  error({
    code: "policy_unusable",
    summary: "Policy can't be used",
    detail: statedLines(
      `The rule ${JSON.stringify(name)} failed${stack === undefined ? "" : ` in the stack ${stack}`}: ${why.replace(/\.?$/, ".")} The rule was not checked. Correct the rule.`,
    ),
    rule: name,
  });
