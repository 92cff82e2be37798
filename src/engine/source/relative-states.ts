import path from "node:path";
import { memoize } from "../../schema";
import type { LocalState } from "../stack-run/context";
import { ifValid, type LoadedStacks } from "./load-stacks";
import { DEFAULT_STATE_FILE } from "./local-state";

type Loaded = Pick<LoadedStacks, "stacks" | "unselected">;

/** Returns the states whose backends have relative paths, with their stacks. Loads all stacks of the app, once. */
export const relativeStates = memoize(({ stacks, unselected }: Loaded): LocalState[] => {
  const all = [
    ...stacks.map(({ name, configuration }) => ({ name, configuration })),
    ...unselected.map(({ name, load }) => ({ name, configuration: ifValid(load) })),
  ];
  return all.flatMap(({ name, configuration }) => {
    if (name === undefined || configuration === undefined) return [];
    const { backend, folder } = configuration;
    const file = backend?.type === "local" ? (backend.config["path"] ?? DEFAULT_STATE_FILE) : undefined;
    if (typeof file !== "string" || path.isAbsolute(file)) return [];
    return { stack: name, folder, path: file };
  });
});
