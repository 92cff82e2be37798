import { type Diagnostic, didYouMean, error } from "../../diagnostics";
import {
  type Configuration,
  type ImportDeclaration,
  instanceAddress,
  locate,
  type MoveDeclaration,
  type ResourceAddress,
  referencedDeclaration,
  references,
  resourceAddress,
} from "../../language";
import { groupBy, memoize } from "../../schema";

/** Returns whether a move applies to a whole resource with all its instances. */
export const isWholeResource = ({ from, to }: MoveDeclaration): boolean =>
  from.indexKey === undefined && to.indexKey === undefined;

const describeMove = ({ from, to }: MoveDeclaration): string => `${textOf(from)} -> ${textOf(to)}`;

export const textOf = (address: ResourceAddress): string => instanceAddress(address, address);

/**
 * Sorts moves, so that each move from an address comes after the moves to this address. Moves that form a cycle are returned in
 * `cycle`.
 */
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

/** Returns a function that finds the next moves of a chain: the moves whose source is the target of a given move. */
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

const importsByResource = memoize((imports: Configuration["imports"]) => groupBy(imports, ({ to }) => to));

/** Returns the `import` blocks of a resource, in the order of the configuration. */
export const importsOf = (imports: Configuration["imports"], address: string): readonly ImportDeclaration[] =>
  importsByResource(imports).get(address) ?? [];

/** The resources and data sources of a configuration, by their addresses. */
type Declared = ReadonlyMap<string, Site>;

interface Site {
  readonly address: string;
  readonly construct: string | undefined;
}

/** Validates `import`, `moved` and `removed` blocks against the declared resources. */
export const checkBlocks = (
  { imports, moves, removals }: Pick<Configuration, "imports" | "moves" | "removals">,
  declared: Declared,
): Diagnostic[] => [
  ...checkImports(imports, declared),
  ...checkMoves(moves, declared),
  ...checkRemovals(removals, declared),
];

function checkImports(imports: Configuration["imports"], resources: Declared): Diagnostic[] {
  const seen = new Set<string>();
  return imports.flatMap((declaration) => {
    const isRepeated = seen.has(declaration.target);
    seen.add(declaration.target);
    if (isRepeated) return [invalidImport(declaration, "Another import block has the same target.")];
    const { to, id, identity } = declaration;
    if (!resources.has(to)) return [notDeclared(declaration, resources.keys())];
    const named = id ?? identity!;
    const isOwn = references(named).some((one) => referencedDeclaration(one).address === to);
    const argument = id === undefined ? "identity" : "id";
    return isOwn
      ? [
          invalidImport(
            declaration,
            `Its ${argument} refers to the imported resource itself. The resource has no values yet. Write the ${argument} of the live object, or read it with a data source.`,
          ),
        ]
      : [];
  });
}

const notDeclared = ({ to, target }: ImportDeclaration, declared: Iterable<string>): Diagnostic =>
  error({
    code: "import_not_declared",
    summary: "Import target is not declared",
    detail:
      `An import block names ${target}, but the configuration does not declare ${to}. ` +
      didYouMean(to, declared, "Declare it, with the live object's values."),
    ...locate({ address: target, construct: undefined }),
  });

export const invalidImport = ({ target }: ImportDeclaration, why: string): Diagnostic =>
  error({
    code: "import_block_invalid",
    summary: "Invalid import block",
    detail: `The import block for ${target} is invalid. ${why}`,
    ...locate({ address: target, construct: undefined }),
  });

function checkMoves(moves: Configuration["moves"], resources: Declared): Diagnostic[] {
  const { cycle } = orderMoves(moves);
  return [
    ...ambiguousMoves(moves),
    ...(cycle.length > 0 ? [moveCycle(cycle)] : []),
    ...moves.flatMap((move) => {
      const declared = resources.get(resourceAddress(move.from));
      const isStaying = declared !== undefined && isWholeResource(move);
      return isStaying ? [stillDeclared(move, declared)] : [];
    }),
  ];
}

/** Returns the moves of single instances, grouped by the address of the resource from which the instances move. */
const movedInstances = memoize((moves: Configuration["moves"]) =>
  groupBy(
    moves.filter((move) => !isWholeResource(move)),
    ({ from }) => resourceAddress(from),
  ),
);

/** Reports moves from instances that the configuration still declares. The instances of the resource must be known. */
export function checkMovedInstances(
  moves: Configuration["moves"],
  { address, construct }: Site,
  instances: Iterable<string>,
): Diagnostic[] {
  const moved = movedInstances(moves).get(address);
  if (moved === undefined) return [];
  const declared = new Set(instances);
  return moved
    .filter(({ from }) => declared.has(textOf(from)))
    .map((move) => stillDeclared(move, { address, construct }));
}

/** Reports moves that have the same source or the same target as an earlier move. */
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
          `Two moved blocks move ${source}: to ${otherDestination} and to ${destination}. Remove one of them.`,
        ),
      ];
    if (otherSource === undefined) return [];
    return [
      invalid(`Two moved blocks move ${otherSource} and ${source} to ${destination}. Remove one of them.`),
    ];
  });
}

/**
 * Stores the first value of each key. Returns this value if a later call has the same key with another value. Otherwise,
 * returns undefined.
 */
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

const stillDeclared = (move: MoveDeclaration, declaration: Site): Diagnostic => ({
  ...invalid(
    `A moved block moves ${textOf(move.from)} to ${textOf(move.to)}, but ${textOf(move.from)} is still declared. ` +
      `Declare it as ${textOf(move.to)} instead, or remove the moved block.`,
  ),
  ...locate(declaration),
});

const invalid = (detail: string): Diagnostic =>
  error({ code: "move_invalid", summary: "Invalid moved block", detail });

/** Rejects `removed` blocks for resources that are still declared. */
const checkRemovals = (removals: Configuration["removals"], resources: Declared): Diagnostic[] =>
  [...removals.keys()]
    .map((address) => resources.get(address))
    .filter((declaration) => declaration !== undefined)
    .map((declaration) =>
      error({
        code: "removal_invalid",
        summary: "Invalid removed block",
        detail: `A removed block names ${declaration.address}, which is still declared. Remove the declaration or the removed block.`,
        ...locate(declaration),
      }),
    );
