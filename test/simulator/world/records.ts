import type { Outcome } from "../actors/stepwise";
import type { Exchange } from "../network/network";
import type { Run } from "../story/story";
import type { SimulatedProcess } from "../time/simulation";
import type { App } from "./app";
import type { Live, LiveChange } from "./live";

/** The objects that a state holds: identity by address; deposed ones have a suffix. */
export type Held = ReadonlyMap<string, string>;

/** A change that a request made. */
export interface Written extends LiveChange {
  readonly exchange: Exchange;
}

/** A run as the world saw it. */
export interface RunRecord {
  readonly run: Run;
  readonly process: SimulatedProcess;
  /** The app as this run read it. */
  readonly app: App;
  /** The content of the states and the live objects at its begin. */
  readonly heldBefore: ReadonlyMap<string, Held>;
  readonly liveBefore: Live;
  /** The objects that people had created by hand until then, and no runner had taken over. */
  readonly handmadeBefore: ReadonlySet<string>;
  /** The objects whose delete the journals of earlier runs announced then. */
  readonly leavingBefore: ReadonlySet<string>;
  /** The values of runners for each object until then, for any later manual change. */
  readonly appliedBefore: ReadonlyMap<string, string>;
  readonly written: Written[];
  outcome: Outcome | undefined;
  /** An exception that is no diagnostic. */
  failure: unknown;
  isStuck: boolean;
  /** Whether others changed something meanwhile, or earlier requests arrived late. */
  isDisturbed: boolean;
  liveAfter: Live;
  heldAfter: ReadonlyMap<string, Held>;
}

/** The fault that an invariant finds, and its object. */
export type Finding = string | { readonly what: string; readonly identity: string } | undefined;

/** The fault of one object. */
export const about = (identity: string, what: string) => ({ what, identity });

/** A rule of the simulator that was broken. */
export interface Violation {
  readonly invariant: string;
  /** The fault, with the events that led to it. */
  readonly what: string;
  /** The object that it happened to, where it is one. */
  readonly identity: string | undefined;
  /** The number of the step, from 0; the end of the story if it is their number. */
  readonly step: number;
}
