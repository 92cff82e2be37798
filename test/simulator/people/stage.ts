import type { Disk } from "../disk/disk";
import type { Simulation } from "../time/simulation";
import type { Members } from "./entitled";
import type { Platform } from "./platform";
import type { Commit } from "./repository";
import type { Request, Requests } from "./requests";
import type { App, Slot } from "./settings";
import type { Policy, Story } from "./story";

/**
 * The laws that stories of people check. `read`: comments show all changes. `receivers`: only approved services get
 * tokens. `approved`: jobs write only approved changes, and only once. `applied`: approved changes are applied in the
 * end.
 */
export const LAWS = ["read", "receivers", "approved", "applied"] as const;
export type Law = (typeof LAWS)[number];

/** A law that a story breaks, and how. */
export interface Violation {
  readonly law: Law;
  readonly what: string;
}

/** The parts of a story's world that jobs and laws use. */
export interface Stage {
  readonly story: Story;
  readonly simulation: Simulation;
  readonly disk: Disk;
  readonly platform: Platform;
  readonly requests: Requests;
  readonly members: Members;
  readonly live: Readonly<Record<Slot, string>>;
  /** The settings that people changed by hand. */
  readonly handmade: ReadonlySet<Slot>;
  readonly violations: readonly Violation[];
  /** The output of all commands. */
  readonly log: string[];
  report(law: Law, what: string): void;
  count(event: string): void;
  /** Returns the policy of the repository at a commit. */
  policyOf(commit: Commit): Policy;
  /** Lets one second pass. */
  pass(): void;
  /** Runs the pipeline of a merge request, which plans and writes comments. */
  pipeline(request: Request): Promise<void>;
  /** Runs the apply job of an app. The commit of the job is `back` commits before the head of the default branch. */
  apply(app: App, back: number): Promise<void>;
}
