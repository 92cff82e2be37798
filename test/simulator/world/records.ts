import type { Outcome } from "../actors/stepwise";
import type { Exchange } from "../network/network";
import type { Run } from "../story/story";
import type { SimulatedProcess } from "../time/simulation";
import type { App } from "./app";
import type { Live, LiveChange } from "./live";

/** The objects that a state holds: the identity of each, by its address. Addresses of deposed objects have a suffix. */
export type Held = ReadonlyMap<string, string>;

/** A change of a live object, with the request that made it. */
export interface Written extends LiveChange {
  readonly exchange: Exchange;
}

/** The record of a run, for the rules that check it. */
export interface RunRecord {
  readonly run: Run;
  readonly process: SimulatedProcess;
  /** The app at the start of the run. */
  readonly app: App;
  /** The objects in the states at the start of the run. `liveBefore` has the live objects at that time. */
  readonly heldBefore: ReadonlyMap<string, Held>;
  readonly liveBefore: Live;
  /** The objects that people had created by hand before the run, and that no runner had taken over. */
  readonly handmadeBefore: ReadonlySet<string>;
  /** The objects for which the journals of earlier runs announced a delete before this run. */
  readonly leavingBefore: ReadonlySet<string>;
  /** The last contents that runners had written before this run. Later manual changes do not count. */
  readonly appliedBefore: ReadonlyMap<string, string>;
  readonly written: Written[];
  outcome: Outcome | undefined;
  /** An exception that the run threw and that is not a diagnostic. */
  failure: unknown;
  isStuck: boolean;
  /**
   * True if another client changed something during the run, or if a request from before the run arrived during the
   * run.
   */
  isDisturbed: boolean;
  liveAfter: Live;
  heldAfter: ReadonlyMap<string, Held>;
}

/**
 * The description of a broken rule, with the identity of the object if the rule is about one object. Undefined if the
 * rule holds.
 */
export type Finding = string | { readonly what: string; readonly identity: string } | undefined;

/** Makes a finding about one object. */
export const about = (identity: string, what: string) => ({ what, identity });

/** A rule that a story broke. */
export interface Violation {
  readonly invariant: string;
  /** The events that broke the rule, in words. */
  readonly what: string;
  /** The identity of the object that the violation is about; undefined if it is not about one object. */
  readonly identity: string | undefined;
  /**
   * The index of the step at which the rule broke. The index equals the number of steps if the rule broke at the end of
   * the story.
   */
  readonly step: number;
}
