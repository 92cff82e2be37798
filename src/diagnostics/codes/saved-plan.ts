/** Codes that saving a plan, and applying or showing a saved one, raise. */
export const SAVED_PLAN_CODES = {
  approval_not_written: {
    meaning: "The list of changes to approve can't be written to the file that --out-approval names.",
    remedy: "Name a file in an existing, writable folder.",
  },
  approval_invalid: {
    meaning: "The file that --approved names can't be read, or is no list of approved changes.",
    remedy: "Name a file that `steward plan --out-approval FILE` wrote.",
  },
  approval_differs: {
    meaning:
      "What would be applied is not what was approved: another file than the one of the digest, other policies, a change that is not in the file, or an approved change that is neither planned nor live.",
    remedy: "Plan again with --out-approval, and approve the new digest.",
  },
  approvals_missing: {
    meaning: "Fewer people approved the changes than the run or a violated policy needs.",
    remedy: "Ask for the approvals that the message counts, then run the job again.",
  },
  ci_not_posted: {
    meaning:
      "A comment, an issue or the totals for a chat could not be posted. The exit code is that of the reported run.",
    remedy:
      "Check the token of STEWARD_COMMENT_TOKEN, its scope api and its role in the project of the pipeline, or the webhook.",
  },
  owners_invalid: {
    meaning: "The file that --owners names has a line that is not a path with names.",
    remedy: "Write a path, where * stands for any text, and names such as @maya or @acme/platform.",
  },
  saved_plan_not_found: {
    meaning: "The file of the saved plan does not exist or can't be read.",
    remedy: "Check the path; `steward plan --out FILE` writes one.",
  },
  saved_plan_not_written: {
    meaning: "The plan can't be written to the file that --out names.",
    remedy: "Name a file in an existing, writable folder.",
  },
  saved_plan_invalid: {
    meaning: "The file is not a saved plan of steward.",
    remedy: "Name a file that `steward plan --out FILE` wrote.",
  },
  saved_plan_damaged: {
    meaning: "The saved plan is damaged: part of it is missing or changed, or has another format.",
    remedy: "Plan again, and copy the complete file.",
  },
  saved_plan_version: {
    meaning: "The plan was saved by another version of steward.",
    remedy: "Apply it with the version that created it, or plan again.",
  },
  saved_plan_state_moved_on: {
    meaning: "The state has changed since the plan was saved.",
    remedy: "Plan again.",
  },
  saved_plan_configuration_moved_on: {
    meaning: "The configuration has changed since the plan was saved.",
    remedy: "Plan again, or restore the code that was planned.",
  },
  saved_plan_other_service: {
    meaning: "The provider is configured for another service than when the plan was saved.",
    remedy: "Check STEWARD_BASE_URL and the provider's base_url, or plan again.",
  },
  saved_plan_variable: {
    meaning: "A variable has no value, or another value than when the plan was saved.",
    remedy:
      "Set sensitive variables, and variables that configure a provider, to the same values again, and omit all others.",
  },
  saved_plan_service_moved_on: {
    meaning:
      "What the saved plan changes is not on the service as the file recorded it: somebody changed the settings since then, or the file.",
    remedy: "Plan again.",
  },
  saved_plan_differs: {
    meaning:
      "A new plan of the same configuration and state differs from the saved one: the file, or an input of the plan, was changed.",
    remedy: "Plan again, and protect the file against changes by others.",
  },
  saved_plan_outside: {
    meaning: "The saved plan names a configuration or state outside of the working folder.",
    remedy: "Pass the --config and --state that were passed to `steward plan`.",
  },
  saved_plan_not_applicable: {
    meaning: "The saved plan has errors and can't be applied.",
    remedy: "Fix the errors that `steward show FILE` prints, and plan again.",
  },
} as const;
