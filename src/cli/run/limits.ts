import { type Diagnostic, error } from "../../diagnostics";
import type { Plan } from "../../engine";
import type { LimitArguments } from "../arguments/limits";

/** How much one run may change, over all its stacks. */
export class Limits {
  readonly #limits: LimitArguments;
  #deletes = 0;
  #changes = 0;

  constructor(limits: LimitArguments) {
    this.#limits = limits;
  }

  /** Counts a plan; says why it must not be applied, where it goes beyond a limit. */
  refusals({ mode, changes }: Pick<Plan, "mode" | "changes">): Diagnostic[] {
    if (mode === "refresh-only") return [];
    const { maxDeletes, maxChanges } = this.#limits;
    const changing = changes.filter(({ action }) => !LEAVES_ALONE.has(action));
    const deleted = changing.filter(({ action }) => action !== "create" && action !== "update");
    this.#changes += changing.length;
    this.#deletes += deleted.length;
    return [
      ...beyond("--max-deletes", "delete", this.#deletes, maxDeletes, deleted),
      ...beyond("--max-changes", "change", this.#changes, maxChanges, changing),
    ];
  }
}

const LEAVES_ALONE: ReadonlySet<string> = new Set(["no-op", "read", "forget"]);

/** How many of the objects a message names. */
const NAMED = 10;

function beyond(
  option: string,
  verb: string,
  count: number,
  limit: number | undefined,
  objects: readonly { readonly address: string }[],
): Diagnostic[] {
  if (limit === undefined || count <= limit) return [];
  const names = objects.slice(0, NAMED).map(({ address }) => address);
  const more = objects.length > NAMED ? ` and ${objects.length - NAMED} more` : "";
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
