import { type Configuration, type MoveDeclaration, resourceAddress } from "../../language";
import type { ResourceState, State } from "../../state";

/**
 * The moves that nobody has to write: where `count` came to a resource or was taken out, its one object becomes the
 * first, or the first the one. A `moved` block that names the resource says it better.
 */
export function impliedMoves(state: State, { resources, moves }: Configuration): MoveDeclaration[] {
  const named = new Set(moves.flatMap(({ from, to }) => [resourceAddress(from), resourceAddress(to)]));
  return state.resources.flatMap((resource): MoveDeclaration[] => {
    const declared = resources.get(resourceAddress(resource));
    if (declared === undefined || resource.mode === "data" || named.has(declared.address)) return [];
    const { mode, type, name } = resource;
    const one = { mode, type, name };
    const first = { ...one, indexKey: 0 };
    if (declared.count !== undefined) return has(resource, undefined) ? [{ from: one, to: first }] : [];
    return declared.forEach === undefined && has(resource, 0) ? [{ from: first, to: one }] : [];
  });
}

const has = ({ instances }: ResourceState, key: number | undefined): boolean =>
  instances.some(({ indexKey }) => indexKey === key);
