/** Codes that the blocks around a configuration's resources raise: `import`, `moved`, `removed`, `check`, `terraform_remote_state`. */
export const BLOCK_CODES = {
  import_block_invalid: {
    meaning: "An import block can't be carried out as it is written.",
    remedy: "Mend the argument that the message names; target and id have to be known when the plan is made.",
  },
  move_invalid: {
    meaning: "A moved block contradicts the declarations, or another moved block.",
    remedy: "Change the block, or the declaration that the message names.",
  },
  move_blocked: {
    meaning: "A moved block names a new address at which there is another object already.",
    remedy: "Free the address with `steward state mv` or `steward state rm`, or take the block out.",
  },
  move_not_targeted: {
    meaning:
      "Objects have moved to new addresses, or are taken over by others, and --target leaves these out.",
    remedy: "Add the targets that the message names, or plan without --target.",
  },
  removal_invalid: {
    meaning: "A removed block names a resource that is still declared.",
    remedy: "Remove the declaration or the removed block.",
  },
  check_open: {
    meaning: "A check refers to values that are known after apply only.",
    remedy: "Nothing: it is checked when the plan is applied.",
  },
  remote_state_missing: {
    meaning: "A terraform_remote_state names a state that is not there.",
    remedy: "Apply the stack that keeps it first, or both in one command.",
  },
  remote_state_unsupported: {
    meaning:
      "A terraform_remote_state names a backend, or a workspace, that the embedded engine does not read.",
    remedy: "Use the backends local or http, or run Terraform: `steward exec -- terraform plan`.",
  },
  objects_forgotten: {
    meaning: "Applying takes objects out of the state and leaves them as they are on the service.",
    remedy: "Nothing, if that is meant; to manage them again, import them.",
  },
} as const;
