import { type Diagnostic, error, hasErrors } from "../../diagnostics";
import type { DriftReport, Plan, StackOutcome } from "../../engine";
import { shellWord, wildcard } from "../../text";
import { containerOf } from "../objects/object-facts";
import type { RunView } from "../views/run-view";

/** The limits of a run. */
interface Selection {
  /** The patterns of `--project`. */
  readonly containers?: readonly string[] | undefined;
  readonly stacks?: readonly string[] | undefined;
  readonly shard?: unknown;
}

/** Finds the patterns of `--project` that no declaration of the app matches, after the plans of all stacks. */
export class SelectedPaths {
  readonly #open: Set<string>;
  #isJudged: boolean;

  constructor({ containers = [], stacks = [], shard }: Selection) {
    this.#open = new Set(containers);
    // A stack outside of the run may declare the project.
    this.#isJudged = containers.length > 0 && stacks.length === 0 && shard === undefined;
  }

  /** Records the objects of a stack. */
  see(plan: Pick<Plan, "changes" | "diagnostics">): void {
    // A failed plan lacks objects, and the run fails anyway.
    if (hasErrors(plan.diagnostics)) this.#isJudged = false;
    // A plan builds its list of changes on first use, also for objects that stay as they are.
    if (!this.#isJudged) return;
    const found = plan.changes.flatMap((change) => change.container ?? containerOf(change) ?? []);
    for (const pattern of this.#open)
      if (found.some((one) => matches(pattern, one))) this.#open.delete(pattern);
  }

  /** Records the numbers of a drift run over a stack, whose objects have no paths: one object matches all patterns. */
  seeDrift({
    objects,
    unchecked,
    diagnostics,
  }: Pick<DriftReport, "objects" | "unchecked" | "diagnostics">): void {
    if (hasErrors(diagnostics)) this.#isJudged = false;
    if (objects.length + unchecked.length > 0) this.#open.clear();
  }

  /** Reports the patterns without a match. */
  finish(view: RunView): StackOutcome {
    if (!this.#isJudged || this.#open.size === 0) return "nothing";
    view.diagnostics([...this.#open].map(notDeclared));
    return "failed";
  }
}

function matches(pattern: string, container: { readonly name: string; readonly id?: number }): boolean {
  const isId = container.id !== undefined && pattern === String(container.id);
  return isId || wildcard(pattern, { ignoresCase: true }).test(container.name);
}

function notDeclared(pattern: string): Diagnostic {
  const path = shellWord(pattern);
  const adopt = pattern.includes("*") ? "" : ` To declare it, run \`steward adopt ${path} --into FILE\`.`;
  return error({
    code: "selector_unmatched",
    summary: "A selected path is not declared",
    detail: `"${pattern}" is on the service, but the app declares nothing in it, so no object was checked.${adopt} To list its undeclared objects, run \`steward drift --coverage --project ${path}\`.`,
    cause: `not declared ${pattern}`,
  });
}
