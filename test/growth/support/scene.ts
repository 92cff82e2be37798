import type { World } from "./world";

/**
 * One operation in a world. The operations of a world run in order, and each operation uses the result of the
 * previous one.
 */
export interface Operation {
  readonly name: string;
  /** The preparation, which is not measured. */
  readonly before?: (world: World) => Promise<unknown> | unknown;
  /** Whether the operation writes a state repeatedly. */
  readonly applies?: boolean;
  readonly run: (world: World) => Promise<unknown> | unknown;
}

/** Operations on the same configuration. */
export interface Scene {
  readonly name: string;
  /** The number of projects that the scene needs on the service. `size` is the number of objects. */
  readonly projects: (size: number) => number;
  /**
   * The smallest size that shows the growth of costs. At smaller sizes, the output is not folded yet, so folding
   * would count as growth.
   */
  readonly atLeast?: number;
  readonly operations: readonly Operation[];
}
