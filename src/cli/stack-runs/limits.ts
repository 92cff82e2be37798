import { type Diagnostic, error } from "../../diagnostics";
import { counted, namesUpTo } from "../../text";
import type { LimitArguments } from "../arguments/shared-options";
import type { LimitedChanges } from "../document/describe";

/** Counts the changes of all stacks in a run, and compares the counts with the limits of the command line. */
export class Limits {
  /** For each limit option: how many objects the run has counted so far. */
  readonly #counts = new Map<string, number>();

  /** @param limits the limits of the command line; without a limit, any number is allowed */
  constructor(private readonly limits: Partial<LimitArguments>) {}

  /** True if a limit counts requests, so that each plan must contain the requests that its apply would send. */
  get hasRequestLimits(): boolean {
    return this.limits.maxDeletes !== undefined;
  }

  /** Adds the changes of a plan to the counts. Returns an error for each limit that the run now exceeds. */
  refusals({ deletes, changes, imports }: LimitedChanges): Diagnostic[] {
    const { maxDeletes, maxChanges, maxImports } = this.limits;
    return [
      ...this.#exceeded("--max-deletes", "delete or replace", maxDeletes, deletes),
      ...this.#exceeded("--max-changes", "change", maxChanges, changes),
      ...this.#exceeded("--max-imports", "import", maxImports, imports),
    ];
  }

  #exceeded(
    option: string,
    verb: string,
    limit: number | undefined,
    objects: LimitedChanges[keyof LimitedChanges],
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

/** The maximum number of objects that the error about a limit names. */
const MAX_NAMES = 10;
