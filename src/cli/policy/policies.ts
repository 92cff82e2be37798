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

/** The minimum number of equal violations that Steward prints as one violation, without their projects. */
const EQUAL = 5;

/** Runs the rules on the plans of a run, and applies the waivers. */
export class Policies extends RuleApprovals {
  /**
   * The rules that the merge request changes, compared with its target branch. Undefined if there is no checkout of the target
   * branch.
   */
  ruleChanges: readonly RuleChange[] | undefined;
  readonly #environments = new SelectedEnvironments();
  /** The stacks of the app that have no complete plan yet. */
  #unplanned = new Set<string | undefined>();

  /**
   * @param digest the hash of the policy modules; null without modules
   * @param ofFiles warnings about the files of waivers
   * @param limit how long a rule may take over one plan, in milliseconds
   * @param approval who has to approve every plan
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
   * Returns warnings about files of waivers, and about waivers of rules that do not exist in this run. After a run over the
   * whole app, also warns about names that no stack declares: projects in waivers, and environments in rules.
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

  /** Whether the run needs complete plans, to check rules or to record projects for waivers. */
  get needsPlans(): boolean {
    return this.hasRules || this.waivers.needsProjects;
  }

  /**
   * Refuses stacks if their app declares a rule for changes, and no policy module exports this rule. Without a module, Steward
   * would not check the rule.
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

  /** Records the stacks of the run, and the waivers in these stacks. */
  protected take(stacks: readonly SynthesizedStack[]): void {
    this.#unplanned = new Set(stacks.map(({ name }) => name));
    this.waivers.take(this.rules, stacks);
  }

  /** Returns the results that people see before they approve: the given violations, and the applied waivers. */
  results(violations: readonly Diagnostic[]): PolicyResults {
    return resultsOf(violations, this.waivers.list());
  }

  /**
   * Runs the rules on a plan. Returns an error for each violation of a mandatory rule, and a warning for each violation of an
   * advisory rule. Also returns an error for each rule that failed. Runs no rule for a refresh-only plan, because such a plan
   * changes no object.
   *
   * @param approvals how many people approved the plan. If this number is enough for a rule, the violations of that rule are
   * only warnings
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

/**
 * Returns the names of the rules for changes that an app declares. `ProjectPolicy` writes these names into comments of the
 * configuration.
 */
const declaredRules = ({ comments }: SynthesizedStack): string[] =>
  comments.flatMap((comment) => {
    const { change_rules: names } = Object(comment) as { change_rules?: unknown };
    return Array.isArray(names) ? names.map(String) : [];
  });

const keyOf = ({ violation: { what, fix } }: Finding): string => JSON.stringify([what, fix]);

/**
 * Returns the text of the diagnostic about a finding. The text of a folded finding does not name the project, because Steward
 * prints one text for all equal findings.
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
