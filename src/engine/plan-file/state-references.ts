import type { Json, State } from "../state/model";
import { compareInstances, compareResources, sorted } from "../state/state-order";

/**
 * The parts of a state by where they stand in it, in the order of a state file. A saved plan names them and does not
 * hold them: they are taken from the state itself, which has to be the same when the plan is applied.
 */
function* partsOf(state: State): Generator<readonly [place: string, part: object]> {
  yield ["", state];
  yield ["outputs", state.outputs];
  for (const [name, output] of Object.entries(state.outputs)) yield [`outputs ${name}`, output];
  for (const [at, resource] of sorted(state.resources, compareResources).entries()) {
    yield [`${at}`, resource];
    for (const [index, instance] of sorted(resource.instances, compareInstances).entries()) {
      const place = `${at} ${index}`;
      yield [place, instance];
      yield [`${place} attributes`, instance.attributes];
      yield [`${place} sensitive`, instance.sensitivePaths];
      yield [`${place} dependencies`, instance.dependencies];
    }
  }
}

export function placesInState(state: State | undefined): ReadonlyMap<object, string> {
  return new Map([...(state === undefined ? [] : partsOf(state))].map(([place, part]) => [part, place]));
}

/** Finds the part at a place, as `placesInState` names them. */
export function stateParts(state: State | undefined): (place: Json) => object {
  const parts = new Map(state === undefined ? [] : partsOf(state));
  return (place) => {
    const part = parts.get(place as string);
    if (part === undefined) throw new TypeError("The plan refers to something that the state does not hold.");
    return part;
  };
}
