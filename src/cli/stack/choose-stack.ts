import { fail } from "../../diagnostics";
import { withoutKey } from "../../engine/run/targets";
import type { Stack } from "./load-stacks";

/** Chooses the one stack that declares an address. */
export const stackOf =
  (address: string) =>
  (stacks: readonly Stack[]): readonly Stack[] => {
    // Of one stack the engine itself tells what it declares.
    if (stacks.length === 1) return stacks;
    const resource = withoutKey(address);
    const declaring = stacks.filter(({ configuration }) => configuration.resources.has(resource));
    if (declaring.length === 1) return declaring;
    return declaring.length === 0 ? declaredNowhere(address, stacks) : declaredTwice(address, declaring);
  };

const names = (stacks: readonly Stack[]): string => stacks.map(({ name }) => name).join(", ");

const declaredNowhere = (address: string, stacks: readonly Stack[]): never =>
  fail({
    code: "import_not_declared",
    summary: "Nothing declared to import into",
    detail: `None of the stacks (${names(stacks)}) declares ${address}. Declare it first, then import.`,
  });

const declaredTwice = (address: string, stacks: readonly Stack[]): never =>
  fail({
    code: "invalid_arguments",
    summary: "Several stacks",
    detail: `Several stacks declare ${address}: ${names(stacks)}. Choose one with --stack NAME.`,
  });
