/** Codes of the release before, which nothing raises any more. The next release forgets them. */
export const NO_LONGER_RAISED = {
  engine_unavailable: {
    meaning: "The program that --engine asked for was not in the folders of PATH.",
    remedy: "Use `steward exec`, which raises `program_not_started`.",
  },
  engine_option_unsupported: {
    meaning: "An option could not be given together with --engine.",
    remedy: "Use `steward exec`, which passes all options on to the program.",
  },
  engine_init_failed: {
    meaning: "Terraform or OpenTofu could not initialize a stack under --engine.",
    remedy: "Use `steward exec -- terraform init`, which shows the program's own words.",
  },
  engine_failed: {
    meaning: "Terraform or OpenTofu failed under --engine.",
    remedy: "Use `steward exec`, which passes on the program's own words and exit code.",
  },
} as const;
