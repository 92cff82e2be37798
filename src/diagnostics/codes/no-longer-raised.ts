/** Codes of the previous release that nothing raises now. The next release removes them. */
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
    remedy: "Use `steward exec -- terraform init`, which shows the program's output.",
  },
  engine_failed: {
    meaning: "Terraform or OpenTofu failed under --engine.",
    remedy: "Use `steward exec`, which passes the program's output and exit code through.",
  },
} as const;
