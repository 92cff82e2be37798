import type { Disk } from "../disk/disk";
import type { Simulation } from "../time/simulation";
import type { Members } from "./entitled";
import type { Platform } from "./platform";
import type { Commit } from "./repository";
import type { Request, Requests } from "./requests";
import type { App, Slot } from "./settings";
import type { Policy, Story } from "./story";

/**
 * The laws: comments show all changes; tokens go to approved services; only approved changes are written, once; and they are
 * applied in the end.
 */
export const LAWS = ["read", "receivers", "approved", "applied"] as const;
export type Law = (typeof LAWS)[number];

/** A law that a story breaks. */
export interface Violation {
  readonly law: Law;
  readonly what: string;
}

/** The world of a story, for its jobs and laws. */
export interface Stage {
  readonly story: Story;
  readonly simulation: Simulation;
  readonly disk: Disk;
  readonly platform: Platform;
  readonly requests: Requests;
  readonly members: Members;
  readonly live: Readonly<Record<Slot, string>>;
  /** The settings with manual changes. */
  readonly handmade: ReadonlySet<Slot>;
  readonly violations: readonly Violation[];
  /** The output of all commands. */
  readonly log: string[];
  report(law: Law, what: string): void;
  count(event: string): void;
  /** The policy that a commit has. */
  policyOf(commit: Commit): Policy;
  /** Lets a moment pass. */
  pass(): void;
  /** Runs the pipeline of a request, which plans and comments. */
  pipeline(request: Request): Promise<void>;
  /** Runs the apply job of an app for the commit `back` commits before the head of the default branch. */
  apply(app: App, back: number): Promise<void>;
}
