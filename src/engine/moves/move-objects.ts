import { type Diagnostic, warning } from "../../diagnostics";
import { instanceAddress, type MoveDeclaration, resourceAddress } from "../../language";
import { type FoundInstance, type InstanceMove, relocate, type State } from "../../state";
import { isWholeResource, orderMoves, textOf } from "../run/order-moves";
import type { StackRun } from "../run/stack-run";
import { changeType } from "./change-type";
import { impliedMoves } from "./implied-moves";

/** A state after the `moved` blocks of the configuration. */
export interface MovedState {
  readonly state: State | undefined;
  /** Addresses in the state as it was read, by current address. */
  readonly previousAddresses: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies the `moved` blocks and the moves that `count` implies. If the new address is occupied, the object
 * stays, with a warning.
 */
export function moveObjects(state: State | undefined, run: StackRun): MovedState {
  if (state === undefined) return { state, previousAddresses: new Map(), diagnostics: [] };
  const { configuration } = run.context;
  const { ordered } = orderMoves(configuration.moves);
  const mover = new Mover(state, run);
  for (const move of [...ordered, ...impliedMoves(state, configuration)]) mover.move(move);
  return mover.result();
}

class Mover {
  readonly #run: StackRun;
  #state: State;
  #addresses: Set<string>;
  readonly #previousAddresses = new Map<string, string>();
  readonly #blocked: string[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  constructor(state: State, run: StackRun) {
    this.#run = run;
    this.#state = state;
    this.#addresses = new Set(state.resources.map(resourceAddress));
  }

  move(move: MoveDeclaration): void {
    // Most `moved` blocks are old: only those that match a resource search the state.
    if (!this.#addresses.has(resourceAddress(move.from))) return;
    const found = movedInstances(this.#state, move);
    if (found.length === 0) return;
    if (this.#isOccupied(move)) {
      this.#blocked.push(`${textOf(move.from)} could not move to ${textOf(move.to)}`);
      return;
    }
    const moving = found.map((one) => this.#moving(one, move)).filter((one) => one !== undefined);
    this.#recordPrevious(moving);
    this.#state = relocate(this.#state, moving);
    this.#addresses = new Set(this.#state.resources.map(resourceAddress));
  }

  #moving(found: FoundInstance, move: MoveDeclaration): InstanceMove | undefined {
    const to = destination(found, move);
    if (move.from.type === move.to.type) return { ...found, to };
    const { becomes: replacement, diagnostics } = changeType(this.#run, found, to);
    this.#diagnostics.push(...diagnostics);
    return replacement && { ...found, to, replacement };
  }

  result(): MovedState {
    const diagnostics = [...this.#diagnostics, ...(this.#blocked.length > 0 ? [blocked(this.#blocked)] : [])];
    return { state: this.#state, previousAddresses: this.#previousAddresses, diagnostics };
  }

  #isOccupied(move: MoveDeclaration): boolean {
    const address = resourceAddress(move.to);
    if (isWholeResource(move)) return this.#addresses.has(address);
    return this.#state.resources
      .filter((resource) => resourceAddress(resource) === address)
      .some(({ instances }) => instances.some(({ indexKey }) => indexKey === move.to.indexKey));
  }

  #recordPrevious(moving: readonly InstanceMove[]): void {
    for (const { resource, instance, to } of moving) {
      const before = instanceAddress(resource, instance);
      this.#previousAddresses.set(textOf(to), this.#previousAddresses.get(before) ?? before);
      this.#previousAddresses.delete(before);
    }
  }
}

/**
 * The instances that a move applies to: all of a resource, or those with one key. A deposed object moves with
 * its instance.
 */
function movedInstances(state: State, move: MoveDeclaration): FoundInstance[] {
  const address = resourceAddress(move.from);
  return state.resources
    .filter((resource) => resourceAddress(resource) === address)
    .flatMap((resource) => resource.instances.map((instance) => ({ resource, instance })))
    .filter(({ instance }) => isWholeResource(move) || instance.indexKey === move.from.indexKey);
}

function destination({ instance }: FoundInstance, move: MoveDeclaration): InstanceMove["to"] {
  if (!isWholeResource(move) || instance.indexKey === undefined) return move.to;
  return { ...move.to, indexKey: instance.indexKey };
}

const blocked = (moves: readonly string[]): Diagnostic =>
  warning({
    code: "move_blocked",
    summary: "Objects that were not moved",
    detail:
      `The new addresses already hold objects: ${moves.join("; ")}. An object that is not moved stays at its address and ` +
      "is planned for destruction if it is not declared. If that is not intended, free the address first with " +
      "`steward state mv` or `steward state rm`.",
  });
