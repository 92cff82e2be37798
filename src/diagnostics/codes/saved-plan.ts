/** Codes that saving a plan, and applying or showing a saved one, raise. */
export const SAVED_PLAN_CODES = {
  saved_plan_not_found: {
    meaning: "The file of the saved plan isn't there, or can't be read.",
    remedy: "Check the path; `steward plan --out FILE` writes one.",
  },
  saved_plan_not_written: {
    meaning: "The plan can't be written to the file that --out names.",
    remedy: "Give a path in an existing, writable folder.",
  },
  saved_plan_invalid: {
    meaning: "The file is no saved plan of steward.",
    remedy: "Name a file that `steward plan --out FILE` wrote.",
  },
  saved_plan_damaged: {
    meaning:
      "The saved plan is not as steward writes it: part of it is missing, changed or of another shape.",
    remedy: "Plan again, and copy the file whole.",
  },
  saved_plan_version: {
    meaning: "The plan was saved by another version of steward.",
    remedy: "Apply it with the version that made it, or plan again.",
  },
  saved_plan_state_moved_on: {
    meaning: "The state is not the one that the saved plan was made on.",
    remedy: "Plan again.",
  },
  saved_plan_configuration_moved_on: {
    meaning: "The configuration is not the one that the saved plan was made of.",
    remedy: "Plan again, or go back to what the code was.",
  },
  saved_plan_other_service: {
    meaning: "The provider talks to another service than when the plan was saved.",
    remedy: "Check STEWARD_BASE_URL and the provider's base_url, or plan again.",
  },
  saved_plan_variable: {
    meaning: "A variable has no value, or another one, than when the plan was saved.",
    remedy:
      "Give sensitive variables, and those that a provider is configured from, again with the same values, and leave out all others.",
  },
  saved_plan_differs: {
    meaning:
      "Worked out again from the configuration and the state, the plan is not the one that the file shows: the file was changed, or something that the plan rests on.",
    remedy: "Plan again, and keep the file where nobody else can write it.",
  },
  saved_plan_outside: {
    meaning: "The saved plan names no configuration or state inside the working folder.",
    remedy: "Give --config and --state again, as they were given to `steward plan`.",
  },
  saved_plan_not_applicable: {
    meaning: "The saved plan has errors in its declarations, so that there is nothing to apply.",
    remedy: "Mend what `steward show FILE` tells, and plan again.",
  },
} as const;
