// The rounds of stories about fleets.
import type { ProjectName } from "../world/company";

/** A part of the settings of each member. */
export type FleetPart = "scope" | "production" | "staging" | "invitation";
export const FLEET_PARTS: readonly FleetPart[] = ["scope", "production", "staging", "invitation"];

export interface DeclaredFleet {
  /** The id of its construct. */
  readonly id: string;
  readonly topic: Topic;
  /** A list of paths that the app writes, instead of the projects of the topic. */
  readonly paths?: readonly ProjectName[];
  readonly onLeave: "keep" | "reset";
  readonly parts: readonly FleetPart[];
}

/** A declaration of one project, or of each project of a topic where `at` is one. */
export interface FleetNeighbour {
  readonly kind: "review" | "entry" | "list" | "invitation";
  /** The name of its resource, which may look like the name of a part of a construct. */
  readonly name: string;
  readonly at: ProjectName | Topic;
  /** Its changes come after the changes of this neighbour of the same stack. */
  readonly after?: string;
  /** An entry that names the project of this neighbour of the same stack by a reference. */
  readonly refersTo?: string;
}

/** The declarations of a stack. */
export interface FleetStack {
  readonly fleets: readonly DeclaredFleet[];
  readonly others: readonly FleetNeighbour[];
}

export type Topic = "service" | "tool";

/** A run over some of the changes. */
export interface PartialRun {
  readonly projects?: readonly ProjectName[];
  readonly wave?: number;
  readonly shard?: readonly [number: number, total: number];
  /** The number of a change in the plan. */
  readonly target?: number;
  readonly stacks?: readonly string[];
  /** A plan without the lock and drift detection begin this many milliseconds after it. */
  readonly readAfter?: number;
  /** It dies at this call of disk, network, clock or random source. */
  readonly crashAt?: number;
}

/** A change of the app and of the projects' topics, and the runs that follow it. */
export interface FleetRound {
  /** In the order of the story's stacks. */
  readonly stacks: readonly FleetStack[];
  readonly topics: Readonly<Partial<Record<ProjectName, readonly Topic[]>>>;
  readonly runs: readonly PartialRun[];
  /** Whether an older release wrote the states, without records of fleets. */
  readonly isOld?: boolean;
}

/** The projects that fleets may have. */
export const MEMBERS: readonly ProjectName[] = ["web", "api", "docs", "tools"];
