import { type Diagnostic, error } from "../../diagnostics";
import { type CountedDeletes, countDeletes, type Plan } from "../../engine";
import type { LimitArguments } from "../arguments/limits";

/** The limits on the changes of one run over all its stacks. */
export class Limits {
  readonly #limits: Partial<LimitArguments>;
  #deletes = 0;
  #changes = 0;
  #imports = 0;

  /** @param limits a limit that is absent allows any number */
  constructor(limits: Partial<LimitArguments>) {
    this.#limits = limits;
  }

  /** Whether the limits need to know the requests of an apply. */
  get needRequests(): boolean {
    return this.#limits.maxDeletes !== undefined;
  }

  /** Counts the changes of a plan. Returns an error for each limit that the run exceeds. */
  refusals(plan: Pick<Plan, "mode" | "changes" | "requests">): Diagnostic[] {
    if (plan.mode === "refresh-only") return [];
    const { maxDeletes, maxChanges, maxImports } = this.#limits;
    const changing = plan.changes
      .filter(({ action }) => !UNLIMITED_ACTIONS.has(action))
      .map(({ address }) => ({ address, count: 1 }));
    const deleted = countDeletes(plan);
    const imported = plan.changes
      .filter(({ importing }) => importing !== undefined)
      .map(({ address }) => ({ address, count: 1 }));
    this.#imports += imported.length;
    this.#changes += changing.length;
    this.#deletes += deleted.reduce((sum, { count }) => sum + count, 0);
    return [
      ...exceeded("--max-deletes", "delete", this.#deletes, maxDeletes, deleted),
      ...exceeded("--max-changes", "change", this.#changes, maxChanges, changing),
      ...exceeded("--max-imports", "import", this.#imports, maxImports, imported),
    ];
  }
}

const UNLIMITED_ACTIONS: ReadonlySet<string> = new Set(["no-op", "read", "forget"]);

/** The maximum number of objects that a message names. */
const MAX_NAMES = 10;

function exceeded(
  option: string,
  verb: string,
  count: number,
  limit: number | undefined,
  objects: readonly CountedDeletes[],
): Diagnostic[] {
  if (limit === undefined || count <= limit) return [];
  const names = objects
    .slice(0, MAX_NAMES)
    .map((one) => (one.count === 1 ? one.address : `${one.address} (${one.count})`));
  const more = objects.length > MAX_NAMES ? ` and ${objects.length - MAX_NAMES} more` : "";
  return [
    error({
      code: "limit_exceeded",
      summary: "More changes than allowed",
      detail:
        `With this plan the run would ${verb} ${count} ${count === 1 ? "object" : "objects"}, and ${option} allows ${limit}: ${names.join(", ")}${more}. ` +
        `Nothing of this plan was sent. Review the plan; if it is intended, raise ${option}.`,
    }),
  ];
}
