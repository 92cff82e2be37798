/** Codes that `src/provider` raises. */
export const PROVIDER_CODES = {
  invalid_value: ["An attribute has an invalid value.", "Use a value that the message names."],
  missing_attribute: ["A required attribute is missing.", "Set the attribute that the message names."],
  read_only_attribute: [
    "The declaration sets an attribute that only the service can set.",
    "Remove the attribute from the declaration.",
  ],
  reference_not_found: [
    "A declaration names a project, group or user that does not exist or that the token can't see.",
    "Check the spelling, and that the token's user can see it.",
  ],
  ambiguous_container: [
    "A numeric id is both that of a project and that of a group.",
    "Give the full path of the one that is meant.",
  ],
  record_not_found: [
    "The object that a data source reads does not exist, or the token can't see it.",
    "Check the argument that the message names.",
  ],
  reference_moved: [
    "A declaration uses an old path: the project or group has moved, and the provider uses the new path.",
    "Change the declaration to the new path that the message names.",
  ],
  reference_changed: [
    "A declaration names another project, group or user than the one that its object belongs to.",
    "No action needed if the object should be replaced; otherwise declare the one that the message names.",
  ],
  archived_project: [
    "The project is archived: its settings are read-only.",
    "Unarchive the project, or remove its declarations.",
  ],
  undeclarable: [
    "A live object has settings that a declaration can't have, or that a declaration would be refused for.",
    "Change the object on the service as the message says, or leave it undeclared.",
  ],
  insufficient_role: [
    "The role of the token's user seems too low for a planned change. This is a warning: the service decides.",
    "No action needed if the service accepts the change; otherwise give the user the role that the message names, or apply with another user's token.",
  ],
  duplicate_reference: [
    "Two elements of one set name the same project, group or user.",
    "Keep one of the two.",
  ],
  move_not_supported: [
    "A `moved` block names a source resource type that the provider can't move from.",
    "Remove the old resource from the state with a `removed` block, and import the object.",
  ],
  move_source_newer: [
    "The source resource of a `moved` block was stored by a newer release of the other provider.",
    "Use a newer release of this provider, or import the object.",
  ],
  move_source_unreadable: [
    "The state of the source resource of a `moved` block does not fit the new type.",
    "Change the block's target to the type that the message names, or import the object.",
  ],
  move_leaves_behind: [
    "The new resource of a `moved` block has no counterpart of an attribute of the old one.",
    "Declare the setting where the message says, or leave it unchanged on the service.",
  ],
  already_exists: [
    "The object to create already exists and is not in the state.",
    "Take over what exists with `steward plan --import-existing` and `steward apply --import-existing`, import the object with the command in the message, or delete it on the service. Under Terraform, import it by the id in the message; `steward plan --import-existing --write-imports FILE` writes the import blocks.",
  ],
  live_name_not_normalized: [
    "A live name differs from a declared or imported one by Unicode normalization alone: all texts of a configuration are in form C, and the live one is not.",
    "Give the object on the service the name in form C (an environment: in the pipeline that deploys to it), or delete it there; or remove the declaration.",
  ],
  existing_not_checked: [
    "Whether objects to create exist already is not known, because the token may not list them.",
    "Plan with a token that can list them, or apply: a create of what exists is refused.",
  ],
  gone_since_plan: [
    "An object to change was deleted between the plan and the apply.",
    "Plan and apply again: the new plan creates it again.",
  ],
  declared_twice: ["Two declarations own the same object.", "Keep one of them."],
  destroyed_and_declared: [
    "Under Terraform, a plan destroys an object at one address and declares it at another, as after a rename: the destroy " +
      "would delete an object that is still declared.",
    "Add the `moved` block in the message; if another resource owns the object now, add the `removed` block.",
  ],
  still_declared: [
    "Another declaration owns the object to destroy: nothing was sent.",
    "No action needed: the state no longer contains the old address.",
  ],
  inconsistent_result: [
    "The service accepted a change and then returns other values than the ones sent.",
    "The message shows the difference; usually a user or group has no access to the project.",
  ],
  rights_lost: [
    "A request for a project or group returns 404: it was deleted, or the token can no longer see it. The object could not be checked; its state is kept.",
    "Restore the token's access, or remove the object from the state as the message says.",
  ],
  token_without_role: [
    "The service refuses all projects or groups that a run touches, several of them, to a token that is valid. Nothing could be checked; the state is kept.",
    "Give the token's user the role that the message names, or use the token of another user.",
  ],
  not_available: [
    "A project or group can be read, and all requests for one of its features return 404: the feature is disabled. The object could not be checked; its state is kept.",
    "Enable the feature again, or remove the object from the state as the message says.",
  ],
  entry_not_visible: [
    "An allowlist does not list a project or group that the token can't see. The service accepted the entry before, so it counts as present.",
    "Give the token's user access to the project or group; if it was deleted, remove the entry from the code.",
  ],
  entry_not_removed: [
    "The service responded with 404 to the removal of an allowlist entry and still lists the entry: the token can't see its project or group.",
    "Apply with a token whose user can see the project or group, or remove the entry by hand.",
  ],
  object_not_removed: [
    "The service responded with 404 to the deletion of an object and still shows it: it stays in the state.",
    "Apply again; if it happens again, check the token's role, or delete the object by hand.",
  ],
  container_gone: [
    "A request for a project or group returns 404 to an administrator, who sees everything: it was deleted with all its objects.",
    "No action needed if this is intended; remove its remaining declarations from the code.",
  ],
  invitation_failed: [
    "The service accepted the request and did not invite the person.",
    "The message quotes the reason that the service gives.",
  ],
  membership_hidden: [
    "The person to invite may already be a member: the token can't see the members or their e-mail addresses.",
    "Declare the person as `user`, or plan with a token that can see the addresses.",
  ],
  membership_changed: [
    "The service changed a membership instead of creating an invitation.",
    "Restore the level on the member page, and remove the invitation from the code.",
  ],
  membership_differs: [
    "The person is already a member, with another level or expiry than declared: an invitation can't change a membership.",
    "Change it on the member page that the message names, or declare the member's level and expiry.",
  ],
  membership_stays: [
    "The person of a destroyed invitation is now a member: the membership stays.",
    "No action needed if this is intended; otherwise remove the member on the member page that the message names.",
  ],
  invalid_import_id: [
    "The id or identity given for an import does not have the format of this resource.",
    "Use the format that the message shows.",
  ],
  import_not_found: [
    "There is no live object with the id or identity given for an import.",
    "Check the id, and that the token's user can see it.",
  ],
  provider_not_configured: [
    "The provider's configuration is unknown before apply, and the plan needs a request to the service.",
    "Configure the provider with values that are known at plan, or apply in two steps with --target.",
  ],
  not_read_back: [
    "The service accepted a change, and the request that reads the result failed: the state has the declared values.",
    "Plan again: the plan reads the object.",
  ],
  taken_over: [
    "The object to create already exists and equals the declaration, so it was adopted into the state: " +
      "an interrupted run may have created it.",
    "No action needed if the object is yours; otherwise replace the declaration with a `removed` block, which leaves the object on the service.",
  ],
  state_schema_newer: [
    "An object's state was stored by a newer release of the provider.",
    "Use that release, or restore an earlier state.",
  ],
  replaced_entries: [
    "An authoritative resource is created for a set that already has entries that are not declared.",
    "No action needed if they should be removed; otherwise declare them first.",
  ],
} as const;
