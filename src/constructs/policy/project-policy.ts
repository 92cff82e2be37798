import { Annotations, type IAspect, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { type DeclaredProject, declaredProjects } from "../declared/declared-project";
import {
  type GivenWaiver,
  MAX_WAIVER_DAYS,
  type Waiver,
  Waivers,
  waiverProblem,
  waiverProblemText,
} from "../generated/waivers";
import { refuseUnknownKeys } from "../keys";
import { inOwnStack } from "../position";
import { ProjectSettings } from "../project-settings";
import type { PolicyRule, PolicyRules, Violation } from "./policy-rule";

/** What policies have written into synthesized stacks, by the name of the comment: several policies may be of one stack. */
const written = new WeakMap<TerraformStack, Map<string, Set<unknown>>>();

/** Adds to a comment of the synthesized stack, which those who plan read. */
function note(stack: TerraformStack, name: string, values: readonly unknown[]): void {
  if (values.length === 0) return;
  const comments = written.get(stack) ?? new Map<string, Set<unknown>>();
  written.set(stack, comments);
  const all = new Set([...(comments.get(name) ?? []), ...values]);
  comments.set(name, all);
  stack.addOverride(`//.${name}`, [...all]);
}

/** Options of a {@link ProjectPolicy}. */
export interface ProjectPolicyConfig {
  /** Those for changes are checked when a plan is made: a policy module has to export them. */
  readonly rules: PolicyRules;
  /**
   * How to report a rule that needs a value which is known only after apply.
   *
   * @default "error"
   */
  readonly undecided?: "error" | "warning" | undefined;
  /** What the rules accept, for some projects and until a day. */
  readonly waivers?: readonly Waiver[] | undefined;
  /**
   * How many days a waiver may hold.
   *
   * @default 365
   */
  readonly maxWaiverDays?: number | undefined;
}

/**
 * An aspect that holds all projects of an app to rules. It sees every resource of this provider: those of a
 * {@link ProjectSettings}, those declared one by one, and bindings from elsewhere; with what other aspects and overrides
 * made of them. What is against a rule is an error of the construct that does it, and nothing is synthesized; an
 * advisory rule only warns.
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
   * The scopes that the aspect visited, by stack: the whole stack, or the constructs that it was added to.
   */
  readonly #visited = new WeakMap<TerraformStack, Set<IConstruct>>();
  readonly #waivers: readonly GivenWaiver[];

  constructor(config: ProjectPolicyConfig) {
    const keys = { rules: true, undecided: true, waivers: true, maxWaiverDays: true } as const;
    refuseUnknownKeys("ProjectPolicy", config, keys);
    this.#config = config;
    this.#rules = config.rules.filter((rule): rule is PolicyRule => "check" in rule);
    this.#waivers = [...checkedWaivers(config), ...waiverOfRun(this.#rules)];
  }

  /** Called by cdktf for each construct. The rules are checked after all aspects have run. */
  visit(node: IConstruct): void {
    if (!node.node.scopes.some((one) => TerraformStack.isStack(one))) return;
    const stack = TerraformStack.of(node);
    const visited = this.#visited.get(stack) ?? new Set();
    if (visited.size === 0) {
      inOwnStack(stack, "ProjectPolicy");
      this.#visited.set(stack, visited);
      // They can't be checked before there is a plan, and whoever makes it refuses it if no policy module exports them.
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

  /** Reports violations as annotations, which every command shows with their construct. */
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
          // Those of a group, in a fleet, are waived by a pattern for all that is below it.
          const isWaived = [project.project, `${project.project}/*`].some((path) =>
            waivers.accept((one) => one.rule === rule.name, path, finding),
          );
          if (!isWaived) this.#say(construct, project, rule, violation);
        }
      }
    }
    // For the reports of the plan.
    note(stack, "waivers", waivers.list());
    return [];
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

/** @throws Error for a waiver that can't be used */
function checkedWaivers({ waivers = [], maxWaiverDays = MAX_WAIVER_DAYS, rules }: ProjectPolicyConfig) {
  for (const waiver of waivers) {
    const problem =
      waiverProblem(waiver, maxWaiverDays, new Date()) ??
      (waiver.rule === undefined || rules.some(({ name }) => name === waiver.rule)
        ? undefined
        : { text: `names the rule "${waiver.rule}", which is none of this policy` });
    if (problem !== undefined)
      throw new Error(`ProjectPolicy: the waiver ${JSON.stringify(waiver)} ${waiverProblemText(problem)}`);
  }
  return waivers.filter(({ rule }) => rule !== undefined);
}

/** The rule that `steward plan --waive` names, if it is one of these. */
function waiverOfRun(rules: readonly PolicyRule[]): readonly GivenWaiver[] {
  const given: unknown = JSON.parse(process.env["STEWARD_WAIVE"] || "null");
  const { rule, reason } = Object(given) as { readonly rule?: string; readonly reason?: string };
  const named = rules.find(({ name }) => name === rule);
  if (named === undefined) return [];
  if (named.waivable === false) throw new Error(`--waive names the rule "${rule}", which can't be waived.`);
  return [{ rule, reason: String(reason), project: "*", forThisRun: true }];
}

/** The settings that a resource is a part of, or else the resource itself. */
const whole = (construct: IConstruct): IConstruct =>
  construct.node.scope instanceof ProjectSettings ? construct.node.scope : construct;
