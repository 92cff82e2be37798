import { Annotations, type IAspect, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { type DeclaredProject, declaredProjects } from "../declared/declared-project";
import { isKnown } from "../declared/declared-resource";
import {
  type GivenWaiver,
  MAX_WAIVER_DAYS,
  type Waiver,
  Waivers,
  waiverProblem,
  waiverProblemText,
} from "../generated/waivers";
import { nearest, refuseUnknownKeys } from "../keys";
import { inOwnStack } from "../position";
import { ProjectSettings } from "../project-settings";
import type { PolicyRule, PolicyRules, Violation } from "./policy-rule";

/**
 * The comments that policies wrote into each stack, by the name of the comment. Several policies of a stack add to one comment.
 */
const written = new WeakMap<TerraformStack, Map<string, Set<unknown>>>();

/** Adds values to a comment in the configuration of a stack. Steward reads the comment when it plans and reports. */
function note(stack: TerraformStack, name: string, values: readonly unknown[]): void {
  if (values.length === 0) return;
  const comments = written.get(stack) ?? new Map<string, Set<unknown>>();
  written.set(stack, comments);
  const all = new Set([...(comments.get(name) ?? []), ...values]);
  comments.set(name, all);
  stack.addOverride(`//.${name}`, [...all]);
}

/** The options of a {@link ProjectPolicy}. */
export interface ProjectPolicyConfig {
  /**
   * The rules of the policy. A rule with `checkChange` runs only when Steward plans, so a policy module must export this rule
   * too.
   */
  readonly rules: PolicyRules;
  /**
   * The severity of the diagnostic if a rule needs a value that is known only during apply.
   *
   * @default "error"
   */
  readonly undecided?: "error" | "warning" | undefined;
  /**
   * The waivers. Each waiver accepts the violations of one rule by one project until a day.
   *
   * @example [{ rule: "inbound limit on", project: "acme/legacy", reason: "mirrors", owner: "@maya", until: "2027-01-31" }]
   */
  readonly waivers?: readonly Waiver[] | undefined;
  /**
   * The maximum duration of a waiver, in days. If a waiver is longer, synthesis fails.
   *
   * @default 365
   */
  readonly maxWaiverDays?: number | undefined;
}

/**
 * An aspect that checks all projects of an app against rules. The rules check the final values of every resource of this
 * provider, in {@link ProjectSettings}, in a fleet or outside them. If a project violates a mandatory rule, synthesis fails with
 * an error that names the construct, so nothing reaches the platform. A violation of an advisory rule is a warning.
 *
 * @example
 * Aspects.of(app).add(
 *   new ProjectPolicy({
 *     rules: [inboundLimitOn(), requiredApprovals({ environment: "production", atLeast: 2 })],
 *   }),
 * );
 */
export class ProjectPolicy implements IAspect {
  readonly #config: ProjectPolicyConfig;
  readonly #rules: readonly PolicyRule[];
  /**
   * The constructs of each stack that cdktf passed to `visit`. If the aspect belongs to the whole stack, these are all constructs
   * of the stack.
   */
  readonly #visited = new WeakMap<TerraformStack, Set<IConstruct>>();
  readonly #waivers: readonly GivenWaiver[];
  /** The stacks with visited constructs; undefined after the check of environment names, which runs once for all stacks. */
  #stacks: TerraformStack[] | undefined = [];

  constructor(config: ProjectPolicyConfig) {
    const keys = { rules: true, undecided: true, waivers: true, maxWaiverDays: true } as const;
    refuseUnknownKeys("ProjectPolicy", config, keys);
    this.#config = config;
    this.#rules = config.rules.filter((rule): rule is PolicyRule => "check" in rule);
    this.#waivers = [...checkedWaivers(config), ...waiverOfRun(this.#rules)];
  }

  /**
   * Records a construct, and adds a check to its stack. cdktf calls `visit` for each construct, and runs the check after all
   * aspects.
   */
  visit(node: IConstruct): void {
    if (!node.node.scopes.some((one) => TerraformStack.isStack(one))) return;
    const stack = TerraformStack.of(node);
    const visited = this.#visited.get(stack) ?? new Set();
    if (visited.size === 0) {
      inOwnStack(stack, "ProjectPolicy");
      this.#visited.set(stack, visited);
      this.#stacks?.push(stack);
      // A rule for changes needs a plan, so it can't run at synthesis. The comment lists such rules. The plan fails if no policy
      // module exports such rules.
      const ofChanges = this.#config.rules.filter((rule) => "checkChange" in rule);
      note(
        stack,
        "change_rules",
        ofChanges.map(({ name }) => name),
      );
      stack.node.addValidation({ validate: () => this.#judge(stack, visited) });
    }
    visited.add(node);
  }

  /**
   * Checks the rules for one stack. Always returns an empty list, because violations become annotations, which every command
   * prints with their construct.
   */
  #judge(stack: TerraformStack, visited: ReadonlySet<IConstruct>): string[] {
    const isMine = (construct: IConstruct): boolean => construct.node.scopes.some((one) => visited.has(one));
    const waivers = new Waivers(this.#waivers);
    for (const project of declaredProjects(stack)) {
      const first = project.resources.find(({ construct }) => isMine(construct));
      if (first === undefined) continue;
      for (const rule of this.#rules) {
        for (const violation of rule.check(project)) {
          const construct = violation.construct ?? whole(first.construct);
          if (!isMine(construct)) continue;
          const finding = [project.project, construct.node.path, violation.what];
          // In a fleet, `project` can be a group. A waiver for all projects of this group also accepts violations of the group.
          const isWaived = [project.project, `${project.project}/*`].some((path) =>
            waivers.accept((one) => one.rule === rule.name, path, finding),
          );
          if (!isWaived) this.#say(construct, project, rule, violation);
        }
      }
    }
    this.#checkNames(stack);
    // This comment in the configuration lists the waivers, so that reports of the plan show them.
    note(stack, "waivers", waivers.list());
    return [];
  }

  /**
   * Warns about each rule whose environment no project protects, if a protected environment has a similar name. Checks the
   * visited stacks together, and only once.
   */
  #checkNames(stack: TerraformStack): void {
    const stacks = this.#stacks ?? [];
    this.#stacks = undefined;
    const rules = this.#rules.filter(({ environment }) => environment !== undefined);
    if (rules.length === 0 || stacks.length === 0) return;
    const names = stacks
      .flatMap((one) => declaredProjects(one))
      .flatMap((project) => project.ofType("steward_protected_environment"))
      .map(({ attributes }) => attributes["name"]);
    // An environment's name that only apply can know could be the name in a rule.
    if (!names.every(isKnown)) return;
    const known = new Set(names.map(String));
    for (const { name, environment = "" } of rules.filter((rule) => !known.has(rule.environment!))) {
      // A rule for a whole organization can name an environment that this app does not have. Therefore, only a similar name
      // causes a warning.
      const near = nearest(environment, known);
      if (near === undefined) continue;
      Annotations.of(stack).addWarning(
        `Policy "${name}": no project protects an environment ${JSON.stringify(environment)}, so the rule checks nothing. ` +
          `Did you mean "${near}"? Correct the name. If the environment is for later, set allowEmpty: true in the rule.`,
      );
    }
  }

  #say(construct: IConstruct, project: DeclaredProject, rule: PolicyRule, violation: Violation): void {
    const { what, mend, fix = mend, isUndecided } = violation;
    const text = `Policy "${rule.name}", project ${project.project}: ${what} ${rule.why} ${fix}`;
    const annotations = Annotations.of(construct);
    const isTolerated = isUndecided === true && this.#config.undecided === "warning";
    if (isTolerated || rule.level === "advisory") annotations.addWarning(text);
    else annotations.addError(text);
  }
}

/** Returns the waivers of a policy. @throws Error for an invalid waiver */
function checkedWaivers({ waivers = [], maxWaiverDays = MAX_WAIVER_DAYS, rules }: ProjectPolicyConfig) {
  for (const waiver of waivers) {
    const problem =
      waiverProblem(waiver, maxWaiverDays, new Date()) ??
      (waiver.rule === undefined || rules.some(({ name }) => name === waiver.rule)
        ? undefined
        : { text: `names the rule "${waiver.rule}", which this policy does not contain` });
    if (problem !== undefined)
      throw new Error(`ProjectPolicy: the waiver ${JSON.stringify(waiver)} ${waiverProblemText(problem)}`);
  }
  return waivers.filter(({ rule }) => rule !== undefined);
}

/**
 * Returns the waiver of `steward plan --waive` for this run, in a list. The list is empty if there is no waiver for one of these
 * rules.
 */
function waiverOfRun(rules: readonly PolicyRule[]): readonly GivenWaiver[] {
  const given: unknown = JSON.parse(process.env["STEWARD_WAIVE"] || "null");
  const { rule, reason } = Object(given) as { readonly rule?: string; readonly reason?: string };
  const named = rules.find(({ name }) => name === rule);
  if (named === undefined) return [];
  if (named.waivable === false) throw new Error(`--waive names the rule "${rule}", which can't be waived.`);
  return [{ rule, reason: String(reason), project: "*", forThisRun: true }];
}

/** Returns the `ProjectSettings` construct that contains a resource; the resource itself if no such construct contains it. */
const whole = (construct: IConstruct): IConstruct =>
  construct.node.scope instanceof ProjectSettings ? construct.node.scope : construct;
