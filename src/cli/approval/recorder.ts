import { hasErrors } from "../../diagnostics";
import { type ExecutablePlan, type OpenStack, objectName, type ResourceChange } from "../../engine";
import type { Policies } from "../policy/policies";
import { commitOf } from "../terminal/ci-run";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";
import { changesToApprove, type PlanPlace } from "./changes";
import { type Approval, type ApprovedChange, writeApproval } from "./file";
import { revertsOf } from "./review";

/** Changes with what they were planned from and checked against. */
export const approvalOf = (
  changes: readonly ApprovedChange[],
  approvals: number,
  { digest }: Policies,
  terminal: Pick<Terminal, "env" | "folder">,
  commit = commitOf(terminal),
): Approval => ({
  format_version: "1.0",
  commit: commit ?? null,
  policies: digest,
  approvals,
  changes: [...changes],
});

/** Where a stack would be applied: the service of each object's provider configuration. */
export async function placeOfStack(stack: OpenStack, { steps }: ExecutablePlan): Promise<PlanPlace> {
  const services = await stack.services();
  const providers = new Map(
    steps.map(({ change: { address, deposed }, provider }) => [objectName(address, deposed), provider]),
  );
  const serviceOf = ({ address, deposed, provider }: ResourceChange): string =>
    services[providers.get(objectName(address, deposed)) ?? ""] ?? provider;
  return { stack: stack.name, serviceOf };
}

/** Collects the changes of all stacks, and writes them as one file when they are complete. */
export class ApprovalRecorder {
  readonly #changes: ApprovedChange[] = [];
  readonly #reverts = new Set<ApprovedChange>();
  #approvals = 1;
  #expected = 0;
  #planned = 0;
  /** Whether the file could not be written, because a stack has no whole plan. */
  hasFailed = false;

  constructor(
    private readonly file: string,
    private readonly policies: Policies,
    private readonly terminal: Terminal,
  ) {}

  expect(stacks: readonly unknown[]): void {
    this.#expected = stacks.length;
  }

  async keep(stack: OpenStack, plan: ExecutablePlan): Promise<void> {
    const violations = this.policies.violations(plan, stack.name, Number.POSITIVE_INFINITY);
    if (hasErrors([...plan.diagnostics, ...violations])) return;
    this.#planned++;
    this.#approvals = Math.max(this.#approvals, this.policies.approvalsFor(violations));
    const changes = changesToApprove(plan, await placeOfStack(stack, plan));
    const reverts = new Set(revertsOf(plan));
    for (const change of changes) if (reverts.has(change.address)) this.#reverts.add(change);
    this.#changes.push(...changes);
  }

  /** What may have been approved: with and without the changes that only revert changes by hand. */
  get candidates(): readonly [whole: Approval, withoutReverts: Approval] {
    const left = this.#changes.filter((change) => !this.#reverts.has(change));
    const whole = approvalOf(this.#changes, this.#approvals, this.policies, this.terminal);
    return [whole, { ...whole, changes: left }];
  }

  async write(view: RunView): Promise<void> {
    if (this.#planned !== this.#expected) {
      this.hasFailed = true;
      view.notice(`A stack has no whole plan, so ${this.file} was not written: nobody can approve it.`);
      return;
    }
    const digest = await writeApproval(this.file, this.candidates[0], this.terminal);
    view.toApprove({ file: this.file, digest, changes: this.#changes.length });
  }
}
