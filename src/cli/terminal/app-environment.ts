/** The environment variable that shows an app which rule is waived for this run. Only Steward may set this variable. */
export const WAIVED_RULE = "STEWARD_WAIVE";

/**
 * The environment variables that an app does not get: the tokens of the run, and the passwords of the services that the run
 * uses.
 */
export const WITHHELD_FROM_APP = [
  "STEWARD_TOKEN",
  "STEWARD_COMMENT_TOKEN",
  "STEWARD_ADDRESS_KEY",
  "STEWARD_WEBHOOK_URL",
  "TF_HTTP_PASSWORD",
  "CI_JOB_TOKEN",
];
