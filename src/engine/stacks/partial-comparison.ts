import { type Diagnostic, warning } from "../../diagnostics";
import type { KnownStack } from "./app-stacks";
import type { StackObject } from "./stack-objects";

/** Maximum number of addresses that a message names. */
const MAX_NAMED = 3;

/**
 * Warns about objects of a stack that could not be compared, since only a plan of that stack identifies them.
 */
export function partialComparison(
  { name, unknown, diagnostics }: KnownStack,
  unidentified: readonly StackObject[],
  types: ReadonlySet<string>,
): Diagnostic[] {
  const addresses = [
    ...new Set([
      ...unidentified.map(({ address }) => address),
      ...unknown.filter(({ type }) => types.has(type)).map(({ address }) => address),
    ]),
  ];
  const reasons = new Set([
    ...diagnostics.map((one) => `${one.summary}: ${one.detail}`),
    ...(addresses.length === 0 ? [] : [`Which objects these are is not known: ${listed(addresses)}.`]),
  ]);
  if (reasons.size === 0) return [];
  return [
    warning({
      code: "stack_known_in_part",
      summary: "Another stack was compared only in part",
      detail:
        `The stack "${name}" is not planned here, so the service was not asked about it. ${[...reasons].join(" ")} ` +
        `For these objects it is unknown whether both stacks declare them. Plan both stacks together to find out.`,
    }),
  ];
}

function listed(addresses: readonly string[]): string {
  const more = addresses.length - MAX_NAMED;
  return `${addresses.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
