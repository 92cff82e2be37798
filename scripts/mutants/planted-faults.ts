import { ACCESS_FAULTS } from "./access";
import { CACHE_FAULTS } from "./cache";
import { ENGINE_FAULTS } from "./engine";
import { JOINT_FAULTS } from "./joints";
import { JOURNAL_FAULTS } from "./journal";
import { LOCK_FAULTS } from "./lock";
import { MOVES_FAULTS } from "./moves";
import { OWNERSHIP_FAULTS } from "./ownership";
import type { PlantedFault } from "./planted-fault";
import { REPAIR_FAULTS } from "./repair";
import { RETRY_FAULTS } from "./retry";
import { STATE_FAULTS } from "./state";

/** What was planted and is no fault, and why. */
export const NO_FAULTS: readonly (readonly [what: string, why: string])[] = [
  [
    "What came during a save is not saved",
    "the last save begins once everything has ended, so that nothing comes during it",
  ],
  [
    "A state's name is not synced",
    "a disk keeps the order of names: where the new state's name is lost, the removal of the journal is lost too",
  ],
  [
    "A lost answer is verified in what was read before it",
    "who looks for a lost write leaves out what was read before it anyway; the lists are dropped a second time for others, to whom " +
      "either content is right",
  ],
  [
    "A single record that was read twice is the first one",
    "the first one was dropped before: the next reader asks again, which costs a request",
  ],
  [
    "Deletes that the comparison of stacks refuses are carried out",
    "nothing of a plan with such a refusal is carried out; the providers are asked about deletes that they need not see",
  ],
  [
    "A list's owner is not known",
    "an entry that the whole list leaves out is then removed by its own delete and by the list: who comes second finds it gone, which is no error",
  ],
  [
    "An object moves although its address keeps it",
    "only a second declaration of the same object can take it, and two declarations of one object are refused before",
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
  ...JOINT_FAULTS,
];
