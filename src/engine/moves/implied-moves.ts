import { type Configuration, type MoveDeclaration, resourceAddress } from "../../language";
import type { ResourceState, State } from "../../state";

/**
 * The moves that adding or removing `count` implies: the single object becomes index 0, or index 0 the single
 * object. A `moved` block that names the resource takes precedence.
 */
export function impliedMoves(state: State, { resources, moves }: Configuration): MoveDeclaration[] {
  const named = new Set(moves.flatMap(({ from, to }) => [resourceAddress(from), resourceAddress(to)]));
  return state.resources.flatMap((resource): MoveDeclaration[] => {
    const declared = resources.get(resourceAddress(resource));
    if (declared === undefined || resource.mode === "data" || named.has(declared.address)) return [];
    const { mode, type, name } = resource;
    const single = { mode, type, name };
    const first = { ...single, indexKey: 0 };
    if (declared.count !== undefined) return hasKey(resource, undefined) ? [{ from: single, to: first }] : [];
    return declared.forEach === undefined && hasKey(resource, 0) ? [{ from: first, to: single }] : [];
  });
}

const hasKey = ({ instances }: ResourceState, key: number | undefined): boolean =>
  instances.some(({ indexKey }) => indexKey === key);
