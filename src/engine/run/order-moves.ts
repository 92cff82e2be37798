import { instanceAddress, type MoveDeclaration, type ResourceAddress, resourceAddress } from "../../language";

/** Whether a move applies to a whole resource with all its instances. */
export const isWholeResource = ({ from, to }: MoveDeclaration): boolean =>
  from.indexKey === undefined && to.indexKey === undefined;

export const describeMove = ({ from, to }: MoveDeclaration): string => `${textOf(from)} -> ${textOf(to)}`;

export const textOf = (address: ResourceAddress): string => instanceAddress(address, address);

/** Orders moves so that each comes after those that lead to its source. A cycle is returned separately. */
export function orderMoves(moves: readonly MoveDeclaration[]): {
  ordered: MoveDeclaration[];
  cycle: MoveDeclaration[];
} {
  const ordered: MoveDeclaration[] = [];
  let rest = [...moves];
  while (rest.length > 0) {
    const ready = rest.filter((move) => !rest.some((other) => leadsTo(other, move)));
    if (ready.length === 0) return { ordered, cycle: rest };
    ordered.push(...ready);
    rest = rest.filter((move) => !ready.includes(move));
  }
  return { ordered, cycle: [] };
}

/** Whether one move may bring an object to the source of another. */
function leadsTo(first: MoveDeclaration, second: MoveDeclaration): boolean {
  if (resourceAddress(first.to) !== resourceAddress(second.from)) return false;
  return isWholeResource(first) || isWholeResource(second) || first.to.indexKey === second.from.indexKey;
}
