import { type Diagnostic, warning } from "../../diagnostics";
import type { KnownStack } from "./app-stacks";
import type { StackObject } from "./stack-objects";

/** How many addresses a message names. */
const NAMED = 3;

/** Says what of a stack could not be compared, because only a plan of it would tell. */
export function knownInPart(
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
  const more = addresses.length - NAMED;
  return `${addresses.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
