/** Codes that `src/cli` raises. */
export const CLI_CODES = {
  invalid_arguments: {
    meaning:
      "A command, option or argument of the command line is unknown, malformed, or doesn't go with another.",
    remedy: "See the message, and the command's own page: `steward COMMAND --help`.",
  },
  program_not_started: {
    meaning: "The program that `steward exec` should run is not there, or can't be executed.",
    remedy: "Install the program, put its folder on PATH, or correct its name.",
  },
  reattach_invalid: {
    meaning: "TF_REATTACH_PROVIDERS is set, and is no JSON object that this provider can be added to.",
    remedy: "Correct the variable, or unset it.",
  },
  plan_json_invalid: {
    meaning: "What --plan-json names can't be read, or is not what `terraform show -json PLAN` prints.",
    remedy: "Save a plan with `terraform plan -out=FILE`, and give what `terraform show -json FILE` prints.",
  },
  policy_violated: {
    meaning: "A project of the plan would violate a rule of --policy.",
    remedy: "Change the configuration as the rule says, and plan again.",
  },
  policy_unusable: {
    meaning:
      "The module that --policy names can't be loaded, exports no list of rules, or one of its rules failed.",
    remedy: "Correct the module: it exports a list of rules, each with name, why and check(project).",
  },
  plan_errored: {
    meaning: "The plan that --plan-json names is of a run of Terraform or OpenTofu that failed.",
    remedy: "Mend what that program reported, and plan again.",
  },
  report_unwritable: {
    meaning: "The file that --report names can't be written.",
    remedy: "Create its folder, give the right to write there, or name another file.",
  },
  invalid_ignore_file: {
    meaning: "The file that --ignore names can't be read, or is not a list of what to ignore.",
    remedy: "Correct the entry that the message names; each has an object and a reason.",
  },
  ignore_expired: {
    meaning: "An entry of the ignore file counts no longer, because its day has passed.",
    remedy: "Fix the difference, or extend the date.",
  },
  ignore_unmatched: {
    meaning: "An entry of the ignore file names nothing that the run looked at.",
    remedy: "Correct its object or attribute, or take the entry out.",
  },
  invalid_since_file: {
    meaning: "The file that --since names can't be read, or holds no run of `steward drift`.",
    remedy: "Give the JSON report of an earlier run, or leave --since out for the first.",
  },
  limit_exceeded: {
    meaning: "A plan would delete or change more objects than --max-deletes or --max-changes allows.",
    remedy: "Look at the plan; if it is meant, raise the limit.",
  },
  app_unknown: {
    meaning: "There is no app to synthesize: no cdktf.json in the working folder, or one without `app`.",
    remedy:
      "Run steward in the folder of cdktf.json, or give --app or STEWARD_APP; give --config for a configuration that stands ready.",
  },
  app_failed: {
    meaning: "The app of cdktf.json ended with an error.",
    remedy: "See the app's own words in the message.",
  },
  nothing_synthesized: {
    meaning: "The app ended well and left no stack.",
    remedy: "Check that the app creates a TerraformStack, and calls app.synth() at its end.",
  },
  app_annotation: {
    meaning: "A construct of the app attached a warning or an error to itself.",
    remedy: "See the construct's own words in the message.",
  },
  unknown_stack: {
    meaning: "The app has no stack with the name given by --stack.",
    remedy: "Use one of the names that the message lists.",
  },
  stack_cycle: {
    meaning: "Stacks depend on each other in a circle, so that none can come first.",
    remedy: "Take one of the dependencies out of the app.",
  },
  backend_unsupported: {
    meaning: "The configuration keeps its state in a backend that the embedded engine doesn't have.",
    remedy: "Use the backend `local` or `http`, or `--state FILE`, or run Terraform on the configuration.",
  },
  variable_file_invalid: {
    meaning: "A file with values of variables can't be read, or is not JSON.",
    remedy: "Write the values as a JSON object in a file that ends in .tfvars.json or .json.",
  },
  approval_needed: {
    meaning: "A change needs a person's approval, and there is no terminal to ask on.",
    remedy: "Look at `steward plan` first, then give --auto-approve.",
  },
  state_not_found: {
    meaning: "The state file that was named isn't there.",
    remedy: "Check the path; a state is written by the first apply.",
  },
  output_not_found: {
    meaning: "The state has no output with this name.",
    remedy: "Use one of the names that the message lists; outputs appear after an apply.",
  },
  output_not_raw: {
    meaning: "`--raw` can write a text, a number or a boolean, and the output is something else.",
    remedy: "Use --json.",
  },
  service_not_started: {
    meaning: "The embedded service can't be started.",
    remedy: "See the message.",
  },
  mirror_not_written: {
    meaning: "The provider can't be written as a mirror for Terraform and OpenTofu.",
    remedy: "See the message; give a folder that can be written, and an executable that is this provider.",
  },
  mirror_needs_executable: {
    meaning: "A mirror for Windows was asked for, which starts no program that is a script.",
    remedy:
      "Build the single executable on Windows with `npm run build:executable`, and give it as --executable.",
  },
  plugin_not_built: {
    meaning: "The provider that a mirror hands out was not built, or is older than the code around it.",
    remedy: "Run `npm run build` in the checkout.",
  },
} as const;
