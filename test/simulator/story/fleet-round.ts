// The types of the steps in stories about fleets. Each step is a round.
import type { ProjectName } from "../world/company";

/** A kind of settings that a fleet declares for each member. */
export type FleetPart = "scope" | "production" | "staging" | "invitation";
export const FLEET_PARTS: readonly FleetPart[] = ["scope", "production", "staging", "invitation"];

export interface DeclaredFleet {
  /** The id of the construct `Fleet`. */
  readonly id: string;
  readonly topic: Topic;
  /** The paths of the members, if the app lists them. Otherwise, the members are the projects with the topic. */
  readonly paths?: readonly ProjectName[];
  readonly onLeave: "keep" | "reset";
  readonly parts: readonly FleetPart[];
}

/**
 * A declaration outside of fleets. The declaration is for one project; if `at` is a topic, it is for each project with
 * this topic.
 */
export interface FleetNeighbour {
  readonly kind: "review" | "entry" | "list" | "invitation";
  /** The name of the resource. Some names look like names that a construct makes for its parts. */
  readonly name: string;
  readonly at: ProjectName | Topic;
  /**
   * The name of another declaration in the same stack. The changes of this declaration come after the changes of the
   * other declaration (`depends_on`).
   */
  readonly after?: string;
  /**
   * The name of a declaration in the same stack. An entry then names the project of that declaration by a reference.
   */
  readonly refersTo?: string;
}

/** The declarations of one stack. */
export interface FleetStack {
  readonly fleets: readonly DeclaredFleet[];
  readonly others: readonly FleetNeighbour[];
}

export type Topic = "service" | "tool";

/** A run that plans or applies only a part of the changes. */
export interface PartialRun {
  readonly projects?: readonly ProjectName[];
  readonly wave?: number;
  readonly shard?: readonly [number: number, total: number];
  /**
   * The index of the change that the run selects with `--target`. Indexes past the last change begin again at the
   * first.
   */
  readonly target?: number;
  readonly stacks?: readonly string[];
  /**
   * The milliseconds after the start of this run at which a reader begins. The reader plans without the lock and then
   * detects drift.
   */
  readonly readAfter?: number;
  /** The number of the call to disk, network, clock or random source at which the run dies. */
  readonly crashAt?: number;
}

/** A round of a story: a change of the app and of the projects' topics, and the runs that follow it. */
export interface FleetRound {
  /** The declarations of each stack, in the order of the story's stacks. */
  readonly stacks: readonly FleetStack[];
  readonly topics: Readonly<Partial<Record<ProjectName, readonly Topic[]>>>;
  readonly runs: readonly PartialRun[];
  /** True if the states come from an older release, which did not record fleets. */
  readonly isOld?: boolean;
}

/** The projects that can be members of fleets. */
export const MEMBERS: readonly ProjectName[] = ["web", "api", "docs", "tools"];
