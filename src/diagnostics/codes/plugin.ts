/** Codes that `src/plugin` raises. */
export const PLUGIN_CODES = {
  number_not_exact: {
    meaning: "A number in the configuration has more digits than can be kept exactly.",
    remedy: "Write it with at most 15 digits.",
  },
  state_too_old: {
    meaning:
      "The state of a resource was written by a Terraform before 0.12, in a format that is read no more.",
    remedy: "Run `terraform apply -refresh-only` with Terraform 0.12 on it once, or import the object anew.",
  },
  not_provided: {
    meaning: "Terraform asked for a kind of thing that this provider has none of.",
    remedy: "Report it with the trace log, as the schema announces none.",
  },
} as const;
