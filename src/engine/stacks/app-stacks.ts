import { type Diagnostic, DiagnosticError } from "../../diagnostics";
import { isSameVersion, type State, type StateBackend, type StateMove, type Version } from "../../state";
import { noted, refuseOpenMove } from "../recovery/state-move";
import { warningOf } from "../recovery/unsettled";
import type { RunContext } from "../run/context";
import { ObjectIndex } from "./object-index";
import { type StackObject, type StackObjects, stackObjects } from "./stack-objects";

/** A stack of the app, as it is compared with the others. */
export interface AppStack {
  readonly name: string;
  /** Whether this command works on it. */
  readonly isSelected: boolean;
  /** @throws DiagnosticError where its configuration can't be used */
  context(): RunContext;
  /** Where its state is. @throws DiagnosticError where this engine can't read that */
  backend(): StateBackend;
}

/** A stack with what is known of it. */
export interface KnownStack extends Omit<StackObjects, "objects"> {
  readonly name: string;
  readonly isSelected: boolean;
  readonly index: ObjectIndex;
}

/** What another stack's journal notes of a move, and where. */
interface NotedMove {
  readonly move: StateMove;
  readonly journal: string;
}

/** What was read of a stack's state, once. */
interface Looked {
  readonly state: State | undefined;
  readonly version: Version | undefined;
  readonly noted: NotedMove | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The stacks of one app in one command: what they declare and hold is read once, and again after a state was written. */
export class AppStacks {
  readonly #stacks: readonly AppStack[];
  readonly #looked = new Map<string, Promise<Looked>>();
  readonly #known = new Map<string, Promise<Known>>();
  /** What plans found stacks to declare. */
  readonly #planned = new Map<string, readonly StackObject[]>();

  constructor(stacks: readonly AppStack[]) {
    this.#stacks = stacks;
  }

  /** Refuses to work on a stack while the journal of any stack notes an open move that concerns it. */
  async refuseOpenMoves(name: string): Promise<void> {
    for (const stack of this.#stacks) {
      const { noted: found } = await this.#look(stack);
      const concerned = [found?.move.from.stack, found?.move.to.stack];
      if (found !== undefined && concerned.includes(name)) refuseOpenMove(found.move, found.journal);
    }
  }

  /** What is known of the stacks beside this one, without a request to the service. */
  others(name: string): Promise<KnownStack[]> {
    const others = this.#stacks.filter((stack) => stack.name !== name);
    return Promise.all(
      others.map(async (stack) => {
        const { isSelected } = stack;
        return { ...(await this.#know(stack)), name: stack.name, isSelected };
      }),
    );
  }

  /** What a plan found a stack to declare: it is known better than before. */
  planned(name: string, declared: readonly StackObject[]): void {
    this.#planned.set(name, declared);
    const known = this.#known.get(name);
    if (known !== undefined)
      this.#known.set(
        name,
        known.then((one) => ({ ...one, index: replaced(one.index, declared) })),
      );
  }

  /** Says which version of its state a stack has now: one that was written is read anew. */
  async changed(name: string, version: Version | undefined): Promise<void> {
    const looked = await this.#looked.get(name);
    if (isSameVersion(looked?.version, version)) return;
    this.#looked.delete(name);
    this.#known.delete(name);
  }

  #know(stack: AppStack): Promise<Known> {
    const known = this.#known.get(stack.name) ?? this.#evaluate(stack);
    this.#known.set(stack.name, known);
    return known;
  }

  async #evaluate(stack: AppStack): Promise<Known> {
    const { state, diagnostics } = await this.#look(stack);
    try {
      const { objects, ...found } = await stackObjects(stack.context(), state);
      const index = replaced(new ObjectIndex(objects), this.#planned.get(stack.name) ?? []);
      return { ...found, index, diagnostics: [...diagnostics, ...found.diagnostics] };
    } catch (problem) {
      return { index: new ObjectIndex([]), unknown: [], diagnostics: [...diagnostics, ...toldOf(problem)] };
    }
  }

  #look(stack: AppStack): Promise<Looked> {
    const looked = this.#looked.get(stack.name) ?? look(stack);
    this.#looked.set(stack.name, looked);
    return looked;
  }
}

type Known = Omit<KnownStack, "name" | "isSelected">;

/** The same with what a plan found to be declared in the place of what the configuration alone says. */
function replaced(index: ObjectIndex, planned: readonly StackObject[]): ObjectIndex {
  if (planned.length === 0) return index;
  const addresses = new Set(planned.map(({ address }) => address));
  const others = index.objects.flatMap((object): StackObject[] => {
    if (object.source === "state" || !addresses.has(object.address)) return [object];
    return object.source === "both" ? [{ ...object, source: "state" }] : [];
  });
  return new ObjectIndex([...others, ...planned]);
}

async function look(stack: AppStack): Promise<Looked> {
  try {
    const backend = stack.backend();
    const [text, state] = [await backend.journal.read(), await backend.read()];
    const move = noted(text);
    return {
      state,
      version: backend.version,
      noted: move && { move, journal: backend.journal.description },
      // What an interrupted run did may not be in the state.
      diagnostics: warningOf(text, backend.journal),
    };
  } catch (problem) {
    return { state: undefined, version: undefined, noted: undefined, diagnostics: toldOf(problem) };
  }
}

function toldOf(problem: unknown): readonly Diagnostic[] {
  if (problem instanceof DiagnosticError) return problem.diagnostics;
  throw problem;
}
