import { type Diagnostic, warning } from "../../diagnostics";
import { instanceAddress, type MoveDeclaration, resourceAddress } from "../../language";
import { type FoundInstance, type InstanceMove, relocate, type State } from "../../state";
import { isWhole, orderMoves, textOf } from "../run/order-moves";
import type { StackRun } from "../run/stack-run";
import { changeType } from "./change-type";
import { impliedMoves } from "./implied-moves";

/** A state whose objects stand where the configuration says that they have moved to. */
export interface MovedState {
  readonly state: State | undefined;
  /** Where objects stood in the state as it was read, by their address now. */
  readonly previous: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Carries out the `moved` blocks, and what `count` implies. An object whose new address is taken stays, and that is told. */
export function moveObjects(state: State | undefined, run: StackRun): MovedState {
  if (state === undefined) return { state, previous: new Map(), diagnostics: [] };
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
  readonly #previous = new Map<string, string>();
  readonly #blocked: string[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  constructor(state: State, run: StackRun) {
    this.#run = run;
    this.#state = state;
    this.#addresses = new Set(state.resources.map(resourceAddress));
  }

  move(move: MoveDeclaration): void {
    // Most `moved` blocks are of long ago: the state is gone through for those alone that find something.
    if (!this.#addresses.has(resourceAddress(move.from))) return;
    const found = instancesAt(this.#state, move);
    if (found.length === 0) return;
    if (this.#isTaken(move)) {
      this.#blocked.push(`${textOf(move.from)} could not move to ${textOf(move.to)}`);
      return;
    }
    const moving = found.map((one) => this.#moving(one, move)).filter((one) => one !== undefined);
    this.#remember(moving);
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
    return { state: this.#state, previous: this.#previous, diagnostics };
  }

  #isTaken(move: MoveDeclaration): boolean {
    const address = resourceAddress(move.to);
    if (isWhole(move)) return this.#addresses.has(address);
    return this.#state.resources
      .filter((resource) => resourceAddress(resource) === address)
      .some(({ instances }) => instances.some(({ indexKey }) => indexKey === move.to.indexKey));
  }

  #remember(moving: readonly InstanceMove[]): void {
    for (const { resource, instance, to } of moving) {
      const before = instanceAddress(resource, instance);
      this.#previous.set(textOf(to), this.#previous.get(before) ?? before);
      this.#previous.delete(before);
    }
  }
}

/** What a move takes along: all instances, or those with the one key. A deposed object goes with its instance. */
function instancesAt(state: State, move: MoveDeclaration): FoundInstance[] {
  const address = resourceAddress(move.from);
  return state.resources
    .filter((resource) => resourceAddress(resource) === address)
    .flatMap((resource) => resource.instances.map((instance) => ({ resource, instance })))
    .filter(({ instance }) => isWhole(move) || instance.indexKey === move.from.indexKey);
}

function destination({ instance }: FoundInstance, move: MoveDeclaration): InstanceMove["to"] {
  if (!isWhole(move) || instance.indexKey === undefined) return move.to;
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
