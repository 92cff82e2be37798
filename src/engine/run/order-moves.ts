import { instanceAddress, type MoveDeclaration, type ResourceAddress, resourceAddress } from "../../language";

/** Whether a move is of a whole resource, with all instances that it has. */
export const isWhole = ({ from, to }: MoveDeclaration): boolean =>
  from.indexKey === undefined && to.indexKey === undefined;

export const describeMove = ({ from, to }: MoveDeclaration): string => `${textOf(from)} -> ${textOf(to)}`;

export const textOf = (address: ResourceAddress): string => instanceAddress(address, address);

/** The moves, each after those that bring to it what it moves on; what goes round in a circle is left over. */
export function orderMoves(moves: readonly MoveDeclaration[]): {
  ordered: MoveDeclaration[];
  circle: MoveDeclaration[];
} {
  const ordered: MoveDeclaration[] = [];
  let rest = [...moves];
  while (rest.length > 0) {
    const ready = rest.filter((move) => !rest.some((other) => leadsTo(other, move)));
    if (ready.length === 0) return { ordered, circle: rest };
    ordered.push(...ready);
    rest = rest.filter((move) => !ready.includes(move));
  }
  return { ordered, circle: [] };
}

/** Whether one move may bring an object to where the other takes it from. */
function leadsTo(first: MoveDeclaration, second: MoveDeclaration): boolean {
  if (resourceAddress(first.to) !== resourceAddress(second.from)) return false;
  return isWhole(first) || isWhole(second) || first.to.indexKey === second.from.indexKey;
}
