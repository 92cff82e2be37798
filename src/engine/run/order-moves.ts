import { instanceAddress, type MoveDeclaration, type ResourceAddress, resourceAddress } from "../../language";
import { groupBy } from "../../schema";

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
  const next = followers(moves);
  const waitsFor = new Map(moves.map((move) => [move, 0]));
  for (const move of moves) for (const one of next(move)) waitsFor.set(one, waitsFor.get(one)! + 1);
  const position = new Map(moves.map((move, index) => [move, index]));
  const ordered: MoveDeclaration[] = [];
  let ready = moves.filter((move) => waitsFor.get(move) === 0);
  while (ready.length > 0) {
    ordered.push(...ready);
    const freed = ready.flatMap(next).filter((one) => {
      waitsFor.set(one, waitsFor.get(one)! - 1);
      return waitsFor.get(one) === 0;
    });
    ready = freed.sort((one, other) => position.get(one)! - position.get(other)!);
  }
  return { ordered, cycle: moves.filter((move) => waitsFor.get(move)! > 0) };
}

/** The moves whose source another one may bring an object to. */
function followers(moves: readonly MoveDeclaration[]): (move: MoveDeclaration) => MoveDeclaration[] {
  const byResource = new Map(
    [...groupBy(moves, ({ from }) => resourceAddress(from))].map(([address, all]) => [
      address,
      { all, byKey: groupBy(all, (move) => (isWholeResource(move) ? WHOLE : move.from.indexKey)) },
    ]),
  );
  return (move) => {
    const found = byResource.get(resourceAddress(move.to));
    if (found === undefined || isWholeResource(move)) return found?.all ?? [];
    return [...(found.byKey.get(WHOLE) ?? []), ...(found.byKey.get(move.to.indexKey) ?? [])];
  };
}

const WHOLE = Symbol("all instances");
