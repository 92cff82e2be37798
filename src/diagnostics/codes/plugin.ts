/** Codes that `src/plugin` raises. */
export const PLUGIN_CODES = {
  number_not_exact: {
    meaning: "A number in the configuration has too many digits to be stored exactly.",
    remedy: "Write it with at most 15 digits.",
  },
  state_too_old: {
    meaning: "The state of a resource has the format of Terraform before 0.12, which is not supported.",
    remedy:
      "Upgrade it once with `terraform apply -refresh-only` of Terraform 0.12, or import the object again.",
  },
  not_provided: {
    meaning: "Terraform requested a type that this provider does not have.",
    remedy: "Report it with the trace log: the provider's schema does not contain the type.",
  },
} as const;
