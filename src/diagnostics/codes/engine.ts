/** Codes that `src/engine` raises. */
export const ENGINE_CODES = {
  provider_settings_unknown: [
    "`drift --state` found an object of an aliased provider configuration or of one in a module, whose settings are in no state.",
    "Check it with its configuration: `steward exec -- terraform plan`.",
  ],
  other_providers: [
    "The state given to `drift --state` holds objects of other providers, which were not checked.",
    "Check them with their configuration: `steward exec -- terraform plan`.",
  ],
  fleet_shrinks: [
    "The list of a fleet's projects is empty, or lacks more than a tenth of those that the state holds.",
    "Check the selection and what the token's user can see. If the projects have left, give their number: `--allow-leaving N`.",
  ],
  fleet_list_incomplete: [
    "The list of a fleet lacks a project that can be read and that its selection still covers.",
    "Plan again. If it stays so, check the role of the token's user in the group that is listed.",
  ],
  state_empty: [
    "The state file is empty although it has a backup, or `drift --state` was given an empty state.",
    "Restore the copy beside it that ends in `.backup`, or delete the file to start a new state. For `drift --state`, check the command that wrote the state.",
  ],
  state_not_json: [
    "The state file is damaged, or is not a state.",
    "Check the path; restore the backup beside it or an older version from your state storage.",
  ],
  state_version_newer: [
    "The state has a newer format than this release supports.",
    "Use a newer release, or run the Terraform that wrote it: `steward exec -- terraform plan`.",
  ],
  state_version_older: [
    "The state has the format of an old Terraform release.",
    "Upgrade it once with `terraform apply -refresh-only` of Terraform 1.x.",
  ],
  state_damaged: [
    "A field of the state is missing or invalid.",
    "Restore the backup beside it or an older version from your state storage.",
  ],
  state_disk_full: [
    "The disk is full: the state can't be saved.",
    "Free space on the disk, or raise the quota, and run the command again.",
  ],
  state_not_permitted: [
    "The user may not read or write the state's file or folder.",
    "Grant the permission, or choose another path with `--state`.",
  ],
  state_folder_missing: [
    "The folder of the state does not exist.",
    "Create the folder, or correct the path.",
  ],
  state_not_a_file: [
    "The path of the state, its backup, its journal or its lock is a folder, a pipe, a socket, a device or a broken link.",
    "Correct the path, or remove what is at the path.",
  ],
  state_too_large: [
    "The state or its journal exceeds the size limit.",
    "Check the path: no state that Steward writes is that large.",
  ],
  state_io_failed: [
    "The file system failed while the state was read, saved or locked.",
    "Check the disk or the mount, and run the command again.",
  ],
  state_moved_on: [
    "Another process wrote the state after this run had read it.",
    "Find the process that writes the state without a lock, and run the command again.",
  ],
  state_copy_differs: [
    "A copied state, read back from its new place, is not the state that was written there.",
    "Keep using the old place, and find out what writes to the new one or why it does not keep what it accepts.",
  ],
  state_left_in_file: [
    "The backend of a stack holds no state yet, and the file where the stack kept its state before does.",
    "Copy it with `steward state migrate`, or move the file away if it is not this stack's.",
  ],
  state_lineage_differs: [
    "The state to save and the existing state have different lineages.",
    "Check the path of the state; to replace the existing state, move its file away first, or give `state push` --force.",
  ],
  provider_source_invalid: [
    "An argument of `state replace-provider` is not a provider's source address.",
    "Give HOST/NAMESPACE/TYPE, as `required_providers` has it.",
  ],
  state_serial_older: [
    "The state to push is not newer than the existing one, and differs from it.",
    "Pull the existing state and make the change in it; --force replaces it anyway.",
  ],
  state_not_saved: [
    "The state could not be saved; the journal beside it contains the changes of the run.",
    "Fix the cause, and run again: the next run recovers the changes from the journal.",
  ],
  journal_damaged: [
    "The journal of an interrupted run is damaged.",
    "Restore it, or move it away and import the objects that the state lacks.",
  ],
  journal_newer: [
    "The journal was written by a newer release.",
    "Run that release, which recovers the pending changes.",
  ],
  journal_of_another_state: [
    "The journal of an interrupted run belongs to another state.",
    "Restore the state that it belongs to, or move the journal away.",
  ],
  journal_without_state: [
    "The state that the journal of an interrupted run belongs to is missing.",
    "Restore the state or its backup; to start a new state, move the journal away.",
  ],
  journal_overtaken: [
    "The state is newer than the journal of an interrupted run.",
    "If that run could write its journal, find the process that ignores the lock; check the objects that the message names.",
  ],
  journal_not_settled: [
    "The outcome of some changes of an interrupted run is unknown.",
    "Fix what the other messages name, and run again.",
  ],
  object_not_settled: [
    "The outcome of an interrupted change to one object is unknown: nothing is sent for the object until it is known.",
    "Fix what the other messages name, and run again.",
  ],
  object_of_two_stacks: [
    "Two stacks of one app declare the same object, or one declares an object that is still in the state of another.",
    "Keep one declaration, and move the object to its stack with the command that the message names.",
  ],
  stack_known_in_part: [
    "A stack that is not planned could not be compared completely, because the run sends no requests for it.",
    "Plan the stacks together, without `--stack`, to compare them completely.",
  ],
  state_move_open: [
    "A move of an object from the state of one stack to the state of another was interrupted.",
    "Run the `steward state mv` command that the message names: it finishes the move.",
  ],
  state_move_lost: [
    "A move between two states was interrupted, and neither state contains the object now.",
    "Move the journals that the message names away, and import the object again with `steward import`.",
  ],
  journal_address_taken: [
    "The address of the journal contains a state.",
    "Set a separate address for the journal with TF_HTTP_JOURNAL_ADDRESS.",
  ],
  state_http_configuration: [
    'The settings of the "http" backend are missing or wrong.',
    "Correct the setting that the message names, in the backend block or as TF_HTTP_*.",
  ],
  state_plain_http_refused: [
    "An address of the state storage is plain http on another machine: the credentials and the state would travel unencrypted.",
    "Use https, or allow this host with STEWARD_STATE_ALLOW_PLAIN_HTTP.",
  ],
  state_http_timeout: [
    "The state storage did not respond in time. A write may have been executed.",
    "Check the server and the network, or raise STEWARD_STATE_TIMEOUT.",
  ],
  state_http_too_large: [
    "The response of the state storage exceeds the size limit.",
    "Check the address, or raise STEWARD_STATE_MAX_BYTES.",
  ],
  state_http_unreachable: [
    "The state storage does not respond.",
    "Check the address, the network and the certificates, and run the command again.",
  ],
  state_http_refused: [
    "The state storage rejects the credentials.",
    "Check the backend's user and password, and the permissions of the user.",
  ],
  state_http_failed: [
    "The state storage responded with an error.",
    "Check the backend's address and methods, and the server.",
  ],
  state_address_invalid: [
    "The given address is not an address in a state.",
    "Write TYPE.NAME, followed by the key of an instance; `steward state list` lists all addresses.",
  ],
  state_object_not_found: [
    "The state has no object at this address.",
    "Check the address; `steward state list` lists all addresses in the state.",
  ],
  move_ambiguous: [
    "Several removed addresses, or several new addresses, identify the same object.",
    "Add the `moved` block that the message shows for the intended pair.",
  ],
  ends_held_back: [
    "Objects that are no longer declared are not destroyed in this run, because a declaration of their type could not be planned.",
    "Fix the errors, and run again.",
  ],
  taken_over_later: [
    "An object or a set is not let go in this run, because another stack declares it or a part of it and has not taken it over yet.",
    "Apply the stack that the message names, then this one again.",
  ],
  state_move_refused: [
    "An object of the state can't move to the given address.",
    "See the message: the address may be in use, or have another type.",
  ],
  state_locked: [
    "Another process holds the lock of the state.",
    "Wait, or use `--lock-timeout`; if the process that holds the lock has ended, run `steward state unlock ID`.",
  ],
  state_not_locked: ["The state to unlock is not locked.", "No action needed."],
  state_lock_differs: [
    "The state has another lock than the one to remove.",
    "Check who holds the new lock, and unlock with the new id only if that process has ended.",
  ],
} as const;
