import type { DiskFault } from "../disk/disk";
import type { NetworkFault } from "../network/network";
import type { Declaration, Keeping } from "../world/app";
import type { Kind, Spelling, Thing } from "../world/objects";
import type { FleetRound } from "./fleet-round";

/** A change of the app's code. An edit has no effect if the declaration does not exist. */
export type Edit =
  | { readonly edit: "declare"; readonly stack: string; readonly declaration: Declaration }
  | { readonly edit: "drop"; readonly name: string }
  /**
   * Removes a declaration and adds a `removed` block for its address, so that the object stays on the service. `name`
   * may also be an address that is not declared.
   */
  | { readonly edit: "release"; readonly name: string }
  | { readonly edit: "content"; readonly name: string; readonly content: number }
  /** Sets `count` to 0: the block stays in the code and declares nothing. */
  | { readonly edit: "empty"; readonly name: string }
  /** Declares another object at the same address. */
  | { readonly edit: "retarget"; readonly name: string; readonly key: number }
  /**
   * Declares the object at another address. With `hasBlock`, there is a `moved` block; otherwise Steward finds the
   * object by its identity.
   */
  | { readonly edit: "rename"; readonly name: string; readonly to: string; readonly hasBlock: boolean }
  | { readonly edit: "restack"; readonly name: string; readonly stack: string }
  | { readonly edit: "respell"; readonly name: string; readonly spelling: Spelling }
  | { readonly edit: "reconfigure"; readonly name: string }
  | { readonly edit: "protect"; readonly name: string }
  /**
   * Adds an `import` block. The ID in the block is `id`, which the service assigned. Without `id`, the ID follows from
   * the declaration.
   */
  | { readonly edit: "import"; readonly name: string; readonly id?: string }
  /**
   * `whole` replaces the single entries of a project by one whole list with the same entries. `single` does the
   * reverse.
   */
  | { readonly edit: "whole"; readonly at: string; readonly stack: string; readonly second?: boolean }
  | { readonly edit: "single"; readonly at: string; readonly stack: string; readonly second?: boolean };

/** A manual change of an object on the service. */
export interface Hand {
  readonly hand: "add" | "change" | "delete";
  readonly thing: Thing;
}

/** An operation that a runner of Steward performs. */
export type Operation =
  | {
      readonly do: "plan" | "apply" | "drift" | "repair" | "save" | "apply saved" | "destroy";
      readonly stacks?: readonly string[];
    }
  /** Imports an object. The ID is `id`. Without `id`, the ID follows from the declaration. */
  | { readonly do: "import"; readonly name: string; readonly id?: string }
  | {
      readonly do: "move";
      readonly name: string;
      readonly as?: string;
      readonly from: string;
      readonly to: string;
      /** The addresses that an error names for the move. By default, the addresses follow from the names. */
      readonly addresses?: readonly [from: string, to: string];
    }
  /** Moves all objects that the stack `to` declares. */
  | { readonly do: "move declared"; readonly from: string; readonly to: string }
  | { readonly do: "unlock" }
  | { readonly do: "forget"; readonly address: string; readonly stack: string };

/**
 * The moment at which a run dies: at call number `at` to disk, network, clock or random source, or after `afterWrite`
 * writes. With `power`, the whole machine loses power.
 */
export type Crash = { readonly power?: boolean } & (
  | { readonly at: number; readonly afterWrite?: never }
  | { readonly afterWrite: number; readonly at?: never }
);

/** A run: its operation, its options, and the faults that happen to it. */
export type Run = Operation & {
  readonly network?: readonly NetworkFault[];
  readonly disk?: readonly DiskFault[];
  readonly crash?: Crash;
  /** Manual changes. Each change happens after the run has sent `after` requests. */
  readonly meanwhile?: readonly (Hand & { readonly after: number })[];
  /** How long the run waits for a lock, in milliseconds. */
  readonly patience?: number;
  /**
   * If true, the run prints more. A plan also reports access and rights. An apply also prints its requests. A drift
   * detection also looks for unmanaged objects.
   */
  readonly describes?: boolean;
  /** True if the run uses the token of a user with fewer rights than most declarations need. */
  readonly isMaintainer?: boolean;
  readonly failFast?: boolean;
  /** The maximum number of objects that change at the same time. */
  readonly parallelism?: number;
  /** True if a plan, an apply or a saved plan takes over existing objects. */
  readonly importExisting?: boolean;
  /** The names of declarations whose objects a plan or an apply replaces (`--replace`). */
  readonly replaces?: readonly string[];
};

/**
 * A task of one part of a run that uses a list of environments. The task starts `after` milliseconds after the start of
 * the run.
 */
export interface ListTask {
  readonly task:
    | "read all"
    | "read if short"
    | "read one"
    | "read one of many"
    /** Reads the list. The task needs a new read. */
    | "look"
    | "create"
    | "update"
    | "delete"
    /** Drops the results of earlier reads. */
    | "drop";
  /** The object of the task. Empty for tasks on the whole list. */
  readonly key: string;
  readonly after: number;
}

/** The tasks of several parts of one run. These parts use one list at the same time, through a shared cache. */
export interface ListUse {
  /** The objects that exist at the start of the story. */
  readonly there: readonly string[];
  readonly tasks: readonly ListTask[];
  readonly hands: readonly {
    readonly hand: "add" | "delete";
    readonly key: string;
    readonly after: number;
  }[];
  readonly faults?: readonly NetworkFault[];
}

export type Step =
  | Edit
  | Hand
  | { readonly run: Run }
  /**
   * Runs two runners at the same time. The second runner starts `after` milliseconds later. By default, the time
   * decides which runner continues at each point. With `choices`, the choices decide.
   */
  | { readonly together: readonly [Run, Run]; readonly after: number; readonly choices?: readonly number[] }
  | { readonly clock: number }
  | { readonly list: ListUse }
  | { readonly fleets: FleetRound };

/**
 * All events of a simulation. With the same seed, a story always has the same result, because the seed determines the
 * delays.
 */
export interface Story {
  readonly seed: number;
  readonly keeping: Keeping;
  readonly stacks: readonly string[];
  /**
   * The host that plans and applies. By default, this is the embedded engine. Under Terraform, a story has one stack,
   * with its state in a file.
   */
  readonly host?: "terraform";
  /** The maximum number of entries on a page. By default, a page has all entries. */
  readonly pageLimit?: number;
  /** The habits of the live platform that are on until the story ends. */
  readonly habits?: readonly string[];
  /**
   * The milliseconds by which replicas lag behind writes. The value has an effect only with the habit
   * `lagging-replicas`.
   */
  readonly lag?: number;
  /** The kind of objects whose resources do not declare the access that they grant. */
  readonly uncounted?: Kind;
  readonly steps: readonly Step[];
}

/** A story that breaks no rule, and the rule that it explains. */
export interface HoldingStory {
  readonly rule: string;
  readonly story: Story;
}
