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
