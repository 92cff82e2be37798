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

/** A stack of the app, as the comparison with other stacks sees it. */
export interface AppStack {
  readonly name: string;
  /** Whether this command runs the stack. */
  readonly isSelected: boolean;
  /** @throws DiagnosticError if its configuration is invalid */
  context(): RunContext;
  /**
   * The backend of its state.
   *
   * @throws DiagnosticError if this engine does not support it
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
  /** An unfinished move in its journal. */
  readonly openMove?: { readonly move: StateMove; readonly journal: string } | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The stacks of one app during a command. Their declarations and states are read once, and read again after their state was
 * written.
 */
export class AppStacks {
  readonly #snapshots = new Map<string, Promise<StackSnapshot>>();
  readonly #known = new Map<string, Promise<Known>>();
  /**
   * The names of stacks that hold or declare an object. A stack that no longer holds or declares the object may be among them.
   */
  readonly #byObject = new OwnerIndex<string>();
  /** The lists of stacks, read once in a command, so that all decisions use the same lists. */
  readonly #lists = new Map<string, ReadLists>();
  /** The declared objects that plans found, by stack. */
  readonly #planned = new Map<string, readonly StackObject[]>();

  #isReadAgain = false;

  constructor(private readonly stacks: readonly AppStack[]) {}

  /** Rejects work on a stack if the journal of any stack has an unfinished move that concerns this stack. */
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
   * @param mode after a destroy, the other stacks of the command declare no objects
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

  /** Records the declared objects that a plan found, because they are more accurate than the configuration. */
  recordPlanned(name: string, declared: readonly StackObject[]): void {
    this.#planned.set(name, declared);
    const known = this.#known.get(name);
    if (known !== undefined)
      this.#known.set(
        name,
        known.then((one) => ({ ...one, index: this.#withPlanned(name, one.index, declared) })),
      );
  }

  /** The names of the stacks that may hold or declare an object or a part of it. */
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
   * Discards the facts about other stacks, whose states another process may have written. The first call of a command concerns
   * all stacks, and later calls only the concerned stacks. Each stack therefore rereads a state only if it needs this state.
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

  /** Records the ownership of an object with an unknown identity. */
  recordInPart(stack: string, index: ObjectIndex, object: StackObject, shares: readonly Share[]): void {
    index.recordInPart(object, shares);
    this.#byObject.add({ service: object.service, shares }, stack);
  }

  /** Creates an index of the objects of a stack, and remembers their identities for `concernedBy`. */
  index(stack: string, objects: readonly StackObject[]): ObjectIndex {
    return new ObjectIndex(objects, (object) => this.#byObject.add(object, stack));
  }

  /** Returns an index with planned objects instead of objects that only the configuration declares. */
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
      // The state may lack changes of an interrupted run.
      diagnostics: journalWarning(text, backend.journal),
    };
  } catch (problem) {
    return { diagnostics: diagnosticsOf(problem) };
  }
}
