import { fail } from "../../diagnostics";
import { withoutKey } from "../run/targets";
import type { Stack } from "./load-stacks";

/** Selects the one stack that declares an address. */
export const declaringStack =
  (address: string) =>
  <S extends NamedStack & Pick<Stack, "configuration">>(stacks: readonly S[]): readonly S[] => {
    // With a single stack, the engine reports an undeclared address itself.
    if (stacks.length === 1) return stacks;
    const resource = withoutKey(address);
    const declaring = stacks.filter(({ configuration }) => configuration.resources.has(resource));
    if (declaring.length === 1) return declaring;
    return declaring.length === 0 ? notDeclared(address, stacks) : declaredInSeveral(address, declaring);
  };

type NamedStack = Pick<Stack, "name">;

const names = (stacks: readonly NamedStack[]): string => stacks.map(({ name }) => name).join(", ");

const notDeclared = (address: string, stacks: readonly NamedStack[]): never =>
  fail({
    code: "import_not_declared",
    summary: "Import target is not declared",
    detail: `None of the stacks (${names(stacks)}) declares ${address}. Declare it first, then import.`,
  });

const declaredInSeveral = (address: string, stacks: readonly NamedStack[]): never =>
  fail({
    code: "invalid_arguments",
    summary: "Several stacks",
    detail: `Several stacks declare ${address}: ${names(stacks)}. Choose one with --stack NAME.`,
  });

/** The only one of several stacks' items, for commands that take one. */
export function requireSingle<T extends { readonly stack: string | undefined }>(
  places: readonly T[],
  what: string,
): T {
  const [first, second] = places;
  if (first !== undefined && second === undefined) return first;
  const all = places.map(({ stack }) => stack).join(", ");
  return fail({
    code: "invalid_arguments",
    summary: "Several stacks",
    detail: `The app has several stacks (${all}), but ${what} takes one. Choose one with --stack NAME.`,
  });
}
