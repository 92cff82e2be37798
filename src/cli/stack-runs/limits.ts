import { type Diagnostic, error } from "../../diagnostics";
import { type CountedDeletes, changingOf, countDeletes, type Plan } from "../../engine";
import { counted, namesUpTo } from "../../text";
import type { LimitArguments } from "../arguments/shared-options";

/** The limits on the changes of one run over all its stacks. */
export class Limits {
  /** How many objects the run has counted so far, by option. */
  readonly #counts = new Map<string, number>();

  /** @param limits a limit that is absent allows any number */
  constructor(private readonly limits: Partial<LimitArguments>) {}

  /** Whether the limits need to know the requests of an apply. */
  get hasRequestLimits(): boolean {
    return this.limits.maxDeletes !== undefined;
  }

  /** Counts the changes of a plan. Returns an error for each limit that the run exceeds. */
  refusals(plan: Pick<Plan, "mode" | "changes" | "changing" | "requests">): Diagnostic[] {
    if (plan.mode === "refresh-only") return [];
    const { maxDeletes, maxChanges, maxImports } = this.limits;
    const changing = changingOf(plan).filter(({ action }) => !UNLIMITED_ACTIONS.has(action));
    const imported = changingOf(plan).filter(({ importing }) => importing !== undefined);
    return [
      ...this.#exceeded("--max-deletes", "delete", maxDeletes, countDeletes(plan)),
      ...this.#exceeded("--max-changes", "change", maxChanges, changing),
      ...this.#exceeded("--max-imports", "import", maxImports, imported),
    ];
  }

  #exceeded(
    option: string,
    verb: string,
    limit: number | undefined,
    objects: readonly (Pick<CountedDeletes, "address"> & Partial<CountedDeletes>)[],
  ): Diagnostic[] {
    const added = objects.reduce((sum, { count = 1 }) => sum + count, 0);
    const total = (this.#counts.get(option) ?? 0) + added;
    this.#counts.set(option, total);
    if (limit === undefined || total <= limit) return [];
    const names = objects.map(({ address, count = 1 }) =>
      count === 1 ? address : `${address} (${count} entries)`,
    );
    return [
      error({
        code: "limit_exceeded",
        summary: "More changes than allowed",
        detail: `This plan would ${verb} ${counted(total, "object")}, but ${option} allows ${limit}: ${namesUpTo(MAX_NAMES, names)}. Nothing of this plan was sent. Review the plan. If it is intended, raise ${option}.`,
      }),
    ];
  }
}

const UNLIMITED_ACTIONS: ReadonlySet<string> = new Set(["no-op", "read", "forget"]);

/** The maximum number of objects that a message names. */
const MAX_NAMES = 10;

/** Removes the requests, which were only planned for the limits. */
export function withoutRequests<P extends Pick<Plan, "requests">>({ requests, ...plan }: P) {
  return plan;
}
