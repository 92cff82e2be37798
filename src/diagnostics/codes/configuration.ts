/** Codes that loading, evaluating, planning and applying a configuration raise. */
export const CONFIGURATION_CODES = {
  configuration_not_found: {
    meaning: "The folder or file has no configuration.",
    remedy: "Run `steward synth`, or name the folder or file with --config.",
  },
  configuration_invalid: {
    meaning: "The configuration is not valid Terraform JSON.",
    remedy: "Correct what the message names; for a cdktf app, synthesize again.",
  },
  configuration_unsupported: {
    meaning: "The configuration uses a feature that the embedded engine does not support.",
    remedy: "Remove it, or run Terraform with this provider: `steward exec -- terraform plan`.",
  },
  invalid_expression: {
    meaning: "An expression can't be parsed or evaluated.",
    remedy: "Correct the expression at the attribute that the message names.",
  },
  unknown_type: {
    meaning: "The configuration declares a resource or data source that the provider does not have.",
    remedy: "Check the spelling; `steward schema` lists all types.",
  },
  unknown_provider: {
    meaning: "The configuration uses a provider that the embedded engine does not include.",
    remedy:
      "Check the source in required_providers; for configurations with other providers run Terraform: `steward exec -- terraform plan`.",
  },
  unknown_attribute: {
    meaning: "The declaration sets an attribute that the schema does not have.",
    remedy: "Check the spelling; `steward schema` lists all attributes.",
  },
  wrong_type: {
    meaning: "A value does not have the type of its attribute.",
    remedy: "Set a value of the type that the message names.",
  },
  undeclared_reference: {
    meaning: "An expression refers to something that the configuration does not declare.",
    remedy: "Check the spelling, or declare it.",
  },
  dependency_cycle: {
    meaning: "Declarations depend on each other in a cycle.",
    remedy: "Remove one of the references of the cycle.",
  },
  missing_variable: {
    meaning: "A variable without a default has no value.",
    remedy: "Set it with --var NAME=VALUE, in a --var-file, or as TF_VAR_NAME.",
  },
  invalid_variable: {
    meaning: "A value given for a variable does not fit its declaration.",
    remedy: "Give a value of the declared type.",
  },
  undeclared_variable: {
    meaning: "A value was given for a variable that the configuration does not declare.",
    remedy: "Declare the variable, or remove the value.",
  },
  ephemeral_value: {
    meaning: "An ephemeral value is used where it would be stored in the state or a plan.",
    remedy: "Use it in the configuration of a provider, or replace it by null with `ephemeralasnull()`.",
  },
  invalid_repetition: {
    meaning: "The value of count or for_each is invalid.",
    remedy: "Use a whole number that is known at plan for count, a map or a set of strings for for_each.",
  },
  condition_failed: {
    meaning: "A precondition or postcondition failed.",
    remedy: "The configuration defines the message: correct what it names.",
  },
  invalid_condition: {
    meaning: "A condition is not a boolean, or its error message can't be shown.",
    remedy: "Correct the expression at the attribute that the message names.",
  },
  destroy_prevented: {
    meaning: "The plan would destroy an object whose declaration has prevent_destroy.",
    remedy: "Remove prevent_destroy, or undo the change that destroys the object.",
  },
  invalid_lifecycle: {
    meaning:
      "The lifecycle block names an attribute or resource that does not exist, or that it may not name.",
    remedy: "Check the spelling of what the message names.",
  },
  unknown_target: {
    meaning: "An address given with --target or --exclude is not in the configuration or the state.",
    remedy: "Check the address; `steward show` lists those in the state.",
  },
  provider_version_unmet: {
    meaning: "The configuration requires another release of the provider.",
    remedy: "Install a release that meets the constraint, or change the constraint.",
  },
  target_unmet: {
    meaning: "An address given with --target has a key that no instance has: it targets nothing.",
    remedy: "Check the key; `steward show` lists the objects in the state.",
  },
  invalid_replacement: {
    meaning: "The value of --replace is not the address of an instance of a managed resource.",
    remedy: "Check the address; `steward show` lists those in the state.",
  },
  replacement_unmet: {
    meaning: "An address given with --replace names no object: it replaces nothing.",
    remedy: "Use the address of an instance, with its key if there are several; the message lists them.",
  },
  targeting_in_effect: {
    meaning:
      "The plan covers only the objects that --target names and their dependencies, or leaves out those that --exclude names and what depends on them.",
    remedy: "Plan again without --target and --exclude afterwards.",
  },
  targeting_incomplete: {
    meaning:
      "The apply covered only what --target names, or not what --exclude names: other declared changes may be left.",
    remedy: "Plan without --target and --exclude.",
  },
  import_not_declared: {
    meaning: "The configuration does not declare the address of an import.",
    remedy: "Declare the resource first, then import.",
  },
  import_to_be_replaced: {
    meaning:
      "The key of the imported object differs from the declared one: the next plan replaces the object.",
    remedy:
      "Declare the object's key; or remove the object from the state with `steward state rm`, and import another one.",
  },
  import_already_managed: {
    meaning: "The state already has an object at the address of an import.",
    remedy: "Remove the object from the state first with `steward state rm`.",
  },
  inconsistent_plan: {
    meaning: "With all values known, the plan of an object differs from the one shown.",
    remedy: "Plan again; if the error persists, report it as a bug of steward.",
  },
  sensitive_output: {
    meaning: "An output with a sensitive value is not marked as sensitive.",
    remedy: "Set sensitive = true on the output.",
  },
  dependency_failed: {
    meaning: "Skipped: a dependency failed.",
    remedy: "Fix the failed dependency, and run again.",
  },
  interrupted: {
    meaning:
      "A signal interrupted the run: it started no further change, finished the changes in progress and saved them.",
    remedy: "Run the command again to continue.",
  },
  internal_error: {
    meaning: "A bug of steward.",
    remedy: "Run again with STEWARD_LOG=debug and report the output.",
  },
} as const;

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
