import { compareNatural } from "../../text";
import type { DriftedObject } from "../model/drift";
import type { StackRun } from "../run/stack-run";
import { addContainer, learnContainers } from "../steps/container";
import type { Refreshed } from "../steps/refresh";

/** A drifted object with the key of its provider configuration. */
export interface FoundDrift {
  readonly provider: string;
  readonly drifted: DriftedObject;
  readonly refreshed: Refreshed;
}

/** Drifted objects by address, with the paths of their containers. */
export async function withPaths(run: StackRun, found: readonly FoundDrift[]): Promise<DriftedObject[]> {
  await learnContainers(
    run,
    found.map(({ provider, drifted }) => ({ ...drifted.change, of: provider })),
  );
  for (const { provider, drifted } of found) addContainer(run, provider, drifted.change);
  return found
    .map(({ drifted }) => drifted)
    .sort((one, other) => compareNatural(one.change.address, other.change.address));
}
