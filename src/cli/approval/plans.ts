import { type Diagnostic, DiagnosticError, fail, hasErrors } from "../../diagnostics";
import {
  type ExecutablePlan,
  groupBy,
  type OpenStack,
  type Plan,
  type Value,
  type ValueObject,
} from "../../engine";
import { atMost } from "../../text";
import { leftBehind } from "../objects/object-facts";
import type { Policies } from "../policy/policies";
import type { RunView } from "../views/run-view";
import { changesToApprove, type PlanPlace } from "./changes";
import { type Approval, type ApprovedChange, nameOfApproved, verbOf } from "./file";
import { placeOfStack } from "./recorder";
import {
  APPROVE_REQUESTS,
  areShown,
  differs,
  incomplete,
  MAX_NAMED,
  othersGain,
  othersNeeded,
  PLAN_AGAIN,
} from "./refusals";
import { type ApprovedPart, notPlanned, type Review, review, unshownGains } from "./review";

type Planner = (stack: OpenStack, leaveOut: readonly string[]) => Promise<ExecutablePlan>;

/** An approval, and the merge request of this approval if there is one. */
export interface ApprovedRequest {
  readonly approval: Approval;
  readonly request?: string;
  readonly mayBeOvertaken?: boolean;
}

/** Compares the approved changes of a run with the plans of its stacks. */
export class ApprovedPlans {
  readonly #parts: readonly (ApprovedPart & { readonly approval: Approval })[];
  readonly #overtaken = new Set<string>();

  /**
   * @param approved an approval, or the approvals of several merge requests, newest merge first
   * @param approvals how many people approved the changes; undefined if the caller has already judged the approvals of each
   * request
   * @throws DiagnosticError `approval_differs` if the policies have changed since the approval; `approvals_missing`
   */
  constructor(
    approved: readonly ApprovedRequest[],
    private readonly approvals: number | undefined,
    private readonly policies: Policies,
    private readonly plan: Planner,
  ) {
    this.#parts = approved.map((one) => ({ ...one, changes: one.approval.changes }));
    approved.forEach(({ approval }, at) => {
      // A later request can have changed the policies. If the later request has the current policies, Steward also accepts
      // this earlier request with old policies.
      const later = approved.slice(0, at).find((one) => one.approval.policies === policies.digest);
      const { policies: checked } = (later ?? { approval }).approval;
      const asked = { ...approval, policies: checked };
      requireApproved(asked, approvals ?? approval.approvals, policies, this.#advice);
    });
  }

  /** The advice after a refusal. `ci apply` has already judged the approvals of merge requests, and uses no digest of a file. */
  get #advice(): string {
    return this.approvals === undefined ? APPROVE_REQUESTS : PLAN_AGAIN;
  }

  /** The merge requests whose changes are out of date, because later merge requests changed the same objects. */
  get overtaken(): ReadonlySet<string> {
    return this.#overtaken;
  }

  /**
   * Compares the plans of all stacks with the approved changes, before the run writes the first state. Takes no lock. @throws
   * DiagnosticError
   */
  async check(stacks: readonly OpenStack[], view: RunView): Promise<void> {
    const names = new Set(stacks.map(({ name }) => name ?? null));
    const others = this.#parts.flatMap(({ changes }) => changes.filter(({ stack }) => !names.has(stack)));
    const found: Diagnostic[] = others.length > 0 ? [differs(others.map(notInRun), this.#advice)] : [];
    // A run with a single stack compares the stack's plan later: under the lock of the state, and before the first write.
    const unplanned = new Set(
      this.#parts.flatMap(({ approval }) => (approval.unplanned ?? []).map(({ stack }) => stack)),
    );
    if (stacks.length > 1)
      for (const stack of stacks) {
        // A stack without a plan has no approved changes. A stack without a plan fails later, before its first write. Steward
        // applies all stacks that have a plan.
        if (unplanned.has(stack.name ?? "")) continue;
        await stack.read();
        const { plan, refusals } = await this.confirm(stack);
        if (refusals.length > 0) view.stack(stack.name, stacks.length);
        found.push(...plan.diagnostics.filter((one) => hasErrors([one])), ...refusals);
      }
    if (hasErrors(found)) throw new DiagnosticError(found);
  }

  /**
   * Plans a stack again, and leaves out unapproved changes that only revert manual changes. Returns the plan, and the reasons why
   * Steward may not apply it.
   */
  async confirm(stack: OpenStack) {
    const whole = await this.plan(stack, []);
    const place = await placeOfStack(stack, whole);
    const violations = this.policies.violations(
      whole,
      stack.name,
      this.approvals ?? Number.POSITIVE_INFINITY,
    );
    const { parts, reviewed, outdated, unshown } = this.#usable(whole, place, violations);
    const { unapproved, reverts, missing, toLookUp } = reviewed;
    const lookUps = toLookUp.map((change) => ({ ...change, id: change.id!, change }));
    const stillThere = (await stack.stillLive(lookUps, isLeftBehind)).map(({ change }) => change);
    const problems = [...unapproved, ...[...missing, ...stillThere].map(notPlanned)];
    const errors = whole.diagnostics.filter((one) => hasErrors([one]));
    const notes = [
      ...notesOn(reviewed, (request) => this.#overtaken.add(request)),
      ...outdated.map(replaced),
    ];
    const refusals = [
      ...(problems.length > 0 ? [differs(problems, this.#advice)] : []),
      ...(errors.length > 0 ? [incomplete()] : []),
      ...violations.filter((one) => hasErrors([one])),
      ...unshown,
    ];
    const warnings = violations.filter((one) => !hasErrors([one]));
    if (refusals.length > 0) return { plan: whole, refusals, warnings, notes, leftOut: [] };
    if (reverts.length === 0)
      return { plan: whole, refusals: this.#unshownGains(whole, parts, place), warnings, notes, leftOut: [] };
    const part = await this.plan(stack, reverts);
    // Removes the warning about targets, because the view lists the omitted objects in a separate note.
    const others = part.diagnostics.filter((one) => !isOfTargets(one));
    const plan = { ...part, diagnostics: [...whole.diagnostics.filter(isOfTargets), ...others] };
    // The plan also leaves out the objects that depend on the excluded objects. If people approved changes of these dependent
    // objects, the plan now lacks the approved changes.
    const rest = review(plan, parts, place);
    const depending = rest.missing.filter(({ address }) => !hasNoChange(whole, address));
    const left = [...rest.unapproved, ...rest.reverts, ...depending.map(notPlanned)];
    return {
      plan,
      refusals:
        left.length > 0
          ? [differs(left, this.#advice)]
          : [
              ...plan.diagnostics.filter((one) => hasErrors([one])),
              ...this.#unshownGains(plan, parts, place),
            ],
      warnings,
      notes,
      leftOut: reverts,
    };
  }

  /**
   * Compares a plan with the approved changes. A request is outdated if policies now require more approvers than its comment
   * shows. Steward ignores an outdated request if later requests approve all changes of the plan. Otherwise, Steward refuses
   * the apply.
   */
  #usable(plan: Plan, place: PlanPlace, violations: readonly Diagnostic[]) {
    const outdated = this.#outdated(violations, place.stack);
    const whole = review(plan, this.#parts, place);
    const unshown = outdated.map(({ request = "the file" }) => othersNeeded(request));
    if (outdated.length === 0 || outdated.some(({ mayBeOvertaken }) => mayBeOvertaken !== true))
      return { parts: this.#parts, reviewed: whole, outdated: [], unshown };
    const parts = this.#parts.filter((part) => !outdated.includes(part));
    const reviewed = review(plan, parts, place);
    if (reviewed.unapproved.length + reviewed.missing.length > 0)
      return { parts: this.#parts, reviewed: whole, outdated: [], unshown };
    for (const { request } of outdated) if (request !== undefined) this.#overtaken.add(request);
    return { parts, reviewed, outdated, unshown: [] };
  }

  /** Returns an error if people or projects would gain access that the comments of the merge requests do not show. */
  #unshownGains(plan: Plan, parts: readonly ApprovedPart[], place: PlanPlace): Diagnostic[] {
    if (this.approvals !== undefined) return [];
    const found = unshownGains(changesToApprove(plan, place), parts);
    return found.length === 0 ? [] : [othersGain(found)];
  }

  /**
   * Returns the merge requests whose comments show fewer approvers than the violated policies now require. A violation that
   * concerns no approved change counts for every request.
   */
  #outdated(violations: readonly Diagnostic[], stack: string | undefined) {
    if (this.approvals !== undefined) return [];
    const addressesOf = ({ changes }: ApprovedPart) =>
      new Set(changes.filter((one) => one.stack === (stack ?? null)).map(({ address }) => address));
    const owned = new Set(this.#parts.flatMap((part) => [...addressesOf(part)]));
    return this.#parts.filter((part) => {
      const own = addressesOf(part);
      const isOfPart = (address: string | undefined): boolean =>
        address === undefined || own.has(address) || !owned.has(address);
      const { approvals, approvers } = this.policies.neededForPart(stack ?? null, isOfPart, violations);
      return !areShown(part.approval, approvals, approvers);
    });
  }
}

const replaced = ({ request }: ApprovedPart): string =>
  `${request} was approved under other policies. Later requests approve the changes of this plan.`;

/**
 * Returns lines for people. The lines contain the names of the merge requests that approve each change, and the approved
 * changes that are out of date.
 */
function notesOn({ holders, overtaken }: Review, onOvertaken: (request: string) => void): string[] {
  const byRequest = groupBy(
    [...holders].flatMap(([name, requests]) => requests.map((request) => ({ name, request }))),
    ({ request }) => request,
  );
  for (const { part } of overtaken) if (part.request !== undefined) onOvertaken(part.request);
  return [
    ...[...byRequest].map(
      ([request, all]) =>
        `${request} approves ${atMost(
          all.map(({ name }) => name),
          MAX_NAMED,
        ).join(", ")}.`,
    ),
    ...overtaken.map(
      ({ part, change }) =>
        `${part.request} approved ${verbOf(change)} of ${nameOfApproved(change)}, but a later merge request changed it again.`,
    ),
  ];
}

const isOfTargets = ({ code }: Diagnostic): boolean => code === "targeting_in_effect";

/**
 * Returns true if the live values are the values that remain after the approved delete. A delete only resets a setting that
 * the service always has.
 */
function isLeftBehind({ type, change }: { type: string; change: ApprovedChange }, live: ValueObject) {
  const left = leftBehind(type, change.before);
  return (
    left !== null && Object.entries(left).every(([name, value]) => !isEmpty(value) || isEmpty(live[name]))
  );
}

const isEmpty = (value: Value | undefined): boolean => Array.isArray(value) && value.length === 0;

/** Returns true if the plan does not change the object at this address. */
const hasNoChange = ({ changes }: Plan, address: string): boolean =>
  !changes.some((one) => one.address === address && one.action !== "no-op");

/**
 * Refuses the apply if the policies changed after the approval. Also refuses the apply if fewer people approved than the
 * violated policies require.
 *
 * @throws DiagnosticError `approval_differs`; `approvals_missing`
 */
export function requireApproved(
  { policies: checked, approvals: needed }: Approval,
  given: number,
  { digest }: Policies,
  advice = PLAN_AGAIN,
): void {
  if (checked !== digest)
    fail({
      code: "approval_differs",
      summary: "Policies changed after the approval",
      detail: `A policy module was added, removed or edited after the changes were approved. Nothing was sent. ${advice}`,
    });
  if (given < needed)
    fail({
      code: "approvals_missing",
      summary: "Too few approvals",
      detail: `A violated policy requires ${needed} approvals for these changes, but this run has ${given}. Nothing was sent. Ask for more approvals. \`steward ci apply\` counts the approvals in the merge request. In other pipelines, set the number with --approvals N.`,
    });
}

const notInRun = (change: ApprovedChange): string =>
  `${nameOfApproved(change)}: ${verbOf(change)} was approved, but the run does not include this stack`;
