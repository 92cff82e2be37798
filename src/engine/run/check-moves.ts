import { type Diagnostic, error } from "../../diagnostics";
import {
  type Configuration,
  locate,
  type MoveDeclaration,
  type ResourceDeclaration,
  resourceAddress,
} from "../../language";
import { groupBy, memoize } from "../../schema";
import { describeMove, isWholeResource, orderMoves, textOf } from "./order-moves";

/** Validates `moved` blocks against the configuration. */
export function checkMoves({ moves, resources }: Configuration): Diagnostic[] {
  const { cycle } = orderMoves(moves);
  return [
    ...ambiguousMoves(moves),
    ...(cycle.length > 0 ? [moveCycle(cycle)] : []),
    ...moves.flatMap((move) => {
      const declared = resources.get(resourceAddress(move.from));
      const stays = declared !== undefined && isWholeResource(move);
      return stays ? [stillDeclared(move, declared)] : [];
    }),
  ];
}

/** The moves of single instances, by the resource that they leave. */
const movedInstances = memoize(({ moves }: Configuration) =>
  groupBy(
    moves.filter((move) => !isWholeResource(move)),
    ({ from }) => resourceAddress(from),
  ),
);

/** Validates moves of single instances, once the instances of a resource are known. */
export function checkMovedInstances(
  configuration: Configuration,
  declaration: ResourceDeclaration,
  instances: readonly { readonly address: string }[],
): Diagnostic[] {
  const moved = movedInstances(configuration).get(declaration.address);
  if (moved === undefined) return [];
  const declared = new Set(instances.map(({ address }) => address));
  return moved
    .filter(({ from }) => declared.has(textOf(from)))
    .map((move) => stillDeclared(move, declaration));
}

/** Moves that share one of their two addresses with an earlier one. */
function ambiguousMoves(moves: readonly MoveDeclaration[]): Diagnostic[] {
  const destinations = new Map<string, string>();
  const sources = new Map<string, string>();
  return moves.flatMap(({ from, to }) => {
    const [source, destination] = [textOf(from), textOf(to)];
    const otherDestination = first(destinations, source, destination);
    const otherSource = first(sources, destination, source);
    if (otherDestination !== undefined)
      return [
        invalid(
          `One moved block says ${source} -> ${otherDestination}, another ${source} -> ${destination}. An object can move to one address only.`,
        ),
      ];
    if (otherSource === undefined) return [];
    return [
      invalid(
        `One moved block says ${otherSource} -> ${destination}, another ${source} -> ${destination}. Only one object can move there.`,
      ),
    ];
  });
}

/** The value that an earlier call set for the key, if it is another one. */
function first(known: Map<string, string>, key: string, value: string): string | undefined {
  const earlier = known.get(key);
  if (earlier === undefined) known.set(key, value);
  return earlier === value ? undefined : earlier;
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
