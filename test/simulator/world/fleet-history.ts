import type { FleetOutcome, ReaderOutcome } from "../actors/fleet-runner";
import type { Live } from "./live";

/** The end of one way through a round. */
export interface RoundEnd {
  readonly runs: readonly FleetOutcome[];
  /** The run over everything, at the end. */
  readonly last: FleetOutcome;
  readonly live: Live;
  /** Stack, address and id of each object of the states, sorted. */
  readonly held: readonly string[];
}

/** The events of a round that rules look at. */
export interface RoundHistory {
  readonly plan: FleetOutcome;
  readonly whole: RoundEnd;
  readonly divided: RoundEnd;
  readonly after: FleetOutcome;
  readonly declared: readonly string[];
  /** Identities that only fleets with `keep` declared before, and nothing declares now. */
  readonly kept: readonly string[];
  /** Identities that only a single declaration had before, and nothing declares now. */
  readonly dropped: readonly string[];
  /** Plans without the lock and drift detections next to runs, or after them. */
  readonly readers: readonly ReaderOutcome[];
  readonly removed: readonly {
    readonly identity: string;
    readonly stack: string;
    readonly request: string;
  }[];
}
