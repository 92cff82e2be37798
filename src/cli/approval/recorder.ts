import { type Diagnostic, hasErrors } from "../../diagnostics";
import {
  type ExecutablePlan,
  type OpenStack,
  objectName,
  type Plan,
  type ResourceChange,
} from "../../engine";
import { namesUpTo } from "../../text";
import { containerOf } from "../objects/object-facts";
import type { Policies } from "../policy/policies";
import { commitOf } from "../terminal/ci-run";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";
import { addressesOf } from "./addresses";
import { changesToApprove, type PlanPlace } from "./changes";
import { type Approval, type ApprovedChange, FORMAT_VERSION, writeApproval } from "./file";
import { sharedViolations, withNeeded } from "./needed-approvals";
import { Receivers } from "./receivers";
import { MAX_NAMED } from "./refusals";

/** The fields of an approval file besides its changes. Without `commit`, the file names the commit of the run. */
interface MoreFacts extends Partial<Pick<Approval, "commit" | "receivers" | "plan" | "unplanned">> {
  /** The policy violations that belong to no single change of the plan. */
  readonly shared?: readonly Diagnostic[];
}

/**
 * Returns the approval of a plan.
 *
 * @param violations the violations of policies in the plan
 */
export function approvalOf(
  changes: readonly ApprovedChange[],
  violations: readonly Diagnostic[],
  policies: Policies,
  terminal: Pick<Terminal, "env" | "folder">,
  { commit = commitOf(terminal) ?? null, receivers, plan, unplanned = [], shared = [] }: MoreFacts = {},
): Approval {
  const approvers = policies.approversFor(violations);
  const hasOwn = changes.some(({ needs }) => needs !== undefined);
  return {
    format_version: FORMAT_VERSION,
    commit,
    policies: policies.digest,
    approvals: policies.approvalsFor(violations),
    ...(approvers && { approvers }),
    ...(hasOwn && { needed_by_all: policies.neededForOthers(shared) }),
    ...policies.results(violations),
    ...(receivers && { receivers }),
    ...(policies.ruleChanges && { rule_changes: policies.ruleChanges }),
    ...(unplanned.length > 0 && { unplanned }),
    ...(plan && { plan }),
    changes: [...changes],
  };
}

/** Returns the stack of a plan, and a function that finds an object's service in the provider configuration. */
export async function placeOfStack(stack: OpenStack, { steps }: ExecutablePlan): Promise<PlanPlace> {
  const providers = new Map(
    steps.map(({ change: { address, deposed }, provider }) => [objectName(address, deposed), provider]),
  );
  const services = await stack.services(providers.values());
  const serviceOf = ({ address, deposed, provider }: ResourceChange): string =>
    services[providers.get(objectName(address, deposed)) ?? ""] ?? provider;
  return { stack: stack.name, serviceOf };
}

/** Collects the changes of all stacks with a complete plan, and writes them as one approval file. */
export class ApprovalRecorder {
  readonly #changes: ApprovedChange[] = [];
  readonly #violations: Diagnostic[] = [];
  readonly #shared: Diagnostic[] = [];
  readonly #receivers = new Receivers();
  readonly #addresses = new Set<string>();
  /** The stacks without a complete plan, each with the reason. */
  readonly #unplanned = new Map<string | undefined, string>();
  #planned = 0;
  /** Whether at least one stack has no complete plan. */
  hasFailed = false;

  constructor(
    private readonly file: string,
    private readonly policies: Policies,
    private readonly terminal: Terminal,
    private readonly isOfApply = false,
  ) {}

  expect(stacks: readonly Pick<OpenStack, "name">[]): void {
    for (const { name } of stacks) this.#unplanned.set(name, "It was not planned.");
  }

  async keep(stack: OpenStack, plan: ExecutablePlan): Promise<void> {
    const violations = this.policies.violations(plan, stack.name, Number.POSITIVE_INFINITY);
    const [problem] = [...plan.diagnostics, ...violations].filter((one) => hasErrors([one]));
    if (problem !== undefined) {
      this.#unplanned.set(stack.name, whyUnplanned(problem, plan, stack));
      return;
    }
    this.#unplanned.delete(stack.name);
    this.#planned++;
    this.#receivers.add(await stack.receivers());
    this.#violations.push(...violations);
    const changes = changesToApprove(plan, await placeOfStack(stack, plan));
    // An object that is only in the state can be on a service that the configuration does not name. This service gets a token
    // too.
    this.#receivers.add({ services: changes.map(({ service }) => service), states: [] });
    this.#shared.push(...sharedViolations(changes, violations));
    this.#changes.push(...withNeeded(changes, violations, this.policies));
    for (const address of addressesOf(plan)) this.#addresses.add(address);
  }

  /** The e-mail addresses in all objects of the plans. */
  get addresses(): ReadonlySet<string> {
    return this.#addresses;
  }

  /** The two approvals that people may have given: with and without the changes that only revert manual changes. */
  get candidates(): readonly [whole: Approval, withoutReverts: Approval] {
    const left = this.#changes.filter((change) => change.is_revert !== true);
    const { policies, terminal } = this;
    const receivers = this.#receivers.all;
    const unplanned = [...this.#unplanned].map(([stack = "", why]) => ({ stack, why }));
    const facts = { receivers, unplanned, shared: this.#shared };
    const whole = approvalOf(this.#changes, this.#violations, policies, terminal, facts);
    return [whole, { ...whole, changes: left }];
  }

  /** Whether at least one stack has a complete plan. */
  get hasPlans(): boolean {
    return this.#planned > 0;
  }

  async write(view: RunView): Promise<void> {
    const left = [...this.#unplanned.keys()];
    this.hasFailed = left.length > 0;
    if (left.length > 0 && this.#planned === 0) {
      view.notice(`${this.file} was not written, because the plan of a stack is incomplete.`);
      return;
    }
    if (left.length > 0)
      view.notice(
        `${this.file} does not contain the changes of ${namesUpTo(
          MAX_NAMED,
          left.map((name) => `stack ${name}`),
        )}, because the plan is incomplete.`,
      );
    const digest = await writeApproval(this.file, this.candidates[0], this.terminal);
    view.toApprove({
      file: this.file,
      digest,
      changes: this.#changes.length,
      isOfApply: this.isOfApply,
    });
  }
}

/** Returns the reason why a stack has no plan: the error, its project or group, and its line of code. */
function whyUnplanned(
  { detail, address = "", position }: Diagnostic,
  { changes }: Plan,
  stack: OpenStack,
): string {
  const change = changes.find((one) => one.address === address);
  const planned = change && containerOf(change);
  // The plan does not contain an object with a broken reference, so the project comes from the declaration.
  const [project, group] = [stack.declaredText(address, "project"), stack.declaredText(address, "group")];
  const declared = project === undefined ? group && `group ${group}` : `project ${project}`;
  const place = [planned === undefined ? declared : `${planned.kind} ${planned.name}`, position];
  const known = place.filter((one) => one !== undefined).join(", ");
  const text = detail.replace(/\s+/g, " ").trim();
  return `${known === "" ? "" : `${known}: `}${text}`;
}
