import type { World } from "./world";

/**
 * One measured operation. The operations of a scene run in order, and each operation continues with the result of the
 * previous operation.
 */
export interface Operation {
  readonly name: string;
  /** The preparation, which is not measured. */
  readonly before?: (world: World) => Promise<unknown> | unknown;
  /** True if the operation writes a state repeatedly. */
  readonly applies?: boolean;
  readonly run: (world: World) => Promise<unknown> | unknown;
}

/** A list of operations on one world. See `World`. */
export interface Scene {
  readonly name: string;
  /** The number of projects that the scene needs on the service. `size` is the number of objects. */
  readonly projects: (size: number) => number;
  /**
   * The smallest size at which growth is meaningful. At smaller sizes, for example, an output is not folded yet, so that the
   * folding would count as growth.
   */
  readonly atLeast?: number;
  readonly operations: readonly Operation[];
}
