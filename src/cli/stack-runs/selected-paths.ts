import { type Diagnostic, error } from "../../diagnostics";
import type { ChangeContainer, StackOutcome } from "../../engine";
import { shellWord, wildcard } from "../../text";
import type { RunView } from "../views/run-view";

/** The options that limit a run to a part of the app. */
interface Selection {
  /** The patterns of `--project`. */
  readonly containers?: readonly string[] | undefined;
  readonly stacks?: readonly string[] | undefined;
  readonly shard?: unknown;
}

/**
 * Collects the projects and groups in the plans of all stacks. Also finds the patterns of `--project` that match none of these
 * projects and groups.
 */
export class SelectedPaths {
  readonly #open: Set<string>;
  #isJudged: boolean;

  constructor({ containers = [], stacks = [], shard }: Selection) {
    this.#open = new Set(containers);
    // If the run has only some stacks, a stack outside the run can declare a matching project. Therefore, a pattern without a
    // match is not an error in a run of only some stacks.
    this.#isJudged = containers.length > 0 && stacks.length === 0 && shard === undefined;
  }

  /**
   * Whether some pattern still has no match. As long as a pattern has no match, the next stack has to report its projects and
   * groups.
   */
  get isOpen(): boolean {
    return this.#isJudged && this.#open.size > 0;
  }

  /** Records the projects and groups of a stack, and removes the patterns that match one of these projects and groups. */
  see(containers: readonly ChangeContainer[]): void {
    for (const pattern of this.#open)
      if (containers.some((one) => matches(pattern, one))) this.#open.delete(pattern);
  }

  /**
   * Records the number of objects that a drift run checked. The run does not report the paths of these objects. If the run
   * checked at least one object, all patterns count as matched.
   */
  seeCount(objects: number): void {
    if (objects > 0) this.#open.clear();
  }

  /**
   * Records an error in a stack. The plan of this stack lacks objects and the run fails anyway, so `finish` reports no patterns.
   */
  fail(): void {
    this.#isJudged = false;
  }

  /** Reports an error for each pattern of `--project` without a match. */
  finish(view: RunView): StackOutcome {
    if (!this.isOpen) return "nothing";
    view.diagnostics([...this.#open].map(notDeclared));
    return "failed";
  }
}

function matches(pattern: string, container: ChangeContainer): boolean {
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
