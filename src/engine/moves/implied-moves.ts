import { type Configuration, type MoveDeclaration, resourceAddress } from "../../language";
import type { ResourceState, State } from "../../state";

/**
 * The moves that adding or removing `count` implies: the single object becomes index 0, or index 0 the single
 * object. A `moved` block that names the resource takes precedence.
 */
export function impliedMoves(state: State, { resources, moves }: Configuration): MoveDeclaration[] {
  const named = new Set(moves.flatMap(({ from, to }) => [resourceAddress(from), resourceAddress(to)]));
  const isAnyCounted = [...resources.values()].some(({ count }) => count !== undefined);
  const implied: MoveDeclaration[] = [];
  for (const resource of state.resources) {
    if (resource.mode === "data" || !((isAnyCounted && hasKey(resource, undefined)) || hasKey(resource, 0)))
      continue;
    const declared = resources.get(resourceAddress(resource));
    if (declared === undefined || named.has(declared.address)) continue;
    const { mode, type, name } = resource;
    const single = { mode, type, name };
    const first = { ...single, indexKey: 0 };
    if (declared.count !== undefined) {
      if (hasKey(resource, undefined)) implied.push({ from: single, to: first });
    } else if (declared.forEach === undefined && hasKey(resource, 0))
      implied.push({ from: first, to: single });
  }
  return implied;
}

const hasKey = ({ instances }: ResourceState, key: number | undefined): boolean =>
  instances.some(({ indexKey }) => indexKey === key);
