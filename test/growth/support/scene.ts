import type { World } from "./world";

/** One operation in a world. Those of a world run one after the other, each on what the one before it left. */
export interface Operation {
  readonly name: string;
  /** What happens before, unmeasured. */
  readonly before?: (world: World) => Promise<unknown> | unknown;
  /** Whether it writes a state again and again. */
  readonly applies?: boolean;
  readonly run: (world: World) => Promise<unknown> | unknown;
}

/** Operations on the same configuration. */
export interface Scene {
  readonly name: string;
  /** Projects that it needs of the service, where `size` is the number of objects. */
  readonly projects: (size: number) => number;
  /** The least size that shows how its costs grow; below it what is folded from some number of projects on would count as growth. */
  readonly atLeast?: number;
  readonly operations: readonly Operation[];
}
