import type { NetworkFault, RequestFault } from "../network/network";
import type { Kind } from "../world/objects";
import type { Edit } from "./story";

/** The frequency of several events; a missing event does not happen. */
export type Weights<Key extends string> = Readonly<Partial<Record<Key, number>>>;

/** Operations on whole stacks. */
type Planned = "plan" | "apply" | "drift" | "repair" | "save" | "apply saved" | "destroy";

/** The subjects of the stories of a seed: chances from 0 to 1, and weights. */
export interface Focus {
  readonly kinds: Weights<Kind>;
  /** The number of projects in the story. By default, it uses all projects. */
  readonly places?: number;
  readonly stacks: Weights<"1" | "2" | "3">;
  readonly rounds: number;
  readonly edits: Weights<Edit["edit"]>;
  readonly operations: Weights<Planned>;
  readonly faults: Weights<RequestFault>;
  readonly on: Weights<NetworkFault["on"]>;
  /** For a run: the chance of no fault. */
  readonly calm: number;
  readonly network: number;
  /** For a fault of the network: the chance that it meets several requests in a row. */
  readonly repeats: number;
  readonly disk: number;
  readonly crash: number;
  readonly power: number;
  readonly meanwhile: number;
  readonly patience: number;
  /** For a round. */
  readonly hand: number;
  readonly together: number;
  readonly clock: number;
  /** For an edit: the chance that its state command is run. */
  readonly follows: number;
  /** For a story. */
  readonly service: number;
  readonly pages: number;
  /** The host of plan and apply; the embedded engine if absent. */
  readonly host?: "terraform";
}

/** A bit of everything. */
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

/** Sets of one project, in pages, which others change at the same time. */
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

/** The outcome of requests that may have been executed. */
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

/** Runs that die one after the other, also while they recover the changes of the run before. */
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

/** Objects that get other addresses and stacks. */
const MOVES: Focus = {
  ...ANY,
  stacks: { "1": 2, "2": 5, "3": 2 },
  edits: { declare: 3, rename: 6, restack: 5, respell: 1, drop: 2, content: 1, retarget: 2, protect: 1 },
  calm: 0.3,
  crash: 0.5,
  follows: 0.8,
};

/** Two runners at once, on locks of runners that died. */
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

/** People who change things, and runs that look for it. */
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

/** Plans that are saved, read by people and applied later. */
const PLANS: Focus = {
  ...ANY,
  rounds: 4,
  kinds: { environment: 8, rule: 2, entry: 2, list: 1, invitation: 1 },
  edits: { declare: 3, drop: 2, content: 6, rename: 1, retarget: 1, protect: 1 },
  operations: { apply: 3, plan: 6, save: 4, "apply saved": 4 },
  calm: 0.6,
  hand: 0.3,
};

/** One stack under Terraform: no journal, no moves without a block, and no ownership between stacks. */
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

/** Half of all stories are about anything; the others about one thing each, as often as can be. */
const FOCUSES: readonly Focus[] = [SETS, LOSSES, CRASHES, MOVES, LOCKS, DRIFT, PLANS, TERRAFORM];

export const focusOf = (seed: number): Focus =>
  seed % 2 === 0 ? ANY : FOCUSES[((seed - 1) / 2) % FOCUSES.length]!;
