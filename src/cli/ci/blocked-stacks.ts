import { type Approval, type ApprovedChange, nameOfApproved } from "../approval/file";
import type { ApprovedMerge } from "./judged";

type Unplanned = NonNullable<Approval["unplanned"]>;

/**
 * The stacks that `ci apply` leaves out because a plan failed: in this job, in the job that judged the policies, or in the
 * request. The changes of these stacks wait, and the job applies all other stacks.
 */
export class BlockedStacks {
  readonly #stacks = new Map<string, string>();

  /**
   * @param unplanned the stacks that this job could not plan
   * @param judgedPlan the approval file of the job that judged the policies
   * @param approved the approved requests
   * @param planned the changes of this job
   */
  constructor(
    unplanned: Unplanned,
    judgedPlan: Pick<Approval, "unplanned"> | undefined,
    approved: readonly ApprovedMerge[],
    planned: readonly ApprovedChange[],
  ) {
    for (const { stack } of unplanned) this.#stacks.set(stack, "its plan failed");
    for (const { stack } of judgedPlan?.unplanned ?? [])
      this.#add(stack, "its plan failed in the job that judged the policies");
    const held = new Set(approved.flatMap(({ approval }) => approval.changes.map(nameOfApproved)));
    const left = new Set(planned.filter((one) => !held.has(nameOfApproved(one))).map(({ stack }) => stack));
    for (const { approval, merged } of approved)
      for (const { stack } of approval.unplanned ?? [])
        if (left.has(stack))
          this.#add(stack, `its plan failed before the approval of !${merged.request.iid}`);
  }

  get isEmpty(): boolean {
    return this.#stacks.size === 0;
  }

  /** Returns one line for people about each blocked stack, with the reason. */
  get lines(): readonly string[] {
    return [...this.#stacks].map(([stack, why]) => `The changes of stack ${stack} wait, because ${why}.`);
  }

  has({ stack }: Pick<ApprovedChange, "stack">): boolean {
    return stack !== null && this.#stacks.has(stack);
  }

  /** Returns the approved merge request without the changes of the blocked stacks. */
  without(one: ApprovedMerge): ApprovedMerge {
    if (this.isEmpty) return one;
    const { approval } = one;
    const unplanned = [...this.#stacks].map(([stack, why]) => ({ stack, why }));
    const changes = approval.changes.filter((change) => !this.has(change));
    return { ...one, approval: { ...approval, unplanned, changes } };
  }

  #add(stack: string, why: string): void {
    if (!this.#stacks.has(stack)) this.#stacks.set(stack, why);
  }
}
