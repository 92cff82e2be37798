import type { World } from "./world";

/** One operation in a world. The operations of a world run in order, each on the result of the one before it. */
export interface Operation {
  readonly name: string;
  /** The preparation, which is not measured. */
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
  /**
   * The least size that shows how the costs grow. Below it, output that is folded from a number of projects on would
   * count as growth.
   */
  readonly atLeast?: number;
  readonly operations: readonly Operation[];
}
