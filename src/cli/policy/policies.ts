import { existsSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, error, fail, hasErrors, warning } from "../../diagnostics";
import { type AttributesOf, groupBy, type Plan, policyModules, type Stack } from "../../engine";
import { defined } from "../../json";
import { createProvider, PROVIDER_SOURCE } from "../../provider";
import { counted, statedLines } from "../../text";
import type { PolicyArguments } from "../arguments/shared-options";
import { readWaivers } from "../findings/waivers";
import { containerOf } from "../objects/object-facts";
import type { Terminal } from "../terminal/terminal";
import type { ApprovalPolicy } from "./approval-policy";
import type { Approvers, NeededApprovals } from "./approvers";
import { digestOfModules } from "./module-files";
import { type PlannedChange, policyPlan } from "./policy-plan";
import { type PolicyResults, resultsOf } from "./results";
import { approvalsOf, approversOf, isChangeRule, type Rule, RuleWaivers } from "./rule";
import { type RuleChange, ruleChanges } from "./rule-changes";
import { checkRule, type Finding, loadRules, plannedProjects, type Subject, TIME_LIMIT } from "./run-rules";
import { SelectedEnvironments } from "./selected-environments";

/** From this number on, equal violations are reported as one, without the projects. */
const EQUAL = 5;

/** The rules for the plans of a run. */
export class Policies {
  /** The rules of the request that differ from the target branch; undefined without a checkout of it. */
  ruleChanges: readonly RuleChange[] | undefined;
  readonly #environments = new SelectedEnvironments();
  /** The stacks of the app without a whole plan yet. */
  #unplanned = new Set<string | undefined>();

  /**
   * @param digest the hash of the modules that the rules come from; null without rules
   * @param ofFiles warnings about the files of waivers
   * @param limit how long a rule may take over one plan, in milliseconds
   * @param approval who may approve any plan
   */
  constructor(
    protected readonly rules: readonly Rule[],
    private readonly attributesOf: AttributesOf,
    readonly digest: string | null = null,
    readonly waivers = new RuleWaivers(),
    private readonly ofFiles: readonly Diagnostic[] = [],
    private readonly limit = TIME_LIMIT,
    private readonly approval: ApprovalPolicy = {},
  ) {}

  /**
   * About the files of waivers, and waivers of rules that the run does not have. After a run over the whole app, also about
   * waivers of projects and rules for environments that no stack declares.
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

  /**
   * Refuses stacks whose app declares rules for changes that no module exports: they would never be checked.
   *
   * @throws DiagnosticError `policy_unchecked`, `waiver_refused`
   */
  requireRulesOf(stacks: readonly Pick<Stack, "name" | "configuration">[]): void {
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

  /** Takes note of the stacks of the run. */
  protected take(stacks: readonly Pick<Stack, "name" | "configuration">[]): void {
    this.#unplanned = new Set(stacks.map(({ name }) => name));
    this.waivers.take(this.rules, stacks);
  }

  /** How many people have to approve a plan with these violations. */
  approvalsFor(violations: readonly Diagnostic[]): number {
    const asked = this.#violated(violations).map((rule) => approvalsOf(rule) ?? 1);
    return Math.max(1, this.approval.approvals ?? 1, ...asked);
  }

  /** Whether a plan with these violations passes only if several people approve it, or people that a rule names. */
  needApprovals(violations: readonly Diagnostic[]): boolean {
    return this.#violated(violations).some(
      (rule) => (approvalsOf(rule) ?? 1) > 1 || approversOf(rule) !== undefined,
    );
  }

  /** Returns the approvers of a plan with these violations; undefined if policies only require a number. */
  approversFor(violations: readonly Diagnostic[]): Approvers | undefined {
    const { approvals = 1, approvers: named, allowAuthor, allowCommitters, bots } = this.approval;
    const violated = this.#violated(violations);
    const others = violated.filter((rule) => approversOf(rule) === undefined);
    const rules = violated.flatMap((rule) => {
      const by = approversOf(rule);
      return by === undefined ? [] : [{ rule: rule.name, people: approvalsOf(rule) ?? 1, named: [...by] }];
    });
    const said = {
      ...(named && { named }),
      ...(allowAuthor === true && { allow_author: true as const }),
      ...(allowCommitters === true && { allow_committers: true as const }),
      ...(bots && { bots }),
      ...(rules.length > 0 && { rules }),
    };
    if (Object.keys(said).length === 0) return undefined;
    return { people: Math.max(approvals, ...others.map((rule) => approvalsOf(rule) ?? 1)), ...said };
  }

  /** The people that have to approve a plan with these violations. */
  neededFor(violations: readonly Diagnostic[]): NeededApprovals {
    const approvers = this.approversFor(violations);
    return { approvals: this.approvalsFor(violations), ...(approvers && { approvers }) };
  }

  /**
   * The people that have to approve a part of the plan of a stack.
   *
   * @param isOfPart whether the violations at an address belong to the part
   */
  neededForPart(
    _stack: string | null,
    isOfPart: (address: string | undefined) => boolean,
    violations: readonly Diagnostic[],
  ): NeededApprovals {
    return this.neededFor(violations.filter(({ address }) => isOfPart(address)));
  }

  /**
   * The people that have to approve one change; undefined if no violation asks for them.
   *
   * @param violations the violations at the address of the change
   */
  neededForChange(
    _stack: string | null,
    _address: string,
    violations: readonly Diagnostic[],
  ): NeededApprovals | undefined {
    return this.needApprovals(violations) ? this.neededFor(violations) : undefined;
  }

  /** The people that have to approve every change, because of violations that belong to no change. */
  neededForOthers(violations: readonly Diagnostic[]): NeededApprovals {
    return this.neededFor(violations);
  }

  /** The results for plans with these violations, which people see before they approve. */
  results(violations: readonly Diagnostic[]): PolicyResults {
    return resultsOf(violations, this.waivers.list());
  }

  #violated(violations: readonly Diagnostic[]): readonly Rule[] {
    const names = new Set(violations.map(({ rule }) => rule));
    return this.rules.filter(({ name }) => names.has(name));
  }

  /**
   * The violations of a plan: errors of mandatory rules, warnings of advisory ones, and an error for each rule that
   * failed. A plan that only refreshes changes no object, so no rule is called.
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
function declaredRules({ configuration }: Pick<Stack, "configuration">): string[] {
  return configuration.files.flatMap(({ json }) => {
    const { change_rules: names } = Object(json["//"]) as { change_rules?: unknown };
    return Array.isArray(names) ? names.map(String) : [];
  });
}

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

/** The policies of the target branch. Its modules do not have the rules that a request adds. */
class BasePolicies extends Policies {
  override requireRulesOf(stacks: readonly Pick<Stack, "name" | "configuration">[]): void {
    this.take(stacks);
  }
}

type OpenArguments = PolicyArguments & {
  readonly config?: string | undefined;
  readonly planJson?: string;
};

/**
 * Loads the rules for the plans of a run: the rules of cdktf.json in the working folder, and of the command line. A
 * command that runs no app runs nothing else that a file names. With a checkout of the target branch, its files
 * count, and this process loads no module of the working folder.
 *
 * @throws DiagnosticError `policy_unusable`, `policy_unchecked`
 */
export function openPolicies(args: OpenArguments, terminal: Pick<Terminal, "folder" | "env">): Policies {
  const { policies: modules = [], waivers = [], base } = args;
  if (base === undefined) return policiesIn(terminal.folder, { ...args, isBase: false });
  const folder = path.resolve(terminal.folder, base);
  if (!existsSync(folder))
    fail({
      code: "policy_unusable",
      summary: "No checkout of the target branch",
      detail: `--base names the folder ${JSON.stringify(base)}, which does not exist. Nothing was planned. Create it with \`git worktree add\`.`,
    });
  const isThere = (file: string): boolean => existsSync(path.resolve(folder, file));
  const found = policiesIn(folder, {
    ...args,
    policies: modules.filter(isThere),
    waivers: waivers.filter(isThere),
    isBase: true,
  });
  found.ruleChanges = ruleChanges(folder, terminal.folder, { modules, waivers }, terminal.env);
  return found;
}

function policiesIn(folder: string, args: OpenArguments & { readonly isBase: boolean }): Policies {
  const { policies = [], waivers: files = [], waive, reason, config, planJson, isBase } = args;
  const otherSource = planJson === undefined ? "--config" : "--plan-json";
  const origin = (config ?? planJson) === undefined ? undefined : otherSource;
  const ofApp = policyModules(folder);
  if (origin !== undefined && ofApp.length > 0 && policies.length === 0 && !isBase)
    fail({
      code: "policy_unchecked",
      summary: "Rules are not checked",
      detail: `cdktf.json names the policy ${ofApp.map((file) => JSON.stringify(file)).join(", ")}, but Steward does not run it with ${origin}. Nothing was planned. Add ${ofApp.map((file) => `--policy ${file}`).join(" ")}.`,
    });
  const modules = [
    ...(origin === undefined || isBase ? ofApp : []).map((file) => ({ file, namedIn: "cdktf.json" })),
    ...policies.map((file) => ({ file, namedIn: "--policy" })),
  ];
  const { rules, waivers, approval, files: loaded } = loadRules(modules, folder);
  const read = files.map((file) => readWaivers(file, folder));
  const all = [...waivers, ...read.flatMap((file) => file.waivers)].filter(({ rule }) => rule !== undefined);
  return new (isBase ? BasePolicies : Policies)(
    rules,
    ownAttributes(),
    digestOfModules(loaded, folder),
    new RuleWaivers(all, waive === undefined ? undefined : { rule: waive, reason: reason! }),
    read.flatMap((file) => file.warnings),
    TIME_LIMIT,
    approval,
  );
}

/**
 * Returns the hash of the policies of a checkout, as `openPolicies` has it with that checkout as the base; null without policies.
 * Reads files, and runs no module.
 *
 * @param modules the policy modules of the command line
 */
export function digestOfPolicies(folder: string, modules: readonly string[]): string | null {
  const targets = [...policyModules(folder), ...modules].map((file) => path.resolve(folder, file));
  return digestOfModules([...new Set(targets)].filter(existsSync), folder);
}

/** Finds the attributes of this provider's types. */
export function ownAttributes(): AttributesOf {
  const { source, resources, dataSources } = createProvider().schema;
  return ({ provider, mode, type }) =>
    provider === source ? (mode === "managed" ? resources : dataSources)[type]?.attributes : undefined;
}
