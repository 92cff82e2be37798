import { compareNatural } from "../../text";
import type { DriftedObject } from "../model/drift";
import type { StackRun } from "../run/stack-run";
import { learnContainers, withContainer } from "../steps/container";

/** A drifted object with the key of its provider configuration. */
export interface FoundDrift {
  readonly provider: string;
  readonly drifted: DriftedObject;
}

/** Drifted objects by address, with the paths of their containers. */
export async function withPaths(run: StackRun, found: readonly FoundDrift[]): Promise<DriftedObject[]> {
  await learnContainers(
    run,
    found.map(({ provider, drifted }) => ({ ...drifted.change, of: provider })),
  );
  return found
    .map(({ provider, drifted }) => ({ ...drifted, change: withContainer(run, provider, drifted.change) }))
    .sort((one, other) => compareNatural(one.change.address, other.change.address));
}
