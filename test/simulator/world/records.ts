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
  /** What the states held, and what was live, when it began. */
  readonly heldBefore: ReadonlyMap<string, Held>;
  readonly liveBefore: Live;
  /** What people had made by hand then, and no runner had taken over. */
  readonly handmadeBefore: ReadonlySet<string>;
  /** The objects whose delete the journals of earlier runs announced then. */
  readonly leavingBefore: ReadonlySet<string>;
  /** What runners had made of each object until then, whatever people made of it since. */
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

/** What an invariant finds wrong, and with which object. */
export type Finding = string | { readonly what: string; readonly identity: string } | undefined;

/** What is wrong with one object. */
export const about = (identity: string, what: string) => ({ what, identity });

/** A rule of the simulator that was broken. */
export interface Violation {
  readonly invariant: string;
  /** What happened. */
  readonly what: string;
  /** The object that it happened to, where it is one. */
  readonly identity: string | undefined;
  /** The number of the step, from 0; the end of the story if it is their number. */
  readonly step: number;
}
