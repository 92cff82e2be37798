/** Codes that the blocks around a configuration's resources raise: `import`, `moved`, `removed`, `check`, `terraform_remote_state`. */
export const BLOCK_CODES = {
  import_block_invalid: {
    meaning: "An import block is invalid.",
    remedy: "Correct the argument that the message names; target and id must be known at plan.",
  },
  move_invalid: {
    meaning: "A moved block contradicts the declarations, or another moved block.",
    remedy: "Change the block, or the declaration that the message names.",
  },
  move_blocked: {
    meaning: "A moved block names a new address that already has another object.",
    remedy: "Free the address with `steward state mv` or `steward state rm`, or remove the block.",
  },
  move_not_targeted: {
    meaning:
      "Objects have moved to new addresses, or have new owners, and --target or --exclude leaves these out.",
    remedy: "Add the options that the message names, or plan without --target and --exclude.",
  },
  removal_invalid: {
    meaning: "A removed block names a resource that is still declared.",
    remedy: "Remove the declaration or the removed block.",
  },
  check_open: {
    meaning: "A check refers to values that are known only after apply.",
    remedy: "No action needed: the apply evaluates the check.",
  },
  remote_state_missing: {
    meaning: "A terraform_remote_state names a state that does not exist.",
    remedy: "Apply the stack that writes it first, or both in one command.",
  },
  remote_state_unsupported: {
    meaning:
      "A terraform_remote_state names a backend, or a workspace, that the embedded engine does not read.",
    remedy: "Use the backends local or http, or run Terraform: `steward exec -- terraform plan`.",
  },
  objects_forgotten: {
    meaning: "The apply removes objects from the state and leaves them unchanged on the service.",
    remedy: "No action needed if this is intended; to manage them again, import them.",
  },
} as const;
