import { Annotations, type IAspect, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { type DeclaredProject, declaredProjects } from "../declared/declared-project";
import { refuseUnknownKeys } from "../keys";
import { inOwnStack } from "../position";
import { ProjectSettings } from "../project-settings";
import type { PolicyRules } from "./change-rule";
import { declareChangeRules } from "./declared-rules";
import type { PolicyRule, Violation } from "./policy-rule";

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

  constructor(config: ProjectPolicyConfig) {
    refuseUnknownKeys("ProjectPolicy", config, { rules: true, undecided: true });
    this.#config = config;
    this.#rules = config.rules.filter((rule): rule is PolicyRule => "check" in rule);
  }

  /** Called by cdktf for each construct. The rules are checked after all aspects have run. */
  visit(node: IConstruct): void {
    if (!node.node.scopes.some((one) => TerraformStack.isStack(one))) return;
    const stack = TerraformStack.of(node);
    const visited = this.#visited.get(stack) ?? new Set();
    if (visited.size === 0) {
      inOwnStack(stack, "ProjectPolicy");
      this.#visited.set(stack, visited);
      declareChangeRules(
        stack,
        this.#config.rules.filter((rule) => "checkChange" in rule),
      );
      stack.node.addValidation({ validate: () => this.#judge(stack, visited) });
    }
    visited.add(node);
  }

  /** Reports violations as annotations, which every command shows with their construct. */
  #judge(stack: TerraformStack, visited: ReadonlySet<IConstruct>): string[] {
    const isMine = (construct: IConstruct): boolean => construct.node.scopes.some((one) => visited.has(one));
    for (const project of declaredProjects(stack)) {
      const first = project.resources.find(({ construct }) => isMine(construct));
      if (first === undefined) continue;
      for (const rule of this.#rules) {
        for (const violation of rule.check(project)) {
          const construct = violation.construct ?? whole(first.construct);
          if (isMine(construct)) this.#say(construct, project, rule, violation);
        }
      }
    }
    return [];
  }

  #say(construct: IConstruct, project: DeclaredProject, rule: PolicyRule, violation: Violation): void {
    const { what, mend, isUndecided } = violation;
    const text = `Policy "${rule.name}", project ${project.project}: ${what} ${rule.why} ${mend}`;
    const annotations = Annotations.of(construct);
    const isTolerated = isUndecided === true && this.#config.undecided === "warning";
    if (isTolerated || rule.level === "advisory") annotations.addWarning(text);
    else annotations.addError(text);
  }
}

/** The settings that a resource is a part of, or else the resource itself. */
const whole = (construct: IConstruct): IConstruct =>
  construct.node.scope instanceof ProjectSettings ? construct.node.scope : construct;
