import { type Diagnostic, error } from "../../diagnostics";
import {
  type Configuration,
  locate,
  type MoveDeclaration,
  type ResourceDeclaration,
  resourceAddress,
} from "../../language";
import { describeMove, isWholeResource, orderMoves, textOf } from "./order-moves";

/** Validates `moved` blocks against the configuration. */
export function checkMoves({ moves, resources }: Configuration): Diagnostic[] {
  const { cycle } = orderMoves(moves);
  return [
    ...moves.flatMap((move, index) => ambiguous(move, moves.slice(0, index))),
    ...(cycle.length > 0 ? [moveCycle(cycle)] : []),
    ...moves.flatMap((move) => {
      const declared = resources.get(resourceAddress(move.from));
      const stays = declared !== undefined && isWholeResource(move);
      return stays ? [stillDeclared(move, declared)] : [];
    }),
  ];
}

/** Validates moves of single instances, once the instances of a resource are known. */
export function checkMovedInstances(
  { moves }: Configuration,
  declaration: ResourceDeclaration,
  instances: readonly { readonly address: string }[],
): Diagnostic[] {
  const declared = new Set(instances.map(({ address }) => address));
  return moves
    .filter((move) => !isWholeResource(move) && declared.has(textOf(move.from)))
    .map((move) => stillDeclared(move, declaration));
}

function ambiguous(move: MoveDeclaration, earlier: readonly MoveDeclaration[]): Diagnostic[] {
  const other = earlier.find(
    ({ from, to }) => (textOf(from) === textOf(move.from)) !== (textOf(to) === textOf(move.to)),
  );
  if (other === undefined) return [];
  const detail =
    textOf(other.from) === textOf(move.from)
      ? `One moved block says ${describeMove(other)}, another ${describeMove(move)}. An object can move to one address only.`
      : `One moved block says ${describeMove(other)}, another ${describeMove(move)}. Only one object can move there.`;
  return [invalid(detail)];
}

const moveCycle = (cycle: readonly MoveDeclaration[]): Diagnostic =>
  invalid(
    `The moved blocks form a cycle: ${cycle.map(describeMove).join(", ")}. ` +
      "A chain of moves must end at an address that no other block moves.",
  );

const stillDeclared = (move: MoveDeclaration, declaration: ResourceDeclaration): Diagnostic => ({
  ...invalid(
    `A moved block says that ${textOf(move.from)} is ${textOf(move.to)} now, and ${textOf(move.from)} is still declared. ` +
      `Declare it as ${textOf(move.to)} instead, or remove the moved block.`,
  ),
  ...locate(declaration),
});

const invalid = (detail: string): Diagnostic =>
  error({ code: "move_invalid", summary: "Invalid moved block", detail });
