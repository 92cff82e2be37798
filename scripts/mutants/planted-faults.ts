import { ACCESS_FAULTS } from "./access";
import { BOUNDARY_FAULTS } from "./boundaries";
import { CACHE_FAULTS } from "./cache";
import { ENGINE_FAULTS } from "./engine";
import { JOURNAL_FAULTS } from "./journal";
import { LOCK_FAULTS } from "./lock";
import { MOVES_FAULTS } from "./moves";
import { OWNERSHIP_FAULTS } from "./ownership";
import type { PlantedFault } from "./planted-fault";
import { REPAIR_FAULTS } from "./repair";
import { RETRY_FAULTS } from "./retry";
import { STATE_FAULTS } from "./state";

/** Planted changes that do not count as faults, each with the reason. */
export const NO_FAULTS: readonly (readonly [what: string, why: string])[] = [
  [
    "A change during a save is not saved",
    "the last save begins after everything else has ended, so nothing changes during it",
  ],
  [
    "A state's name is not synced",
    "a disk keeps the order of names. If the new state's name is lost, the removal of the journal is lost too",
  ],
  [
    "A lost response is verified with earlier reads",
    "the search for a lost write reads as of its loss. It ignores older lists, and reads a single record again. The drop makes others " +
      "of the container read again, for whom either content is right. Tried in 635 stories, 1,000 seeds and the suites of `provider`, `engine` and `framework`",
  ],
  [
    "The first of two reads of a single record counts",
    "the first result is dropped before the second is kept. The next reader sends one more request and gets the same. Tried in the same suites",
  ],
  [
    "A list's owner is unknown",
    "an entry outside of the whole list is removed by its own delete instead of the list's. One DELETE has the same end and the same messages. " +
      "Only its place among the requests of the list differs. Tried in 635 stories, 500 seeds and the same suites",
  ],
];

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  ...JOURNAL_FAULTS,
  ...ENGINE_FAULTS,
  ...CACHE_FAULTS,
  ...RETRY_FAULTS,
  ...LOCK_FAULTS,
  ...STATE_FAULTS,
  ...OWNERSHIP_FAULTS,
  ...MOVES_FAULTS,
  ...REPAIR_FAULTS,
  ...ACCESS_FAULTS,
  ...BOUNDARY_FAULTS,
];
