import { SAMPLES } from "../../../provider/samples";
import type { NormalPlan } from "./normal-form";

/** The names of all attributes that identify an object within its type. */
const KEYS = [...new Set(Object.values(SAMPLES).flatMap(({ identity }) => identity))];

/**
 * Rejects a plan that deletes an object and creates another object with the same key. Engines send the delete and the
 * create in any order, so the service would sometimes refuse the create.
 */
export function refuseSharedPlaces({ changes }: NormalPlan): void {
  const all = Object.entries(changes).filter(([address]) => typeOf(address) !== undefined);
  const ended = new Map(
    all
      .filter(([, { actions }]) => actions.includes("delete"))
      .map(([address, { before }]) => [placeOf(address, before), address]),
  );
  for (const [address, { actions, after }] of all) {
    const other = actions.includes("create") ? ended.get(placeOf(address, after)) : undefined;
    if (other !== undefined && other !== address)
      throw new Error(`One step ends ${other} and makes ${address} in its place: give it another one.`);
  }
}

const typeOf = (address: string): string | undefined => /\b(steward_\w+)\./.exec(address)?.[1];

const placeOf = (address: string, object: unknown): string =>
  JSON.stringify([typeOf(address), ...KEYS.map((key) => (object as Readonly<Record<string, unknown>>)[key])]);
