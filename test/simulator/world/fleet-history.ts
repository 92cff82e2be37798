import type { FleetOutcome, ReaderOutcome } from "../actors/fleet-runner";
import type { Live } from "./live";

/** The result of playing a round in one way: as one run, or in parts. */
export interface RoundEnd {
  readonly runs: readonly FleetOutcome[];
  /** The last run, which applies everything. */
  readonly last: FleetOutcome;
  readonly live: Live;
  /** The objects in the states after the round: stack, address, id and fleet of each, sorted. */
  readonly held: readonly string[];
}

/** The results of a round that the rules use. */
export interface RoundHistory {
  readonly plan: FleetOutcome;
  readonly whole: RoundEnd;
  readonly divided: RoundEnd;
  readonly after: FleetOutcome;
  readonly declared: readonly string[];
  /** The identities that only fleets with `keep` declared before the round, and that nothing declares now. */
  readonly kept: readonly string[];
  /**
   * The identities that exactly one declaration outside of fleets declared before the round, and that nothing
   * declares now.
   */
  readonly dropped: readonly string[];
  /** The results of readers during or after a run. A reader plans without the lock and then detects drift. */
  readonly readers: readonly ReaderOutcome[];
  readonly removed: readonly {
    readonly identity: string;
    readonly stack: string;
    readonly request: string;
  }[];
}
