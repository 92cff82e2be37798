import { ADOPT_CODES } from "./codes/adopt";
import { API_CODES } from "./codes/api";
import { BLOCK_CODES } from "./codes/blocks";
import { CLI_CODES } from "./codes/cli";
import { CONFIGURATION_CODES } from "./codes/configuration";
import { CONSTRUCT_CODES } from "./codes/constructs";
import { ENGINE_CODES } from "./codes/engine";
import { PLUGIN_CODES } from "./codes/plugin";
import { PROVIDER_CODES } from "./codes/provider";
import { SAVED_PLAN_CODES } from "./codes/saved-plan";

/** What the documentation says of one error code. */
export interface CodeEntry {
  /** What happened, in one sentence. */
  readonly meaning: string;
  /** How a user mends it, in one or two sentences. */
  readonly remedy: string;
}

/** Every error code of the project, by floor. `docs/errors.md` is generated from it, tests check it both ways. */
export const CODES = {
  ...CONSTRUCT_CODES,
  ...API_CODES,
  ...PROVIDER_CODES,
  ...PLUGIN_CODES,
  ...CONFIGURATION_CODES,
  ...BLOCK_CODES,
  ...ENGINE_CODES,
  ...SAVED_PLAN_CODES,
  ...ADOPT_CODES,
  ...CLI_CODES,
} as const;

export type ErrorCode = keyof typeof CODES;

/** Problems that lie with one object on the service, or with reaching it: all other objects go on. */
const OBJECT_CODES: ReadonlySet<string> = new Set<
  keyof typeof PROVIDER_CODES | keyof typeof CONFIGURATION_CODES | keyof typeof ENGINE_CODES
>([
  "reference_not_found",
  "already_exists",
  "archived_project",
  "inconsistent_result",
  "rights_lost",
  "token_without_role",
  "not_available",
  "import_not_found",
  "dependency_failed",
  "inconsistent_plan",
  "interrupted",
  "internal_error",
  "object_not_settled",
]);

/** Whether a problem is the service's or one object's, and no mistake in the declarations. */
export const isServiceProblem = (code: ErrorCode): boolean => code in API_CODES || OBJECT_CODES.has(code);
