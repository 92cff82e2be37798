import { type Diagnostic, error } from "../../diagnostics";
import { counted, namesUpTo } from "../../text";
import type { LimitArguments } from "../arguments/shared-options";
import type { LimitedChanges } from "../document/describe";

/** The limits on the changes of one run over all its stacks. */
export class Limits {
  /** The number of counted objects of the run for each option. */
  readonly #counts = new Map<string, number>();

  /** @param limits a missing limit allows any number */
  constructor(private readonly limits: Partial<LimitArguments>) {}

  /** Whether the limits need to know the requests of an apply. */
  get hasRequestLimits(): boolean {
    return this.limits.maxDeletes !== undefined;
  }

  /** Adds the changes of a plan. Returns an error for each limit that the run exceeds. */
  refusals({ deletes, changes, imports }: LimitedChanges): Diagnostic[] {
    const { maxDeletes, maxChanges, maxImports } = this.limits;
    return [
      ...this.#exceeded("--max-deletes", "delete", maxDeletes, deletes),
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

/** The maximum number of objects that a message names. */
const MAX_NAMES = 10;
