import type { NetworkFault, RequestFault } from "../network/network";
import type { Kind } from "../world/objects";
import type { Edit } from "./story";

/** The weights of several choices. A choice without a weight is never made. */
export type Weights<Key extends string> = Readonly<Partial<Record<Key, number>>>;

/** The operations that plan whole stacks. */
type Planned = "plan" | "apply" | "drift" | "repair" | "save" | "apply saved" | "destroy";

/** The subject of a seed's story. Choices have weights, and single numbers are chances from 0 to 1. */
export interface Focus {
  readonly kinds: Weights<Kind>;
  /** The number of projects in the story. By default, a story uses all projects. */
  readonly places?: number;
  readonly stacks: Weights<"1" | "2" | "3">;
  readonly rounds: number;
  readonly edits: Weights<Edit["edit"]>;
  readonly operations: Weights<Planned>;
  readonly faults: Weights<RequestFault>;
  readonly on: Weights<NetworkFault["on"]>;
  /** The chance that a run has no fault. The numbers up to `patience` are chances for each run. */
  readonly calm: number;
  readonly network: number;
  /** The chance that a network fault hits several requests in a row. */
  readonly repeats: number;
  readonly disk: number;
  readonly crash: number;
  readonly power: number;
  readonly meanwhile: number;
  readonly patience: number;
  /** The chance of a manual change in each round. `together` and `clock` are also chances for each round. */
  readonly hand: number;
  readonly together: number;
  readonly clock: number;
  /** The chance that a state command follows an edit, such as a move to another stack. */
  readonly follows: number;
  /** The chance that the states of a story are on the service. `pages` is also a chance for each story. */
  readonly service: number;
  readonly pages: number;
  /** The host that plans and applies. By default, this is the embedded engine. */
  readonly host?: "terraform";
}

/** Weights for stories that contain all kinds of events. */
const ANY: Focus = {
  kinds: {
    environment: 5,
    entry: 4,
    group_entry: 2,
    list: 3,
    rule: 3,
    invitation: 2,
    group_invitation: 1,
    scope: 2,
    pages: 1,
  },
  stacks: { "1": 5, "2": 4, "3": 1 },
  rounds: 3,
  edits: {
    declare: 4,
    drop: 3,
    content: 3,
    retarget: 1,
    rename: 3,
    restack: 2,
    respell: 1,
    reconfigure: 1,
    protect: 1,
    whole: 1,
    single: 1,
  },
  operations: { apply: 10, plan: 2, drift: 1, repair: 1, destroy: 0.5, save: 0.5, "apply saved": 0.5 },
  faults: {
    "response lost": 5,
    "request lost": 2,
    "502 after": 3,
    "429": 2,
    "500": 2,
    "503": 2,
    "403": 2,
    "404": 1,
    unreachable: 1,
    silence: 1,
    late: 1,
    cut: 2,
  },
  on: { write: 4, POST: 3, DELETE: 1, GET: 3, "GET after write": 1, any: 1 },
  calm: 0.4,
  network: 0.55,
  repeats: 0.15,
  disk: 0.12,
  crash: 0.45,
  power: 0.3,
  meanwhile: 0.1,
  patience: 0.1,
  hand: 0.25,
  together: 0.12,
  clock: 0.03,
  follows: 0.5,
  service: 0.2,
  pages: 0.3,
};

/**
 * Weights for stories about the sets of one project. The service returns these sets in pages, and other clients change
 * the sets at the same time.
 */
const SETS: Focus = {
  ...ANY,
  kinds: { list: 3, entry: 5, group_entry: 3 },
  places: 1,
  edits: { declare: 4, drop: 4, content: 4, retarget: 2, rename: 1, whole: 3, single: 3, protect: 1 },
  network: 0.5,
  crash: 0.15,
  meanwhile: 0.5,
  hand: 0.5,
  pages: 0.8,
};

/** Weights for stories about requests with an unknown outcome, which the service may have executed. */
const LOSSES: Focus = {
  ...ANY,
  kinds: { environment: 4, rule: 4, invitation: 3, group_invitation: 2, entry: 2, pages: 2, scope: 1 },
  stacks: { "1": 1 },
  edits: { declare: 4, drop: 4, content: 5, retarget: 3 },
  operations: { apply: 1 },
  faults: {
    "response lost": 6,
    "502 after": 3,
    late: 2,
    silence: 2,
    cut: 2,
    "404": 2,
    "403": 1,
    "500": 1,
    "request lost": 2,
  },
  on: { write: 3, POST: 3, PUT: 2, PATCH: 2, DELETE: 4, "GET after write": 3 },
  calm: 0,
  network: 1,
  repeats: 0.4,
  disk: 0,
  crash: 0.1,
  hand: 0.4,
  together: 0,
};

/**
 * Weights for stories about runs that die one after the other. Some runs die while they recover the changes of the
 * previous run.
 */
const CRASHES: Focus = {
  ...ANY,
  rounds: 5,
  operations: { apply: 8, repair: 1, destroy: 1 },
  stacks: { "1": 4, "2": 1 },
  calm: 0,
  network: 0.3,
  disk: 0.3,
  crash: 0.9,
  power: 0.5,
  hand: 0.3,
  together: 0.05,
};

/** Weights for stories about objects that move to other addresses and stacks. */
const MOVES: Focus = {
  ...ANY,
  stacks: { "1": 2, "2": 5, "3": 2 },
  edits: { declare: 3, rename: 6, restack: 5, respell: 1, drop: 2, content: 1, retarget: 2, protect: 1 },
  calm: 0.3,
  crash: 0.5,
  follows: 0.8,
};

/** Weights for stories about two runners at the same time. The runners can find the lock of a dead runner. */
const LOCKS: Focus = {
  ...ANY,
  stacks: { "1": 3, "2": 1 },
  crash: 0.4,
  network: 0.2,
  patience: 0.6,
  together: 0.7,
  service: 0.4,
  clock: 0.2,
};

/** Weights for stories about manual changes, and runs that detect or repair drift. */
const DRIFT: Focus = {
  ...ANY,
  rounds: 4,
  operations: { apply: 4, plan: 3, drift: 4, repair: 4 },
  on: { GET: 4, write: 1, any: 1 },
  network: 0.35,
  crash: 0.1,
  meanwhile: 0.2,
  hand: 0.9,
  together: 0.03,
};

/** Weights for stories about plans that are saved and applied later. */
const PLANS: Focus = {
  ...ANY,
  rounds: 4,
  kinds: { environment: 8, rule: 2, entry: 2, list: 1, invitation: 1 },
  edits: { declare: 3, drop: 2, content: 6, rename: 1, retarget: 1, protect: 1 },
  operations: { apply: 3, plan: 6, save: 4, "apply saved": 4 },
  calm: 0.6,
  hand: 0.3,
};

/**
 * Weights for stories about one stack under Terraform. Terraform has no journal. Objects move only with a `moved`
 * block, and never to another stack.
 */
const TERRAFORM: Focus = {
  ...ANY,
  host: "terraform",
  rounds: 4,
  stacks: { "1": 1 },
  edits: { declare: 4, drop: 3, release: 1, content: 3, retarget: 2, rename: 2, respell: 1, protect: 1 },
  operations: { apply: 8, plan: 2, destroy: 1 },
  disk: 0,
  crash: 0.3,
  power: 0,
  hand: 0.4,
  together: 0,
  service: 0,
};

/** The subjects of stories with odd seeds, one after the other. Stories with even seeds use `ANY`. */
const FOCUSES: readonly Focus[] = [SETS, LOSSES, CRASHES, MOVES, LOCKS, DRIFT, PLANS, TERRAFORM];

export const focusOf = (seed: number): Focus =>
  seed % 2 === 0 ? ANY : FOCUSES[((seed - 1) / 2) % FOCUSES.length]!;
