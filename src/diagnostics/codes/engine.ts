/** Codes that `src/engine` raises. */
export const ENGINE_CODES = {
  provider_settings_unknown: {
    meaning:
      "`drift --state` found an object of an aliased provider configuration or of one in a module, whose settings are in no state.",
    remedy: "Check it with its configuration: `steward exec -- terraform plan`.",
  },
  other_providers: {
    meaning: "The state given to `drift --state` holds objects of other providers, which were not checked.",
    remedy: "Check them with their configuration: `steward exec -- terraform plan`.",
  },
  state_empty: {
    meaning: "The state file is empty although it has a backup, or `drift --state` was given an empty state.",
    remedy:
      "Restore the copy beside it that ends in `.backup`, or delete the file to start a new state. For `drift --state`, check the command that wrote the state.",
  },
  state_not_json: {
    meaning: "The state file is damaged, or is not a state.",
    remedy: "Check the path; bring back the backup beside it or an older version from your state storage.",
  },
  state_version_newer: {
    meaning: "The state was written in a format that this release does not know yet.",
    remedy: "Use a newer release, or run the Terraform that wrote it: `steward exec -- terraform plan`.",
  },
  state_version_older: {
    meaning: "The state was written in the format of an old Terraform.",
    remedy: "Run `terraform apply -refresh-only` with Terraform 1.x on it once.",
  },
  state_damaged: {
    meaning: "A field of the state is missing or is not what it should be.",
    remedy: "Bring back the backup beside it or an older version from your state storage.",
  },
  state_disk_full: {
    meaning: "There is no room to save the state.",
    remedy: "Make room on the disk, or raise the quota, and run the command again.",
  },
  state_not_permitted: {
    meaning: "The state's file or folder may not be read or written.",
    remedy: "Give the user that right, or choose another place with `--state`.",
  },
  state_folder_missing: {
    meaning: "The folder in which the state should stand does not exist.",
    remedy: "Create the folder, or correct the path.",
  },
  state_not_a_file: {
    meaning:
      "At the path of the state, its backup, its journal or its lock stands a folder, a pipe, a socket, a device or a broken link.",
    remedy: "Correct the path, or remove what stands there.",
  },
  state_too_large: {
    meaning: "The state or its journal holds more than is read of one.",
    remedy: "Check the path: no state that Steward writes is that large.",
  },
  state_io_failed: {
    meaning: "The file system failed while the state was read, saved or locked.",
    remedy: "Look at the disk or the mount, and run the command again.",
  },
  state_moved_on: {
    meaning: "Somebody else wrote the state after this run had read it.",
    remedy: "Find out who works on it without a lock, and run the command again.",
  },
  state_lineage_differs: {
    meaning: "The state to save and the one that is there began as different states.",
    remedy: "Check the path of the state; to replace it after all, move the old file away first.",
  },
  state_not_saved: {
    meaning: "The state could not be saved; what the run did is in the journal beside it.",
    remedy: "Mend what kept it from being saved, and run again: the journal is taken over.",
  },
  journal_damaged: {
    meaning: "The journal that an interrupted run left behind is not as it was written.",
    remedy: "Bring it back, or move it away and import what the state lacks.",
  },
  journal_newer: {
    meaning: "The journal was written by a newer release.",
    remedy: "Run that release, which settles what it left open.",
  },
  journal_of_another_state: {
    meaning: "The journal of an interrupted run belongs to another state than the one that is there.",
    remedy: "Bring back the state that it belongs to, or move the journal away.",
  },
  journal_without_state: {
    meaning: "The state that an interrupted run's journal rests on is gone.",
    remedy: "Bring back the state or its backup; to begin anew, move the journal away.",
  },
  journal_overtaken: {
    meaning: "The state was written by somebody else since a run was interrupted.",
    remedy: "Find out who works on it without regard to the lock, and look at what the message names.",
  },
  journal_not_settled: {
    meaning: "It can't be told what became of all that an interrupted run was doing.",
    remedy: "Mend what the other messages name, and run again.",
  },
  object_not_settled: {
    meaning:
      "It can't be told what an interrupted run did to one object: nothing is sent for it until it can.",
    remedy: "Mend what the other messages name, and run again.",
  },
  object_of_two_stacks: {
    meaning:
      "Two stacks of one app declare the same object, or one declares what the state of another still holds.",
    remedy: "Keep one declaration, and move the object to its stack with the command that the message names.",
  },
  stack_known_in_part: {
    meaning:
      "A stack that is not planned could not be compared in full, as nothing is asked of the service for it.",
    remedy: "Plan the stacks together, without `--stack`, to have them compared.",
  },
  state_move_open: {
    meaning: "A move of an object from the state of one stack to that of another was interrupted.",
    remedy: "Run the `steward state mv` command that the message names: it finishes the move.",
  },
  state_move_lost: {
    meaning: "A move between two states was interrupted, and by now neither of them holds the object.",
    remedy:
      "Move the journals that the message names away, and import the object again with `steward import`.",
  },
  journal_address_taken: {
    meaning: "At the address of the journal stands a state.",
    remedy: "Give the journal an address of its own with TF_HTTP_JOURNAL_ADDRESS.",
  },
  state_http_configuration: {
    meaning: 'The settings of the "http" backend are missing or wrong.',
    remedy: "Correct the setting that the message names, in the backend block or as TF_HTTP_*.",
  },
  state_plain_http_refused: {
    meaning:
      "An address of the state storage is plain http on another machine: the credentials and the state would travel unencrypted.",
    remedy: "Use https, or allow this host with STEWARD_STATE_ALLOW_PLAIN_HTTP.",
  },
  state_http_timeout: {
    meaning: "The state storage took longer to answer than the run waits. A write may have been done.",
    remedy: "Look at the server and the network, or raise STEWARD_STATE_TIMEOUT.",
  },
  state_http_too_large: {
    meaning: "The state storage answered with more bytes than are read.",
    remedy: "Check the address, or raise STEWARD_STATE_MAX_BYTES.",
  },
  state_http_unreachable: {
    meaning: "The state storage does not answer.",
    remedy: "Check the address, the network and the certificates, and run the command again.",
  },
  state_http_refused: {
    meaning: "The state storage refuses the credentials.",
    remedy: "Check the backend's user and password, and what that user may do.",
  },
  state_http_failed: {
    meaning: "The state storage answered with an error.",
    remedy: "Check the backend's address and methods, and look at the server.",
  },
  state_address_invalid: {
    meaning: "What was given as an address in the state is none.",
    remedy: "Write TYPE.NAME, with the key of an instance behind it; `steward state list` lists them all.",
  },
  state_object_not_found: {
    meaning: "The state has no object at this address.",
    remedy: "Check the address; `steward state list` lists those in the state.",
  },
  move_ambiguous: {
    meaning:
      "Several addresses that leave the configuration, or several new ones, are one and the same object.",
    remedy: "Write the `moved` block that the message shows, for the pair that is meant.",
  },
  ends_held_back: {
    meaning:
      "Objects that are no longer declared are not destroyed in this run, because a declaration of their type could not be planned.",
    remedy: "Mend what the errors name, and run again.",
  },
  state_move_refused: {
    meaning: "An object of the state can't have the address that it was to get.",
    remedy: "See the message: the address may be taken, or be of another type.",
  },
  state_locked: {
    meaning: "Somebody else works on the state.",
    remedy:
      "Wait, with `--lock-timeout` if you like; if nobody works on it any more, `steward state unlock ID`.",
  },
  state_not_locked: {
    meaning: "A state was to be unlocked that nobody holds.",
    remedy: "Nothing needs to be done.",
  },
  state_lock_differs: {
    meaning: "The lock to remove is gone, and another one has taken its place.",
    remedy: "Look again at who works on the state, and unlock with the new id only if that is nobody.",
  },
} as const;
