/** Codes that `src/cli` raises. */
export const CLI_CODES = {
  invalid_arguments: [
    "A command, option or argument of the command line is unknown, malformed, or doesn't go with another.",
    "See the message and `steward COMMAND --help`.",
  ],
  project_not_declared: [
    "`explain` found no setting of the project in any stack.",
    "Check the path of the project, and the group, topics and exceptions of the fleet.",
  ],
  program_not_started: [
    "The program that `steward exec` should run does not exist or can't be executed.",
    "Install the program, put its folder on PATH, or correct its name.",
  ],
  reattach_invalid: [
    "TF_REATTACH_PROVIDERS is set to a value that is not a JSON object of providers.",
    "Correct the variable, or unset it.",
  ],
  access_of_another_service: [
    "`report --access` would read another service than the one that the plan is for.",
    "Set STEWARD_BASE_URL to the service of the plan, or leave out --access.",
  ],
  plan_json_invalid: [
    "The input of --plan-json can't be read, or is not the output of `terraform show -json PLAN`.",
    "Save a plan with `terraform plan -out=FILE`, and pass the output of `terraform show -json FILE`.",
  ],
  policy_violated: [
    "A plan violates a rule of a policy: an error if the rule is mandatory, a warning if it is advisory.",
    "Change the configuration as the rule says, and plan again.",
  ],
  policy_undecided: [
    "A rule of a policy reads a value that is sensitive, or known only after apply.",
    "Declare a literal value, or let the rule ask for `unknown` and `sensitive` of the change before it reads the attribute.",
  ],
  policy_unchecked: [
    "Rules of the app would not be checked: no policy module exports them, or cdktf.json names a module and the command runs no app.",
    "Name the module with --policy, or as `policy` in cdktf.json.",
  ],
  policy_unusable: [
    "A policy module can't be loaded, exports no list of rules, or one of its rules failed.",
    "Correct the module: it exports a list of rules, each with name, why, and check(project) or checkChange(change, plan).",
  ],
  references_not_comparable: [
    "Two provider configurations of a plan given with --plan-json name projects or groups by number and by path, and nothing in the plan tells whether they are the same.",
    "Name them in the same way in both, by number or by path.",
  ],
  plan_errored: [
    "The plan given with --plan-json comes from a failed run of Terraform or OpenTofu.",
    "Fix the errors that the program reported, and plan again.",
  ],
  report_unwritable: [
    "A report, or the page of `steward history`, can't be written.",
    "Create its folder, grant write permission, or name another file.",
  ],
  report_unusable: [
    "A file of `steward report merge` can't be read, or is no JSON report of format 1.x.",
    "Give the JSON reports that the jobs wrote with --report FILE.json.",
  ],
  reports_do_not_fit: [
    "The reports of `steward report merge` are no parts of one run: two have the same stack, or they are of different commands, releases, services or apps.",
    "Give the reports of the jobs of one run, each once.",
  ],
  shard_missing: [
    "The joined reports lack a shard, so nothing is known of its stacks.",
    "Look at the job that wrote no report, run it again, and join all reports.",
  ],
  history_unreadable: [
    "The folder of `steward history` can't be read, or contains no drift report.",
    "Name the folder where the runs of `steward drift --report FILE.json` put their reports.",
  ],
  history_file_skipped: [
    "A JSON file in the folder of `steward history` is not a report, or is damaged. The history is made without it.",
    "Remove the file, or restore it from the artifacts of its run.",
  ],
  invalid_ignore_file: [
    "The file that --ignore or --waivers names can't be read, or holds no valid waivers.",
    "Correct the entry that the message names; each has a rule or a setting, a project, a reason, an owner and a last day.",
  ],
  ignore_file_outdated: [
    "The ignore file has the format of releases before 0.2.0, which 0.3 is the last to read.",
    "Write the entries as the message shows them, each with an owner and an end.",
  ],
  waiver_ended: [
    "A waiver has ended: what it accepted is reported again.",
    "Fix what it was for, or give it another day.",
  ],
  waiver_unmatched: [
    "A waiver names a setting or a rule that the run did not meet.",
    "Correct its setting, attribute or rule, or remove it.",
  ],
  wave_differs: [
    "A wave of `apply --wave` has other changes than the plan that was approved.",
    "Plan and apply again: what the waves before did is done.",
  ],
  accept_refused: [
    "The values of `drift --accept` loosen the code, or the app can't be synthesized with them, such as for the floor of a fleet.",
    "Leave the value out with --exclude or --attribute, or give --allow-loosening if it is right.",
  ],
  waiver_refused: [
    "The option --waive names a rule that can't be waived, or that neither a policy nor the app has.",
    "Correct the name, or fix what the rule finds.",
  ],
  ignore_expired: [
    "An entry of the ignore file has expired and has no effect.",
    "Fix the difference, or extend the date.",
  ],
  ignore_unmatched: [
    "An entry of the ignore file matches nothing that the run checked.",
    "Correct its object or attribute, or remove the entry.",
  ],
  invalid_since_file: [
    "The file that --since names can't be read, or is not a report of `steward drift`.",
    "Pass the JSON report of an earlier run; omit --since in the first run.",
  ],
  imports_not_written: [
    "The file of `--write-imports` or `--write-moves` can't be written.",
    "Give a path in an existing, writable folder.",
  ],
  import_id_sensitive: [
    "The id of an object to import contains a sensitive value, so that `--write-imports` leaves out its block.",
    "Write the block by hand, with the variable in the place of the value.",
  ],
  limit_exceeded: [
    "A plan would delete, change or import more objects than --max-deletes, --max-changes or --max-imports allows.",
    "Review the plan; if it is intended, raise the limit.",
  ],
  app_unknown: [
    "There is no app to synthesize: the working folder has no cdktf.json, or the file has no `app`.",
    "Run steward in the folder of cdktf.json, or set --app or STEWARD_APP; use --config for a configuration that is already synthesized.",
  ],
  app_failed: ["The app exited with an error.", "The message quotes the app's output."],
  nothing_synthesized: [
    "The app succeeded without synthesizing a stack.",
    "Check that the app creates a TerraformStack and calls app.synth() at the end.",
  ],
  app_annotation: [
    "A construct of the app attached a warning or an error to itself.",
    "The message quotes the annotation.",
  ],
  unknown_stack: [
    "The app has no stack with the name given by --stack.",
    "Use one of the names that the message lists.",
  ],
  stack_cycle: ["Stacks depend on each other in a cycle.", "Remove one of the dependencies from the app."],
  backend_unsupported: [
    "The embedded engine does not support the backend of the configuration.",
    "Use the backend `local` or `http`, or `--state FILE`, or run Terraform on the configuration.",
  ],
  variable_file_invalid: [
    "A file with values of variables can't be read, or is not JSON.",
    "Write the values as a JSON object in a file that ends in .tfvars.json or .json.",
  ],
  approval_needed: [
    "A change needs approval, and there is no terminal to ask for it.",
    "Review `steward plan`, then pass --auto-approve.",
  ],
  state_not_found: [
    "The named state file does not exist.",
    "Check the path; the first apply writes the state.",
  ],
  output_not_found: [
    "The state has no output with this name.",
    "Use one of the names that the message lists; outputs appear after an apply.",
  ],
  output_not_raw: [
    "`--raw` prints only strings, numbers and booleans, and the output has another type.",
    "Use --json.",
  ],
  service_not_started: ["The embedded service can't be started.", "See the message."],
  adoption_folder_not_empty: [
    "The folder for an adoption has files that no earlier adoption wrote. Nothing was written.",
    "Give a new folder with --out.",
  ],
  new_app_file_exists: [
    "The folder for a new app has files that `steward init` would write. Nothing was written.",
    "Give a new folder.",
  ],
  new_app_not_written: ["The files of a new app can't be written.", "Check the path and its permissions."],
  adopted_file_edited: [
    "An adoption would overwrite a file that was edited since an earlier one. Nothing was written.",
    "Adopt into a new folder and compare.",
  ],
  adoption_not_written: [
    "The folder of an adoption can't be read or written.",
    "See the message; check the path and its permissions.",
  ],
  nothing_to_adopt: [
    "No project or group was found to adopt. Nothing was written.",
    "Check the names, --topic and --search, and that the token's user is a member.",
  ],
  adoption_incomplete: [
    "Some live settings could not be read, so an earlier adoption was left as it is.",
    "See the other errors, and adopt again.",
  ],
  settings_not_readable: [
    "The token may not read some live settings, which are not declared.",
    "Use the token of a user with the role that the message names, and adopt again.",
  ],
  nothing_to_snapshot: [
    "No project or group matches the selection of `steward snapshot`. Nothing was written.",
    "Check the names, --topic and --search, and that the token's user is a member.",
  ],
  snapshot_partial: [
    "The token may not read some settings of the selection, and the snapshot lacks them.",
    "Use the token of a user with the role that the message names. The file's comments list what it lacks.",
  ],
  snapshot_incomplete: [
    "Some settings of the selection could not be read.",
    "Take the snapshot again. An earlier snapshot is kept; --force replaces it by the incomplete one.",
  ],
  snapshot_not_replaced: [
    "The file of --out is not a snapshot. Nothing was read or written.",
    "Name another file, or replace this one with --force.",
  ],
  snapshot_unwritable: [
    "The snapshot can't be written.",
    "Create the folder of --out, grant write permission, or name another file.",
  ],
  snapshot_not_loadable: [
    "The embedded service refuses the snapshot: the live settings contain what a fixture can't hold.",
    "Correct the line that the message names, and report it as a bug.",
  ],
  mirror_not_written: [
    "The mirror for Terraform and OpenTofu can't be written.",
    "See the message; name a writable folder, and an executable of this provider.",
  ],
  mirror_needs_executable: [
    "A mirror for Windows needs an executable: Terraform on Windows can't start a script.",
    "Pass the single executable of the release for Windows with --executable.",
  ],
  plugin_not_built: [
    "The plugin for the mirror is not built, or is older than its source.",
    "Run `npm run build` in the checkout.",
  ],
} as const;
