/** The variable that informs an app about a rule that is waived for a run. Only the command sets it. */
export const WAIVED_RULE = "STEWARD_WAIVE";

/** Secrets that an app does not need: the tokens of the run and the passwords of its services. */
export const WITHHELD_FROM_APP = [
  "STEWARD_TOKEN",
  "STEWARD_COMMENT_TOKEN",
  "STEWARD_ADDRESS_KEY",
  "STEWARD_WEBHOOK_URL",
  "TF_HTTP_PASSWORD",
  "CI_JOB_TOKEN",
];
