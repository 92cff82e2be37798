import { fail } from "../../diagnostics";

/** A stack with its dependencies. */
interface OrderedStack {
  readonly name: string | undefined;
  readonly constructPath: string | undefined;
  /** Construct paths of the stacks that must come before it. */
  readonly dependencies: readonly string[];
}

/** Skips a stack if one that must come before it failed. */
export function requireDependencies(
  stack: OrderedStack,
  failed: Iterable<OrderedStack>,
  reversed: boolean,
): void {
  const needs = (one: OrderedStack, other: OrderedStack) =>
    one.dependencies.includes(other.constructPath ?? "");
  const missing = [...failed].find((other) => (reversed ? needs(other, stack) : needs(stack, other)));
  if (missing === undefined) return;
  // Dependents of a skipped stack are skipped too.
  fail({
    code: "dependency_failed",
    summary: "Stack skipped",
    detail: `The stack "${stack.name}" was skipped because it depends on the stack "${missing.name}", which failed.`,
  });
}
