import type { NeededRight, RightsReport } from "../../engine";
import { mergedByStack, type OfStacks } from "./merge-stacks";

/** What the plan of one stack needs; without a name for a configuration that is not a stack of an app. */
export interface StackRights {
  readonly stack: string | undefined;
  readonly rights: RightsReport;
}

/** What the plans of a run need: each right once, with the stacks that need it. */
export interface MergedRights extends RightsReport {
  readonly rights: readonly (NeededRight & OfStacks)[];
  readonly notKnown: readonly (RightsReport["notKnown"][number] & OfStacks)[];
}

export const mergeRights = (all: readonly StackRights[]): MergedRights => ({
  rights: mergedByStack(all.flatMap(({ stack, rights }) => rights.rights.map((item) => ({ stack, item })))),
  notKnown: mergedByStack(
    all.flatMap(({ stack, rights }) => rights.notKnown.map((item) => ({ stack, item }))),
  ),
});
