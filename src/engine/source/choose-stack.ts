import { fail } from "../../diagnostics";
import { withoutKey } from "../run/targets";
import type { Stack } from "./load-stacks";

/** Chooses the one stack that declares an address. */
export const stackOf =
  (address: string) =>
  <S extends Named & Pick<Stack, "configuration">>(stacks: readonly S[]): readonly S[] => {
    // Of one stack the engine itself tells what it declares.
    if (stacks.length === 1) return stacks;
    const resource = withoutKey(address);
    const declaring = stacks.filter(({ configuration }) => configuration.resources.has(resource));
    if (declaring.length === 1) return declaring;
    return declaring.length === 0 ? declaredNowhere(address, stacks) : declaredTwice(address, declaring);
  };

type Named = Pick<Stack, "name">;

const names = (stacks: readonly Named[]): string => stacks.map(({ name }) => name).join(", ");

const declaredNowhere = (address: string, stacks: readonly Named[]): never =>
  fail({
    code: "import_not_declared",
    summary: "Import target is not declared",
    detail: `None of the stacks (${names(stacks)}) declares ${address}. Declare it first, then import.`,
  });

const declaredTwice = (address: string, stacks: readonly Named[]): never =>
  fail({
    code: "invalid_arguments",
    summary: "Several stacks",
    detail: `Several stacks declare ${address}: ${names(stacks)}. Choose one with --stack NAME.`,
  });

/** The one of several places, each of a stack, where only one can be shown. */
export function onlyOne<T extends { readonly stack: string | undefined }>(
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
