import { fail } from "../../diagnostics";

/** A stack as the order of stacks sees it. */
interface Ordered {
  readonly name: string | undefined;
  readonly constructPath: string | undefined;
  /** Construct paths of the stacks that have to come before it. */
  readonly dependencies: readonly string[];
}

/** Passes a stack over when one that has to come before it failed: what that should have made, or taken away, is missing. */
export function refuseWithoutOthers(stack: Ordered, failed: Iterable<Ordered>, reversed: boolean): void {
  const needs = (one: Ordered, other: Ordered) => one.dependencies.includes(other.constructPath ?? "");
  const missing = [...failed].find((other) => (reversed ? needs(other, stack) : needs(stack, other)));
  if (missing === undefined) return;
  // What waits for this one has to wait as well.
  fail({
    code: "dependency_failed",
    summary: "Stack skipped",
    detail: `The stack "${stack.name}" was skipped because it depends on the stack "${missing.name}", which failed.`,
  });
}
