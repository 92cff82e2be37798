/** Codes that loading, evaluating, planning and applying a configuration raise. */
export const CONFIGURATION_CODES = {
  configuration_not_found: {
    meaning: "There is no configuration where one was looked for.",
    remedy: "Run `steward synth`, or name the folder or file with --config.",
  },
  configuration_invalid: {
    meaning: "The configuration is not valid Terraform JSON.",
    remedy: "Mend what the message names; for a cdktf app, synthesize again.",
  },
  configuration_unsupported: {
    meaning: "The configuration uses something that the embedded engine does not do.",
    remedy: "Leave it out, or run Terraform with this provider: `steward exec -- terraform plan`.",
  },
  invalid_expression: {
    meaning: "An expression can't be parsed or evaluated.",
    remedy: "Mend the expression at the attribute that the message names.",
  },
  unknown_type: {
    meaning: "The configuration declares a resource or data source that the provider does not have.",
    remedy: "Check the spelling; `steward schema` lists all types.",
  },
  unknown_provider: {
    meaning: "The configuration uses a provider that the embedded engine does not bring.",
    remedy:
      "Check the source in required_providers; for configurations with other providers run Terraform: `steward exec -- terraform plan`.",
  },
  unknown_attribute: {
    meaning: "The declaration sets an attribute that the schema does not have.",
    remedy: "Check the spelling; `steward schema` lists all attributes.",
  },
  wrong_type: {
    meaning: "A value is of another type than the attribute's.",
    remedy: "Give a value of the type that the message names.",
  },
  undeclared_reference: {
    meaning: "An expression refers to something that the configuration does not declare.",
    remedy: "Check the spelling, or declare what is referred to.",
  },
  dependency_cycle: {
    meaning: "Declarations depend on each other in a circle.",
    remedy: "Take one of the references of the circle out.",
  },
  missing_variable: {
    meaning: "A variable without a default got no value.",
    remedy: "Give it with --var NAME=VALUE, in a --var-file, or as TF_VAR_NAME.",
  },
  invalid_variable: {
    meaning: "A value given for a variable does not fit its declaration.",
    remedy: "Give a value of the declared type.",
  },
  undeclared_variable: {
    meaning: "A value was given for a variable that the configuration does not declare.",
    remedy: "Declare the variable, or take the value away.",
  },
  invalid_repetition: {
    meaning: "The value of count or for_each can't be used.",
    remedy: "Use a whole number that is known at plan for count, a map or a set of strings for for_each.",
  },
  condition_failed: {
    meaning: "A precondition or postcondition is not true.",
    remedy: "The message is the configuration's own: mend what it names.",
  },
  invalid_condition: {
    meaning: "A condition gives no true or false, or its error message can't be shown.",
    remedy: "Mend the expression at the attribute that the message names.",
  },
  destroy_prevented: {
    meaning: "The plan would destroy an object whose declaration has prevent_destroy.",
    remedy: "Take prevent_destroy out, or change what asks for the object's end.",
  },
  invalid_lifecycle: {
    meaning: "The lifecycle block names something that the resource does not have, or may not name.",
    remedy: "Check the spelling of what the message names.",
  },
  unknown_target: {
    meaning: "An address given with --target is not in the configuration or the state.",
    remedy: "Check the address; `steward show` lists those in the state.",
  },
  provider_version_unmet: {
    meaning: "The configuration asks for another release of the provider than the one that runs.",
    remedy: "Install a release that meets the constraint, or change the constraint.",
  },
  target_unmet: {
    meaning: "An address given with --target has a key that no instance has: nothing is done for it.",
    remedy: "Check the key; `steward show` lists the objects in the state.",
  },
  invalid_replacement: {
    meaning: "What was given with --replace is no address of a managed resource's instance.",
    remedy: "Check the address; `steward show` lists those in the state.",
  },
  replacement_unmet: {
    meaning: "An address given with --replace names no object: nothing is replaced for it.",
    remedy: "Give the address of an instance, with its key where there are several; the message lists them.",
  },
  targeting_in_effect: {
    meaning: "The plan is about the objects that --target names, and what they depend on, alone.",
    remedy: "Plan without --target afterwards.",
  },
  targeting_incomplete: {
    meaning: "What was applied was planned with --target, so that something declared may be left to do.",
    remedy: "Plan without --target.",
  },
  import_not_declared: {
    meaning: "An import was asked for at an address that the configuration does not declare.",
    remedy: "Declare the resource first, then import.",
  },
  import_to_be_replaced: {
    meaning: "An object was imported whose key is not the declared one: the next plan replaces it.",
    remedy:
      "Declare what the object has; or drop it from the state with `steward state rm`, and import another one.",
  },
  import_already_managed: {
    meaning: "An import was asked for at an address that the state holds an object for.",
    remedy: "Drop the object from the state first with `steward state rm`.",
  },
  inconsistent_plan: {
    meaning: "Once all values were known, the plan of an object became another than the one shown.",
    remedy: "Plan again; if it comes again, report it as a fault of steward.",
  },
  sensitive_output: {
    meaning: "An output shows a sensitive value and does not say that it is sensitive.",
    remedy: "Set sensitive on the output.",
  },
  dependency_failed: {
    meaning: "Something was not done, because what it depends on failed.",
    remedy: "Mend what failed first, and run again.",
  },
  interrupted: {
    meaning:
      "A signal interrupted the run: nothing more was begun, and what was under way was finished and saved.",
    remedy: "Run the command again to continue.",
  },
  internal_error: {
    meaning: "A fault of steward itself.",
    remedy: "Run again with STEWARD_LOG=debug and report what it prints.",
  },
} as const;
