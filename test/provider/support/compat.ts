import { runs } from "../../support/capabilities";

/** Resources with areas in which the live platform does otherwise than the specification. */
const OTHERWISE: readonly string[] = [
  "steward_job_token_allowlist_group",
  "steward_job_token_allowlist_project",
  "steward_pages_settings",
  "steward_project_invitation",
];

/** Whether a resource's suite runs with the habits of the live platform too: all of them do in `npm run soak`. */
export const isHeldToHabits = (type: string): boolean => runs(0, 1) === 1 || OTHERWISE.includes(type);
