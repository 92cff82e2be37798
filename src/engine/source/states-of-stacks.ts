import type { StateBackend } from "../../state";
import type { Environment } from "../stack-run/context";
import { isJournalOfEach } from "./journal-address";
import { ifValid, type LoadedStacks, type Stack } from "./load-stacks";
import { type OwnedState, ownerOf } from "./separate-states";
import { backendOf, backendOfUnselected, type StackState } from "./state-file";

/** Returns the settings of a stack's state. */
export const stateOfStack = ({
  name,
  configuration: { backend, folder },
}: Pick<Stack, "configuration" | "name">): StackState => ({ name, backend, folder });

/**
 * Returns the states of the loaded stacks. A state that can't be opened is left out, because a run of its stack reports the
 * reason.
 *
 * @param given a file that the selected stacks use instead of their backends
 */
export function statesOf(
  { stacks, unselected }: LoadedStacks,
  environment: Environment,
  given?: string,
): OwnedState[] {
  const owned = (name: string | undefined, open: () => StateBackend, knowsJournal: boolean): OwnedState[] => {
    const backend = ifValid(open);
    return backend === undefined ? [] : [{ owner: ownerOf(name), stack: name, backend, knowsJournal }];
  };
  const knowsJournals = isJournalOfEach(environment.env);
  return [
    ...stacks.flatMap((stack) =>
      owned(stack.name, () => backendOf(stateOfStack(stack), given, environment), true),
    ),
    ...unselected.flatMap(({ name, load }) => {
      const open = () => backendOfUnselected(stateOfStack({ name, configuration: load() }), environment);
      return owned(name, open, knowsJournals);
    }),
  ];
}
