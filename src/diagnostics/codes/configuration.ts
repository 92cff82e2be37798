/** Codes that loading, evaluating, planning and applying a configuration raise. */
export const CONFIGURATION_CODES = {
  configuration_not_found: [
    "The folder or file has no configuration.",
    "Run `steward synth`, or name the folder or file with --config.",
  ],
  configuration_invalid: [
    "The configuration is not valid Terraform JSON.",
    "Correct what the message names; for a cdktf app, synthesize again.",
  ],
  configuration_unsupported: [
    "The configuration uses a feature that the embedded engine does not support.",
    "Remove it, or run Terraform with this provider: `steward exec -- terraform plan`.",
  ],
  invalid_expression: [
    "An expression can't be parsed or evaluated.",
    "Correct the expression at the attribute that the message names.",
  ],
  unknown_type: [
    "The configuration declares a resource or data source that the provider does not have.",
    "Check the spelling; `steward schema` lists all types.",
  ],
  unknown_provider: [
    "The configuration uses a provider that the embedded engine does not include.",
    "Check the source in required_providers; for configurations with other providers run Terraform: `steward exec -- terraform plan`.",
  ],
  unknown_attribute: [
    "The declaration sets an attribute that the schema does not have.",
    "Check the spelling; `steward schema` lists all attributes.",
  ],
  wrong_type: [
    "A value does not have the type of its attribute.",
    "Set a value of the type that the message names.",
  ],
  undeclared_reference: [
    "An expression refers to something that the configuration does not declare.",
    "Check the spelling, or declare it.",
  ],
  dependency_cycle: [
    "Declarations depend on each other in a cycle.",
    "Remove one of the references of the cycle.",
  ],
  missing_variable: [
    "A variable without a default has no value.",
    "Set it with --var NAME=VALUE, in a --var-file, or as TF_VAR_NAME.",
  ],
  invalid_variable: [
    "A value given for a variable does not fit its declaration.",
    "Give a value of the declared type.",
  ],
  undeclared_variable: [
    "A value was given for a variable that the configuration does not declare.",
    "Declare the variable, or remove the value.",
  ],
  ephemeral_value: [
    "An ephemeral value is used where it would be stored in the state or a plan.",
    "Use it in the configuration of a provider, or replace it by null with `ephemeralasnull()`.",
  ],
  invalid_repetition: [
    "The value of count or for_each is invalid.",
    "Use a whole number that is known at plan for count, a map or a set of strings for for_each.",
  ],
  condition_failed: [
    "A precondition or postcondition failed.",
    "The configuration defines the message: correct what it names.",
  ],
  invalid_condition: [
    "A condition is not a boolean, or its error message can't be shown.",
    "Correct the expression at the attribute that the message names.",
  ],
  destroy_prevented: [
    "The plan would destroy an object whose declaration has prevent_destroy.",
    "Remove prevent_destroy, or undo the change that destroys the object.",
  ],
  invalid_lifecycle: [
    "The lifecycle block names an attribute or resource that does not exist, or that it may not name.",
    "Check the spelling of what the message names.",
  ],
  unknown_target: [
    "An address given with --target or --exclude is not in the configuration or the state.",
    "Check the address; `steward show` lists those in the state.",
  ],
  provider_version_unmet: [
    "The configuration requires another release of the provider.",
    "Install a release that meets the constraint, or change the constraint.",
  ],
  target_unmet: [
    "An address given with --target has a key that no instance has: it targets nothing.",
    "Check the key; `steward show` lists the objects in the state.",
  ],
  invalid_replacement: [
    "The value of --replace is not the address of an instance of a managed resource.",
    "Check the address; `steward show` lists those in the state.",
  ],
  replacement_unmet: [
    "An address given with --replace names no object: it replaces nothing.",
    "Use the address of an instance, with its key if there are several; the message lists them.",
  ],
  targeting_in_effect: [
    "The plan covers only the objects that --target names and their dependencies, or leaves out those that --exclude names and what depends on them.",
    "Plan again without --target and --exclude afterwards.",
  ],
  targeting_incomplete: [
    "The apply covered only what --target names, or not what --exclude names: other declared changes may be left.",
    "Plan without --target and --exclude.",
  ],
  import_not_declared: [
    "The configuration does not declare the address of an import.",
    "Declare the resource first, then import.",
  ],
  import_to_be_replaced: [
    "The key of the imported object differs from the declared one: the next plan replaces the object.",
    "Declare the object's key; or remove the object from the state with `steward state rm`, and import another one.",
  ],
  import_already_managed: [
    "The state already has an object at the address of an import.",
    "Remove the object from the state first with `steward state rm`.",
  ],
  inconsistent_plan: [
    "With all values known, the plan of an object differs from the one shown.",
    "Plan again; if the error persists, report it as a bug of steward.",
  ],
  sensitive_output: [
    "An output with a sensitive value is not marked as sensitive.",
    "Set sensitive = true on the output.",
  ],
  dependency_failed: ["Skipped: a dependency failed.", "Fix the failed dependency, and run again."],
  interrupted: [
    "A signal interrupted the run: it started no further change, finished the changes in progress and saved them.",
    "Run the command again to continue.",
  ],
  internal_error: ["A bug of steward.", "Run again with STEWARD_LOG=debug and report the output."],
} as const;

/** Codes that the blocks around a configuration's resources raise: `import`, `moved`, `removed`, `check`, `terraform_remote_state`. */
export const BLOCK_CODES = {
  import_block_invalid: [
    "An import block is invalid.",
    "Correct the argument that the message names; target and id must be known at plan.",
  ],
  move_invalid: [
    "A moved block contradicts the declarations, or another moved block.",
    "Change the block, or the declaration that the message names.",
  ],
  move_blocked: [
    "A moved block names a new address that already has another object.",
    "Free the address with `steward state mv` or `steward state rm`, or remove the block.",
  ],
  move_not_targeted: [
    "Objects have moved to new addresses, or have new owners, and --target or --exclude leaves these out.",
    "Add the options that the message names, or plan without --target and --exclude.",
  ],
  removal_invalid: [
    "A removed block names a resource that is still declared.",
    "Remove the declaration or the removed block.",
  ],
  check_open: [
    "A check refers to values that are known only after apply.",
    "No action needed: the apply evaluates the check.",
  ],
  remote_state_missing: [
    "A terraform_remote_state names a state that does not exist.",
    "Apply the stack that writes it first, or both in one command.",
  ],
  remote_state_unsupported: [
    "A terraform_remote_state names a backend, or a workspace, that the embedded engine does not read.",
    "Use the backends local or http, or run Terraform: `steward exec -- terraform plan`.",
  ],
  objects_forgotten: [
    "The apply removes objects from the state and leaves them unchanged on the service.",
    "No action needed if this is intended; to manage them again, import them.",
  ],
} as const;
