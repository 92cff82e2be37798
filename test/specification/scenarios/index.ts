import type { Scenario } from "../laboratory";
import { CLIENT_INVITATIONS } from "./client-invitations";
import { CLIENT_READS } from "./client-reads";
import { CLIENT_WRITES } from "./client-writes";
import { DATA_SOURCES } from "./data-sources";
import { RESOURCES } from "./resources";

/** All scenarios. Each scenario uses one part of the program. */
export const SCENARIOS: readonly Scenario[] = [
  ...CLIENT_READS,
  ...CLIENT_WRITES,
  ...CLIENT_INVITATIONS,
  ...DATA_SOURCES,
  ...RESOURCES,
];
