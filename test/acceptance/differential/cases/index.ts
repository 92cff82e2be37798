import type { DifferentialCase } from "../case";
import { adjustments } from "./adjustments";
import { cdktf } from "./cdktf";
import { checks } from "./checks";
import { expressions } from "./expressions";
import { lifecycle } from "./lifecycle";
import { modes } from "./modes";
import { objects } from "./objects";
import { remoteState } from "./remote-state";
import { repetition } from "./repetition";
import { samples } from "./samples";
import { states } from "./states";

/** All cases, by feature: one file of `cases/` each. `../README.md` says how to add one. */
export const CASES: readonly DifferentialCase[] = [
  ...samples,
  ...objects,
  ...repetition,
  ...expressions,
  ...cdktf,
  ...lifecycle,
  ...modes,
  ...adjustments,
  ...checks,
  ...remoteState,
  ...states,
];
