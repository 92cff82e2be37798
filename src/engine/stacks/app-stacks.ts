import { type Diagnostic, diagnosticsOf } from "../../diagnostics";
import { type Owned, OwnerIndex, type Share } from "../../framework";
import { once } from "../../schema";
import { isSameVersion, type State, type StateBackend, type StateMove, type Version } from "../../state";
import { journalWarning, withJournal } from "../recovery/merge-journal";
import { moveInJournal, rejectOpenMove } from "../recovery/state-move";
import type { PlanMode } from "../results/plan";
import type { RunContext } from "../stack-run/context";
import { ObjectIndex } from "./object-index";
import { type ReadLists, type StackObject, type StackObjects, stackObjects } from "./stack-objects";

/** A stack of the app, with the functions that give access to its configuration and its state. */
export interface AppStack {
  readonly name: string;
  /** Whether this command runs the stack. */
  readonly isSelected: boolean;
  /**
   * Returns the context for a run over the stack.
   *
   * @throws DiagnosticError if the configuration of the stack is invalid
   */
  context(): RunContext;
  /**
   * Returns the backend of the stack's state.
   *
   * @throws DiagnosticError if this engine does not support the backend
   */
  backend(): StateBackend;
}

/** A stack, with the known facts about its objects. */
export interface KnownStack extends Omit<StackObjects, "objects"> {
  readonly name: string;
  readonly isSelected: boolean;
  readonly index: ObjectIndex;
}

/** The state and the journal of a stack at one time. */
interface StackSnapshot {
  readonly state?: State | undefined;
  /** The addresses of objects that an interrupted run began to create. */
  readonly begun?: ReadonlySet<string>;
  readonly version?: Version | undefined;
  /** An unfinished move between two states, if the journal of this stack records one. */
  readonly openMove?: { readonly move: StateMove; readonly journal: string } | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The stacks of one app during a command. The declarations and the state of a stack are read once, and again after the state was
 * written.
 */
export class AppStacks {
  readonly #snapshots = new Map<string, Promise<StackSnapshot>>();
  readonly #known = new Map<string, Promise<Known>>();
  /**
   * The names of the stacks that hold or declare an object. The names can include a stack that no longer holds or declares the
   * object.
   */
  readonly #byObject = new OwnerIndex<string>();
  /**
   * The lists of members that the stacks have read, by stack. A list is read once in a command, so that all decisions use the
   * same list.
   */
  readonly #lists = new Map<string, ReadLists>();
  /** The declared objects that plans found, by stack. */
  readonly #planned = new Map<string, readonly StackObject[]>();

  #isReadAgain = false;

  constructor(private readonly stacks: readonly AppStack[]) {}

  /** Fails if the journal of any stack has an unfinished move from or to this stack. */
  async requireNoOpenMove(name: string): Promise<void> {
    for (const stack of this.stacks) {
      const { openMove: found } = await this.#snapshot(stack);
      const concerned = [found?.move.from.stack, found?.move.to.stack];
      if (found !== undefined && concerned.includes(name)) rejectOpenMove(found.move, found.journal);
    }
  }

  /**
   * Returns the known facts about the other stacks, without a request to the service.
   *
   * @param mode a destroy leaves out the other stacks of the command, because they are destroyed too
   */
  others(name: string, mode: PlanMode = "normal"): Promise<KnownStack[]> {
    const others = this.stacks.filter(
      (stack) => stack.name !== name && !(mode === "destroy" && stack.isSelected),
    );
    return Promise.all(
      others.map(async (stack) => {
        const { isSelected } = stack;
        return { ...(await this.#load(stack)), name: stack.name, isSelected };
      }),
    );
  }

  /** Records the declared objects that a plan found, because a plan identifies objects more accurately than the configuration. */
  recordPlanned(name: string, declared: readonly StackObject[]): void {
    this.#planned.set(name, declared);
    const known = this.#known.get(name);
    if (known !== undefined)
      this.#known.set(
        name,
        known.then((one) => ({ ...one, index: this.#withPlanned(name, one.index, declared) })),
      );
  }

  /** Returns the names of the stacks that may hold or declare an object or a part of the object. */
  concernedBy(object: Owned): ReadonlySet<string> {
    return new Set(this.#byObject.related(object));
  }

  /** Discards the facts about a stack if its state was written. */
  async stateWritten(name: string, version: Version | undefined): Promise<void> {
    const snapshot = await this.#snapshots.get(name);
    if (isSameVersion(snapshot?.version, version)) return;
    this.#snapshots.delete(name);
    this.#known.delete(name);
  }

  /**
   * Discards the facts about other stacks, because another process may have written their states. The first call in a command
   * discards the facts about all other stacks. Later calls discard only the facts about concerned stacks, so that few states
   * are read again.
   */
  readAgain(name: string, isConcerned: (other: string) => boolean): void {
    for (const stack of this.stacks) {
      if (stack.name === name || (this.#isReadAgain && !isConcerned(stack.name))) continue;
      this.#snapshots.delete(stack.name);
      this.#known.delete(stack.name);
    }
    this.#isReadAgain = true;
  }

  #load(stack: AppStack): Promise<Known> {
    return once(this.#known, stack.name, () => this.#evaluate(stack));
  }

  async #evaluate(stack: AppStack): Promise<Known> {
    const { state, begun, diagnostics } = await this.#snapshot(stack);
    try {
      const { objects, ...found } = await stackObjects(
        stack.context(),
        state,
        begun,
        once(this.#lists, stack.name, () => new Map()),
      );
      const index = this.#withPlanned(
        stack.name,
        this.index(stack.name, objects),
        this.#planned.get(stack.name) ?? [],
      );
      return { ...found, index, diagnostics: [...diagnostics, ...found.diagnostics] };
    } catch (problem) {
      return {
        index: new ObjectIndex([]),
        unknown: [],
        diagnostics: [...diagnostics, ...diagnosticsOf(problem)],
      };
    }
  }

  /** Records which parts of sets an object with an unknown identity owns. */
  recordInPart(stack: string, index: ObjectIndex, object: StackObject, shares: readonly Share[]): void {
    index.recordInPart(object, shares);
    this.#byObject.add({ service: object.service, shares }, stack);
  }

  /** Creates an index of the objects of a stack, and records their identities for `concernedBy`. */
  index(stack: string, objects: readonly StackObject[]): ObjectIndex {
    return new ObjectIndex(objects, (object) => this.#byObject.add(object, stack));
  }

  /** Returns an index in which planned objects replace the objects that were found in the configuration without a plan. */
  #withPlanned(stack: string, index: ObjectIndex, planned: readonly StackObject[]): ObjectIndex {
    if (planned.length === 0) return index;
    const addresses = new Set(planned.map(({ address }) => address));
    const others = index.objects.flatMap((object): StackObject[] => {
      if (object.source === "state" || !addresses.has(object.address)) return [object];
      return object.source === "both" ? [{ ...object, source: "state" }] : [];
    });
    return this.index(stack, [...others, ...planned]);
  }

  #snapshot(stack: AppStack): Promise<StackSnapshot> {
    return once(this.#snapshots, stack.name, () => readSnapshot(stack));
  }
}

/** A stack and its app. */
export interface StackOfApp {
  readonly name: string;
  readonly app: AppStacks;
}

type Known = Omit<KnownStack, "name" | "isSelected">;

async function readSnapshot(stack: AppStack): Promise<StackSnapshot> {
  try {
    const backend = stack.backend();
    const [text, state] = [await backend.journal.read(), await backend.read()];
    const move = moveInJournal(text);
    return {
      ...withJournal(state, move === undefined ? text : undefined, backend.journal.description),
      version: backend.version,
      openMove: move && { move, journal: backend.journal.description },
      // A journal of an interrupted run causes a warning, because the state may lack changes of that run.
      diagnostics: journalWarning(text, backend.journal),
    };
  } catch (problem) {
    return { diagnostics: diagnosticsOf(problem) };
  }
}
