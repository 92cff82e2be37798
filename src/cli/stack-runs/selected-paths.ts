import { type Diagnostic, error } from "../../diagnostics";
import type { ChangeContainer, StackOutcome } from "../../engine";
import { shellWord, wildcard } from "../../text";
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

  /** Whether further stacks have to report their projects and groups. A plan lists unchanged objects only on request. */
  get isOpen(): boolean {
    return this.#isJudged && this.#open.size > 0;
  }

  /** Records the projects and groups of a stack. */
  see(containers: readonly ChangeContainer[]): void {
    for (const pattern of this.#open)
      if (containers.some((one) => matches(pattern, one))) this.#open.delete(pattern);
  }

  /** Records the number of objects of a drift run. These objects have no paths, so one object matches all patterns. */
  seeCount(objects: number): void {
    if (objects > 0) this.#open.clear();
  }

  /** Records an error. The stack then lacks objects, and the run fails anyway. */
  fail(): void {
    this.#isJudged = false;
  }

  /** Reports the patterns without a match. */
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
