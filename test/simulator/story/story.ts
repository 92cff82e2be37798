import type { DiskFault } from "../disk/disk";
import type { NetworkFault } from "../network/network";
import type { Declaration, Keeping } from "../world/app";
import type { Kind, Spelling, Thing } from "../world/objects";
import type { FleetRound } from "./fleet-round";

/** A change of the app's code. A change of a missing declaration has no effect. */
export type Edit =
  | { readonly edit: "declare"; readonly stack: string; readonly declaration: Declaration }
  | { readonly edit: "drop"; readonly name: string }
  /** Adds a `removed` block for a declaration, or for an address that is no longer declared. The object stays on the service. */
  | { readonly edit: "release"; readonly name: string }
  | { readonly edit: "content"; readonly name: string; readonly content: number }
  /** It gets a `count` of 0: it is still in the code, and declares nothing. */
  | { readonly edit: "empty"; readonly name: string }
  /** Another object at the same address. */
  | { readonly edit: "retarget"; readonly name: string; readonly key: number }
  /** The object at another address; with a `moved` block, or found by its identity. */
  | { readonly edit: "rename"; readonly name: string; readonly to: string; readonly hasBlock: boolean }
  | { readonly edit: "restack"; readonly name: string; readonly stack: string }
  | { readonly edit: "respell"; readonly name: string; readonly spelling: Spelling }
  | { readonly edit: "reconfigure"; readonly name: string }
  | { readonly edit: "protect"; readonly name: string }
  /** With an `import` block; an id that the service assigned, or the one that the declaration says. */
  | { readonly edit: "import"; readonly name: string; readonly id?: string }
  /** The single entries of a project become one whole list of the same entries, or the other way round. */
  | { readonly edit: "whole"; readonly at: string; readonly stack: string; readonly second?: boolean }
  | { readonly edit: "single"; readonly at: string; readonly stack: string; readonly second?: boolean };

/** A manual change on the service. */
export interface Hand {
  readonly hand: "add" | "change" | "delete";
  readonly thing: Thing;
}

/** The operation of a runner of steward. */
export type Operation =
  | {
      readonly do: "plan" | "apply" | "drift" | "repair" | "save" | "apply saved" | "destroy";
      readonly stacks?: readonly string[];
    }
  /** An import by an id of the service, or by the id in the declaration. */
  | { readonly do: "import"; readonly name: string; readonly id?: string }
  | {
      readonly do: "move";
      readonly name: string;
      readonly as?: string;
      readonly from: string;
      readonly to: string;
      /** The moves that an error names; the moves of the declaration if absent. */
      readonly addresses?: readonly [from: string, to: string];
    }
  /** Everything that the second stack declares. */
  | { readonly do: "move declared"; readonly from: string; readonly to: string }
  | { readonly do: "unlock" }
  | { readonly do: "forget"; readonly address: string; readonly stack: string };

/**
 * The moment in which a run dies: at this call of disk, network, clock or random source, or after this number of
 * writes. With `power`, the whole machine dies.
 */
export type Crash = { readonly power?: boolean } & (
  | { readonly at: number; readonly afterWrite?: never }
  | { readonly afterWrite: number; readonly at?: never }
);

/** A run, and what happens to it. */
export type Run = Operation & {
  readonly network?: readonly NetworkFault[];
  readonly disk?: readonly DiskFault[];
  readonly crash?: Crash;
  /** A manual change after this number of requests of the run. */
  readonly meanwhile?: readonly (Hand & { readonly after: number })[];
  /** Milliseconds that it waits for a lock. */
  readonly patience?: number;
  /**
   * A plan that also reports access and rights; an apply that prints its requests; a drift run that looks for
   * unmanaged objects.
   */
  readonly describes?: boolean;
  /** With the token of a user with fewer rights than most declarations need. */
  readonly isMaintainer?: boolean;
  readonly failFast?: boolean;
  /** The number of objects that change at once. */
  readonly parallelism?: number;
  /** A plan, an apply or a saved plan that takes over what exists. */
  readonly importExisting?: boolean;
  /** The names of declarations whose objects a plan or an apply replaces, although nothing asks for it. */
  readonly replaces?: readonly string[];
};

/** The use of a list of environments by a part of a run, this number of milliseconds after the run began. */
export interface ListTask {
  readonly task:
    | "read all"
    | "read if short"
    | "read one"
    | "read one of many"
    /** At the list as it is from now on. */
    | "look"
    | "create"
    | "update"
    | "delete"
    /** Earlier reads are no longer valid. */
    | "drop";
  /** The object that it is about, if it is about one. */
  readonly key: string;
  readonly after: number;
}

/** The parts of one run use one list side by side, through the cache that they share. */
export interface ListUse {
  /** The objects before the story. */
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
   * Two runners at once; the second runner begins after this many milliseconds. Choices decide at each point which of
   * the two continues, instead of time.
   */
  | { readonly together: readonly [Run, Run]; readonly after: number; readonly choices?: readonly number[] }
  | { readonly clock: number }
  | { readonly list: ListUse }
  | { readonly fleets: FleetRound };

/** The events of a simulation from its beginning to its end. Except for delays, no other random choice is left. */
export interface Story {
  readonly seed: number;
  readonly keeping: Keeping;
  readonly stacks: readonly string[];
  /** The host of plan and apply: the embedded engine if absent. Terraform has one stack, with its state in a file. */
  readonly host?: "terraform";
  /** Entries of a page; all of a list if absent. */
  readonly pageLimit?: number;
  /** Habits of the live platform, until the story ends. */
  readonly habits?: readonly string[];
  /** Milliseconds that replicas are behind, with the habit of that name. */
  readonly lag?: number;
  /** Resources of this kind do not declare which access they grant. */
  readonly uncounted?: Kind;
  readonly steps: readonly Step[];
}

/** A story in which no rule is broken, and the rule that it explains. */
export interface HoldingStory {
  readonly rule: string;
  readonly story: Story;
}
