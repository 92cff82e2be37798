/** Codes that saving a plan, and applying or showing a saved one, raise. */
export const SAVED_PLAN_CODES = {
  approval_not_written: [
    "The list of changes to approve can't be written to the file that --out-approval names.",
    "Name a file in an existing, writable folder.",
  ],
  approval_invalid: [
    "The file that --approved names can't be read, or is no list of approved changes.",
    "Name a file that `steward plan --out-approval FILE` wrote.",
  ],
  approval_differs: [
    "What would be applied is not what was approved: another file than the one of the digest, other policies, a change that is not in the file, or an approved change that is neither planned nor live.",
    "Plan again with --out-approval, and approve the new digest.",
  ],
  approvals_missing: [
    "Fewer people approved the changes than the run or a violated policy needs.",
    "Ask for the approvals that the message counts, then run the job again.",
  ],
  ci_not_posted: [
    "A comment, an issue or the totals for a chat could not be posted. The exit code is that of the reported run.",
    "Check the token of STEWARD_COMMENT_TOKEN, its scope api and its role in the project of the pipeline, or the webhook.",
  ],
  owners_invalid: [
    "The file that --owners names has a line that is not a path with names.",
    "Write a path, where * stands for any text, and names such as @maya or @acme/platform.",
  ],
  saved_plan_not_found: [
    "The file of the saved plan does not exist or can't be read.",
    "Check the path; `steward plan --out FILE` writes one.",
  ],
  saved_plan_not_written: [
    "The plan can't be written to the file that --out names.",
    "Name a file in an existing, writable folder.",
  ],
  saved_plan_invalid: [
    "The file is not a saved plan of steward.",
    "Name a file that `steward plan --out FILE` wrote.",
  ],
  saved_plan_damaged: [
    "The saved plan is damaged: part of it is missing or changed, or has another format.",
    "Plan again, and copy the complete file.",
  ],
  saved_plan_version: [
    "The plan was saved by another version of steward.",
    "Apply it with the version that created it, or plan again.",
  ],
  saved_plan_state_moved_on: ["The state has changed since the plan was saved.", "Plan again."],
  saved_plan_configuration_moved_on: [
    "The configuration has changed since the plan was saved.",
    "Plan again, or restore the code that was planned.",
  ],
  saved_plan_other_service: [
    "The provider is configured for another service than when the plan was saved.",
    "Check STEWARD_BASE_URL and the provider's base_url, or plan again.",
  ],
  saved_plan_variable: [
    "A variable has no value, or another value than when the plan was saved.",
    "Set sensitive variables, and variables that configure a provider, to the same values again, and omit all others.",
  ],
  saved_plan_service_moved_on: [
    "What the saved plan changes is not on the service as the file recorded it: somebody changed the settings since then, or the file.",
    "Plan again.",
  ],
  saved_plan_differs: [
    "A new plan of the same configuration and state differs from the saved one: the file, or an input of the plan, was changed.",
    "Plan again, and protect the file against changes by others.",
  ],
  saved_plan_outside: [
    "The saved plan names a configuration or state outside of the working folder.",
    "Pass the --config and --state that were passed to `steward plan`.",
  ],
  saved_plan_not_applicable: [
    "The saved plan has errors and can't be applied.",
    "Fix the errors that `steward show FILE` prints, and plan again.",
  ],
} as const;
