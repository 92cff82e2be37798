import { type Diagnostic, error, hasErrors, warning } from "../../diagnostics";
import { objectName } from "../../language";
import { allUpTo } from "../../text";
import type { NodeOutcome } from "../declarations/walk";
import { at } from "../objects/objects";
import type { Restriction } from "../selection/targets";
import type { RunContext } from "../stack-run/context";
import type { StackRun } from "../stack-run/stack-run";
import { type ExecutablePlan, isChange, type Step } from "../steps/steps";
import { destroyNode, resourceOf } from "./apply-graph";

/** Finds the steps that the token may not perform, or probably may not perform, before the first change. */
export class Rights {
  /** The names of the objects of refused steps. The steps themselves are rebuilt when further values are known. */
  readonly #refused = new Set<string>();

  constructor(private readonly run: StackRun) {}

  /**
   * Asks a provider about its steps.
   *
   * @returns the errors of refused steps and the warnings of doubtful ones; all are emitted as events too
   */
  async check(provider: string, steps: readonly Step[]): Promise<readonly Diagnostic[]> {
    const changes = steps.filter((step) => step.provider === provider && isChange(step));
    const { checkRights } = this.run.configured(provider);
    if (checkRights === undefined || changes.length === 0) return [];
    const answers = await checkRights(
      changes.map((step) => ({ type: step.change.type, prior: step.prior, planned: step.planned })),
    );
    const found = changes.map(({ change }, index) => ({
      change,
      diagnostics: at(answers[index]!, change.address, change.construct),
    }));
    const doubts = found.flatMap(({ diagnostics }) => (hasErrors(diagnostics) ? [] : diagnostics));
    if (doubts.length > 0) this.run.context.onEvent?.({ kind: "warned", diagnostics: doubts });
    const refused = found.filter(({ diagnostics }) => hasErrors(diagnostics));
    return [...doubts, ...refused.flatMap(({ change, diagnostics }) => this.#refuse(change, diagnostics))];
  }

  isRefused({ change }: Step): boolean {
    return this.#refused.has(objectName(change.address, change.deposed));
  }

  #refuse({ address, action, deposed }: Step["change"], diagnostics: readonly Diagnostic[]) {
    this.#refused.add(objectName(address, deposed));
    this.run.context.onEvent?.({
      kind: "apply_errored",
      address,
      ...(deposed !== undefined && { deposed }),
      action,
      milliseconds: 0,
      diagnostics,
    });
    return diagnostics;
  }
}

/**
 * Returns one diagnostic for all changes that did not start because the run was interrupted or a dependency failed.
 *
 * @param skipped the changes that did not start in partly visited nodes
 */
export function skippedChanges(
  { steps }: ExecutablePlan,
  outcomes: ReadonlyMap<string, NodeOutcome>,
  skipped: ReadonlySet<string>,
  { stop, abort }: Pick<RunContext, "stop" | "abort">,
): Diagnostic[] {
  const addresses = steps
    .filter(isChange)
    .filter((step) =>
      [resourceOf(step), step.change.address, destroyNode(step)].some(
        (id) => outcomes.get(id) === "skipped" || skipped.has(id),
      ),
    )
    .map(({ change }) => change.address);
  if (stop?.aborted) return [interrupted(addresses, abort?.aborted ?? false)];
  return addresses.length > 0 ? [dependencyFailed(addresses)] : [];
}

/** The warning after an apply of a restricted plan. */
export const targetingIncomplete = ({ option }: Restriction): Diagnostic =>
  warning({
    code: "targeting_incomplete",
    summary: "Applied changes may be incomplete",
    detail: `Because of ${option}, parts of the configuration may not be applied yet. To see the rest, plan again.`,
    action: { kind: "plan" },
  });

const dependencyFailed = (addresses: readonly string[]): Diagnostic =>
  error({
    code: "dependency_failed",
    summary: "Skipped: a dependency failed",
    detail: `Nothing was sent for ${allUpTo(MAX_NAMED, addresses)}, because another change failed. Fix the other errors, then run again.`,
  });

/** Maximum number of addresses that a message names. */
const MAX_NAMED = 10;

const COMPLETED = "Requests in flight were completed and saved.";
const ABANDONED =
  "Requests in flight were abandoned. The service may have executed them. The next run checks that.";

function interrupted(addresses: readonly string[], isAbandoned: boolean): Diagnostic {
  const left = addresses.length === 0 ? [] : [`Nothing was sent for ${allUpTo(MAX_NAMED, addresses)}.`];
  const next =
    isAbandoned || addresses.length > 0 ? "Run the command again to continue." : "No changes remained.";
  return error({
    code: "interrupted",
    summary: "Interrupted",
    detail: [isAbandoned ? ABANDONED : COMPLETED, ...left, next].join(" "),
  });
}
