import { type Diagnostic, error, warning } from "../../diagnostics";
import type { Row } from "../../framework";
import {
  type Configuration,
  instanceAddress,
  type MoveDeclaration,
  type ResourceAddress,
  resourceAddress,
} from "../../language";
import { groupBy, type ValueObject } from "../../schema";
import {
  type FoundInstance,
  type InstanceMove,
  Relocator,
  type ResourceState,
  type State,
} from "../../state";
import { isWholeResource, orderMoves, textOf } from "../declarations/check-blocks";
import { at, providerAddress } from "../objects/objects";
import type { StackRun } from "../stack-run/stack-run";
import { storedValues } from "../steps/steps";

const unknownType = (to: ResourceAddress): Diagnostic =>
  error({
    code: "unknown_type",
    summary: "Unknown resource",
    detail: `A moved block names ${textOf(to)}, but no provider of the embedded engine has this type.`,
    address: textOf(to),
  });

/**
 * Returns the moves that follow from adding or removing `count`: from the address without a key to index 0, or back. A `moved`
 * block that names the resource takes precedence.
 */
function impliedMoves(state: State, { resources, moves }: Configuration): MoveDeclaration[] {
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

/** A state after the `moved` blocks of the configuration. */
export interface MovedState {
  readonly state: State | undefined;
  /** The addresses that objects had in the saved state, by their current addresses. */
  readonly previousAddresses: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies the `moved` blocks and the moves that `count` implies. If the new address is occupied, the object stays at its address,
 * and a warning is reported.
 */
export function moveObjects(state: State | undefined, run: StackRun): MovedState {
  const { configuration } = run.context;
  const moves = state && [...orderMoves(configuration.moves).ordered, ...impliedMoves(state, configuration)];
  if (moves === undefined || moves.length === 0)
    return { state, previousAddresses: new Map(), diagnostics: [] };
  return new Mover(state!, run).moveAll(moves);
}

class Mover {
  readonly #relocator: Relocator;
  #hasMoved = false;
  readonly #previousAddresses = new Map<string, string>();
  readonly #blocked: string[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  constructor(
    private readonly state: State,
    private readonly run: StackRun,
  ) {
    this.#relocator = new Relocator(state);
  }

  moveAll(moves: readonly MoveDeclaration[]): MovedState {
    for (const move of moves) this.#move(move);
    const diagnostics = [...this.#diagnostics, ...(this.#blocked.length > 0 ? [blocked(this.#blocked)] : [])];
    // Most `moved` blocks have already been applied and move nothing. The state then stays the same object in memory.
    const state = this.#hasMoved ? this.#relocator.result() : this.state;
    return { state, previousAddresses: this.#previousAddresses, diagnostics };
  }

  #move(move: MoveDeclaration): void {
    const found = this.#instances(move, move.from);
    if (found.length === 0) return;
    if (this.#isOccupied(move)) {
      this.#blocked.push(`${textOf(move.from)} could not move to ${textOf(move.to)}`);
      return;
    }
    const moving = found.map((one) => this.#moving(one, move)).filter((one) => one !== undefined);
    this.#recordPrevious(moving);
    this.#relocator.move(moving);
    this.#hasMoved = true;
  }

  #moving(found: FoundInstance, move: MoveDeclaration): InstanceMove | undefined {
    const to = destination(found, move);
    if (move.from.type === move.to.type) return { ...found, to };
    const replacement = this.#replacement(found, to);
    return replacement && { ...found, to, replacement };
  }

  /**
   * Converts an object to another resource type, possibly of another provider. The provider of the new type does the
   * conversion.
   */
  #replacement({ resource, instance }: FoundInstance, to: ResourceAddress): InstanceMove["replacement"] {
    const { run } = this;
    const declaration = run.context.configuration.resources.get(resourceAddress(to));
    const key = declaration?.provider ?? to.type.split("_")[0]!;
    const provider = run.providerFor(key);
    const schema = provider?.schema.resources[to.type];
    if (provider === undefined || schema === undefined) {
      this.#diagnostics.push(unknownType(to));
      return undefined;
    }
    const { state, diagnostics } = provider.moveResource({
      sourceType: resource.type,
      sourceProvider: /provider\["([^"]+)"\]/.exec(resource.provider)?.[1] ?? resource.provider,
      sourceVersion: instance.schemaVersion,
      sourceState: instance.attributes as ValueObject,
      type: to.type,
    });
    this.#diagnostics.push(...at(diagnostics, textOf(to), declaration?.construct));
    if (state === undefined) return undefined;
    const { private: _private, extra: _extra, identity: _identity, ...kept } = instance;
    const values = { schemaVersion: schema.version, ...storedValues(state, schema), sensitivePaths: [] };
    return { provider: providerAddress(run.source(key), key), instance: { ...kept, ...values } };
  }

  /** Returns the instances at one address of a move: all instances of the resource, or only the instance with the given key. */
  #instances(move: MoveDeclaration, at: MoveDeclaration["from"]): FoundInstance[] {
    const only = isWholeResource(move) ? undefined : { key: at.indexKey };
    return this.#relocator.instances(resourceAddress(at), only);
  }

  #isOccupied(move: MoveDeclaration): boolean {
    const address = resourceAddress(move.to);
    return isWholeResource(move) ? this.#relocator.has(address) : this.#instances(move, move.to).length > 0;
  }

  #recordPrevious(moving: readonly InstanceMove[]): void {
    for (const { resource, instance, to } of moving) {
      const before = instanceAddress(resource, instance);
      this.#previousAddresses.set(textOf(to), this.#previousAddresses.get(before) ?? before);
      this.#previousAddresses.delete(before);
    }
  }
}

function destination({ instance }: FoundInstance, move: MoveDeclaration): InstanceMove["to"] {
  if (!isWholeResource(move) || instance.indexKey === undefined) return move.to;
  return { ...move.to, indexKey: instance.indexKey };
}

const blocked = (moves: readonly string[]): Diagnostic =>
  warning({
    code: "move_blocked",
    summary: "Objects not moved",
    detail: `The target address of each of these moves already contains another object: ${moves.join("; ")}. Nothing was moved. The plan destroys each object at its old address, unless the configuration declares that address. To move an object, first move or remove the object at its target address in the state.`,
  });

/** An object of the state, and whether it may leave its address because no declaration keeps it there. */
export interface HeldObject {
  readonly address: string;
  readonly identity: string;
  readonly released: "yes" | "no" | "not known yet";
}

/** A declaration whose object the state does not hold at the declared address. */
export type WantedObject = Omit<HeldObject, "released">;

/** The objects in the state and the declarations with the same identity. */
export interface Join {
  /**
   * The place of the object in the state; the value is for `held` of the decision table. Undefined while the plan does not know
   * which objects may leave their addresses.
   */
  readonly held: Extract<Row["held"], "no" | "elsewhere" | "several addresses"> | undefined;
  /** The addresses in the state that the object may leave. */
  readonly from: readonly string[];
  /** The addresses of all declarations of the object. */
  readonly to: readonly string[];
}

/**
 * Finds, for each declared address, objects with the same identity in the state. Uses only objects that may leave their
 * addresses.
 */
export function joinByIdentity(
  held: readonly HeldObject[],
  wanted: readonly WantedObject[],
): ReadonlyMap<string, Join> {
  const joined = new Map<string, Join>();
  const holders = groupBy(
    held.filter(({ released }) => released !== "no"),
    ({ identity }) => identity,
  );
  for (const [identity, to] of groupBy(wanted, ({ identity }) => identity)) {
    const from = (holders.get(identity) ?? []).filter(
      ({ address }) => !to.some((one) => one.address === address),
    );
    const join = { held: heldOf(from, to), from: sortedAddresses(from), to: sortedAddresses(to) };
    for (const { address } of to) joined.set(address, join);
  }
  return joined;
}

function heldOf(from: readonly HeldObject[], to: readonly WantedObject[]): Join["held"] {
  if (from.length === 0) return "no";
  if (from.some(({ released }) => released === "not known yet")) return undefined;
  return from.length === 1 && to.length === 1 ? "elsewhere" : "several addresses";
}

/**
 * Returns a new address for each object whose address another object takes. The new address is the start of the chain of moves,
 * because the moves free this address. The plan then replaces or deletes this object.
 */
export function displacements(
  moves: ReadonlyMap<string, string>,
  isTaken: (address: string) => boolean,
): Map<string, string> {
  const sources = new Map([...moves].map(([from, to]) => [to, from]));
  const displaced = new Map<string, string>();
  for (const to of moves.values()) {
    if (moves.has(to) || !isTaken(to)) continue;
    let free = to;
    for (let from = sources.get(free); from !== undefined; from = sources.get(free)) free = from;
    displaced.set(to, free);
  }
  return displaced;
}

const sortedAddresses = (all: readonly { readonly address: string }[]): string[] =>
  all.map(({ address }) => address).sort();
