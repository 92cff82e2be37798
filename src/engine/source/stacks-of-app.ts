import type { Configuration } from "../../language";
import type { RunContext } from "../run/context";
import { type AppStack, AppStacks } from "../stacks/app-stacks";
import type { Environment } from "./environment";
import type { LoadedStacks } from "./load-stacks";
import { backendOf } from "./state-file";
import { type GivenVariable, variablesFor } from "./variables";

interface Options extends Environment, Pick<RunContext, "providers"> {
  readonly state?: string | undefined;
  readonly variables: readonly GivenVariable[];
}

/** The stacks of an app for comparison; undefined if it has only one. */
export function stacksOfApp(loaded: LoadedStacks, options: Options): AppStacks | undefined {
  const { stacks, unselected } = loaded;
  if (stacks.length + unselected.length < 2) return undefined;
  const { providers, state, env } = options;
  const context = (configuration: Configuration): RunContext => ({
    configuration,
    variables: variablesFor(configuration, loaded, options.variables, options),
    providers,
    env,
  });
  const of = (name: string, isSelected: boolean, load: () => Configuration): AppStack => ({
    name,
    isSelected,
    context: () => context(load()),
    backend: () => backendOf({ name, configuration: load() }, isSelected ? state : undefined, options),
  });
  return new AppStacks([
    ...stacks.map(({ name, configuration }) => of(name!, true, () => configuration)),
    ...unselected.map(({ name, load }) => of(name, false, load)),
  ]);
}
