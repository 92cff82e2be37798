import { type AppStack, AppStacks, type RunContext } from "../../engine";
import type { Configuration } from "../../language";
import type { RunArguments } from "../arguments/stack-options";
import type { Terminal } from "../terminal/terminal";
import type { Stack, UnselectedStack } from "./load-stacks";
import { ownProviders } from "./providers";
import { backendOf } from "./state-file";
import { variablesFor } from "./variables";

/** What stacks are compared by; nothing where the app has one alone. */
export function stacksOfApp(
  stacks: readonly Stack[],
  unselected: readonly UnselectedStack[],
  args: Pick<RunArguments, "state" | "variables">,
  terminal: Terminal,
): AppStacks | undefined {
  if (stacks.length + unselected.length < 2) return undefined;
  const providers = ownProviders(terminal);
  const selected = stacks.map(({ configuration }) => configuration);
  const context = (configuration: Configuration): RunContext => ({
    configuration,
    variables: variablesFor(configuration, [...selected, configuration], args.variables, terminal),
    providers,
  });
  const of = (name: string, isSelected: boolean, load: () => Configuration): AppStack => ({
    name,
    isSelected,
    context: () => context(load()),
    backend: () => backendOf({ name, configuration: load() }, isSelected ? args.state : undefined, terminal),
  });
  return new AppStacks([
    ...stacks.map(({ name, configuration }) => of(name!, true, () => configuration)),
    ...unselected.map(({ name, load }) => of(name, false, load)),
  ]);
}
