import type { Diagnostic } from "../../diagnostics";
import type { ApprovalPolicy } from "./approval-policy";
import type { Approvers, NeededApprovals } from "./approvers";
import { approvalsOf, approversOf, type Rule } from "./rule";

/** Decides who has to approve plans that violate rules. This class does not run the rules. */
export class RuleApprovals {
  /** @param approval who has to approve every plan */
  constructor(
    protected readonly rules: readonly Rule[],
    private readonly approval: ApprovalPolicy = {},
  ) {}

  /** Returns the number of people who have to approve a plan with these violations. */
  approvalsFor(violations: readonly Diagnostic[]): number {
    const asked = this.#violated(violations).map((rule) => approvalsOf(rule) ?? 1);
    return Math.max(1, this.approval.approvals ?? 1, ...asked);
  }

  /** Returns true if a plan with these violations needs the approval of several people, or of people whom a rule names. */
  needApprovals(violations: readonly Diagnostic[]): boolean {
    return this.#violated(violations).some(
      (rule) => (approvalsOf(rule) ?? 1) > 1 || approversOf(rule) !== undefined,
    );
  }

  /** Returns who has to approve a plan with these violations; undefined if policies require only a number of people. */
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

  /** Returns the number of people who have to approve a plan with these violations, and which people can do so. */
  neededFor(violations: readonly Diagnostic[]): NeededApprovals {
    const approvers = this.approversFor(violations);
    return { approvals: this.approvalsFor(violations), ...(approvers && { approvers }) };
  }

  /**
   * Returns who has to approve a part of the plan of a stack.
   *
   * @param isOfPart returns true if the violations at an address belong to the part
   */
  neededForPart(
    _stack: string | null,
    isOfPart: (address: string | undefined) => boolean,
    violations: readonly Diagnostic[],
  ): NeededApprovals {
    return this.neededFor(violations.filter(({ address }) => isOfPart(address)));
  }

  /**
   * Returns who has to approve one change; undefined if its violations require no additional approvals.
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

  /** Returns who has to approve the plan because of violations that belong to no single change. */
  neededForOthers(violations: readonly Diagnostic[]): NeededApprovals {
    return this.neededFor(violations);
  }

  #violated(violations: readonly Diagnostic[]): readonly Rule[] {
    const names = new Set(violations.map(({ rule }) => rule));
    return this.rules.filter(({ name }) => names.has(name));
  }
}
