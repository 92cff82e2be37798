import { API_CODES } from "./codes/api";
import { CLI_CODES } from "./codes/cli";
import { BLOCK_CODES, CONFIGURATION_CODES } from "./codes/configuration";
import { ENGINE_CODES } from "./codes/engine";
import { PROVIDER_CODES } from "./codes/provider";
import { SAVED_PLAN_CODES } from "./codes/saved-plan";

/** Codes that `src/adopt` raises. */
export const ADOPT_CODES = {
  adoption_source_invalid: [
    "The file of --into is not TypeScript or JavaScript. Nothing was written.",
    "Correct the syntax at the place that the message names, or give the file that declares the stack.",
  ],
  adoption_file_not_found: [
    "The file of --into does not exist, or no app with a cdktf.json is around it. Nothing was written.",
    "Give the file of an app that declares its stack; --out writes a new app.",
  ],
  no_place_to_insert: [
    "The file of --into declares no stack, or several. Nothing was written.",
    "Give the file that declares the stack; move several stacks into files of their own.",
  ],
} as const;

/** Codes that `src/constructs` raises. */
export const CONSTRUCT_CODES = {
  wrong_package: [
    "A construct of `cdktf-provider-steward` is in a stack of `cdktn`, or a construct of `cdktn-provider-steward` in a stack of `cdktf`. Only the library that a construct was made for can synthesize it.",
    "Install and import the package that the message names: the one for the library of the app.",
  ],
} as const;

/** Codes that `src/plugin` raises. */
export const PLUGIN_CODES = {
  number_not_exact: [
    "A number in the configuration has too many digits to be stored exactly.",
    "Write it with at most 15 digits.",
  ],
  state_too_old: [
    "The state of a resource has the format of Terraform before 0.12, which is not supported.",
    "Upgrade it once with `terraform apply -refresh-only` of Terraform 0.12, or import the object again.",
  ],
  not_provided: [
    "Terraform requested a type that this provider does not have.",
    "Report it with the trace log: the provider's schema does not contain the type.",
  ],
} as const;

/** What the documentation says of one error code: what happened, and how a user fixes it, in one or two sentences each. */
export type CodeEntry = readonly [meaning: string, remedy: string];

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

/** Codes of the previous release that nothing raises now. The next release removes them. */
export const NO_LONGER_RAISED = {
  engine_unavailable: [
    "The program that --engine asked for was not in the folders of PATH.",
    "Use `steward exec`, which raises `program_not_started`.",
  ],
  engine_option_unsupported: [
    "An option could not be given together with --engine.",
    "Use `steward exec`, which passes all options on to the program.",
  ],
  engine_init_failed: [
    "Terraform or OpenTofu could not initialize a stack under --engine.",
    "Use `steward exec -- terraform init`, which shows the program's output.",
  ],
  engine_failed: [
    "Terraform or OpenTofu failed under --engine.",
    "Use `steward exec`, which passes the program's output and exit code through.",
  ],
} as const;
