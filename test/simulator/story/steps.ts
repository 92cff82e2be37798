// What stories that explain a rule are written with.
import type { Declaration } from "../world/app";
import { KEYS, type Kind, PLACES, type Thing } from "../world/objects";
import type { Run, Step, Story } from "./story";

export const KINDS = Object.keys(KEYS) as Kind[];

export const inStacks = (stacks: readonly string[], ...steps: readonly Step[]): Story => ({
  seed: 1,
  keeping: "file",
  stacks,
  steps,
});

export const inOneStack = (...steps: readonly Step[]): Story => inStacks(["a"], ...steps);

/** The first object of a kind, unless more is said. */
export const thing = (kind: Kind, more: Partial<Thing> = {}): Thing => ({
  kind,
  at: PLACES[kind][0]!,
  key: KEYS[kind][0]!,
  content: 1,
  ...more,
});

type Declared = Partial<Pick<Declaration, "spelling" | "second" | "preventDestroy" | "isImported">>;

/** In the stack "a", and by path, unless more is said. */
export const declare = (
  name: string,
  what: Thing,
  { stack = "a", ...more }: Declared & { readonly stack?: string } = {},
): Step => ({ edit: "declare", stack, declaration: { ...what, name, spelling: "path", ...more } });

export const run = (given: Partial<Run> = {}): Step => ({ run: { do: "apply", ...given } as Run });

export const APPLY = run();

/** The run's first request of a kind meets a fault, or one that comes later. */
export const meets = (
  on: NonNullable<Run["network"]>[number]["on"],
  nth: number,
  fault: NonNullable<Run["network"]>[number]["fault"],
  times?: number,
): Pick<Run, "network"> => ({ network: [{ on, nth, fault, ...(times !== undefined && { times }) }] });

/** Dies once the service has done this write. */
export const diesAfterWrite = (afterWrite: number): Pick<Run, "crash"> => ({ crash: { afterWrite } });
