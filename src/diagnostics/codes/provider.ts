/** Codes that `src/provider` raises. */
export const PROVIDER_CODES = {
  invalid_value: {
    meaning: "A value in the declaration is not one that the attribute can have.",
    remedy: "Change the value to one that the message names.",
  },
  missing_attribute: {
    meaning: "A required attribute was left out.",
    remedy: "Set the attribute that the message names.",
  },
  read_only_attribute: {
    meaning: "The declaration sets an attribute that only the service can set.",
    remedy: "Take the attribute out of the declaration.",
  },
  reference_not_found: {
    meaning: "A project, group or user that a declaration names can't be found with this token.",
    remedy: "Check the spelling, and that the token's user can see it.",
  },
  record_not_found: {
    meaning: "What a data source asks for is not there, or can't be seen with this token.",
    remedy: "Check the argument that the message names.",
  },
  reference_moved: {
    meaning: "A path in a declaration is an old one: what it names has moved, and was followed.",
    remedy: "Write the new path, which the message gives.",
  },
  reference_changed: {
    meaning: "A declaration names another project, group or user than the one that its object belongs to.",
    remedy: "Nothing if the object should be replaced; else name the one that the message gives.",
  },
  archived_project: {
    meaning: "The project is archived: its settings can be read, and not changed.",
    remedy: "Unarchive the project, or take its declarations out.",
  },
  insufficient_role: {
    meaning:
      "The role of the token's user seems too low for a planned change: a warning before it is sent, as the service decides.",
    remedy:
      "Nothing where the service takes the change; else give the user the role that the message names, or apply with another user's token.",
  },
  duplicate_reference: {
    meaning: "Two elements of one set name the same project, group or user.",
    remedy: "Keep one of the two.",
  },
  move_not_supported: {
    meaning: "A `moved` block leads from a resource type that can't be taken over.",
    remedy: "Remove the old resource from the state with a `removed` block, and import the object.",
  },
  move_source_newer: {
    meaning: "A `moved` block leads from a resource that a newer release of the other provider stored.",
    remedy: "Use a newer release of this provider, or import the object.",
  },
  move_source_unreadable: {
    meaning: "A `moved` block leads from a resource whose state does not fit the new type.",
    remedy: "Let the block lead to the type that the message names, or import the object.",
  },
  move_leaves_behind: {
    meaning: "What the old resource of a `moved` block did in part is done by no attribute of the new one.",
    remedy: "Declare it where the message says, or leave it as it is on the service.",
  },
  already_exists: {
    meaning: "What a declaration wants to create is there already and is managed by nobody here.",
    remedy: "Take it over with the import command that the message gives, or delete it on the service.",
  },
  gone_since_plan: {
    meaning: "What a plan would change was deleted between the plan and its apply.",
    remedy: "Plan and apply again: it is created anew then.",
  },
  declared_twice: {
    meaning: "Two declarations want to own the same thing.",
    remedy: "Keep one of them.",
  },
  destroyed_and_declared: {
    meaning:
      "Under Terraform, a plan destroys an object at one address and declares it at another, as after a rename: destroying " +
      "would take away what stays declared.",
    remedy:
      "Write the `moved` block that the message gives; or, where another resource owns it now, the `removed` block.",
  },
  still_declared: {
    meaning:
      "An object was to be destroyed at one address, and another declaration holds it: nothing was sent.",
    remedy: "Nothing: the state has let go of the address that left.",
  },
  inconsistent_result: {
    meaning: "The service accepted a change and then shows something else than what was sent.",
    remedy: "See the message for what it shows; usually a user or group has no access to the project.",
  },
  rights_lost: {
    meaning:
      "A project or group answers 404: it is gone, or the token may no longer see it. The object could not be checked; the state is kept.",
    remedy: "Give the token its rights back, or let go of the object as the message says.",
  },
  not_available: {
    meaning:
      "A project or group can be read, and answers 404 for a whole feature: it is switched off there. The object could not be checked; the state is kept.",
    remedy: "Switch the feature on again, or let go of the object as the message says.",
  },
  entry_not_visible: {
    meaning:
      "An allowlist shows no entry for a project or group that this token can't see; it was accepted before, and counts as present.",
    remedy: "Let the token's user see what the entry names; or, if that is gone, take it out of the code.",
  },
  entry_not_removed: {
    meaning:
      "The service answered 404 to the removal of an allowlist entry and still lists it: the token can't find the project or group that it names.",
    remedy: "Apply with a token whose user can see what the entry names; or remove the entry by hand.",
  },
  container_gone: {
    meaning:
      "A project or group answers 404 to an administrator, who sees everything: it was deleted with all that it held.",
    remedy: "Nothing if that was meant; take what is still declared for it out of the code.",
  },
  invitation_failed: {
    meaning: "The service took the request and did not invite the person; it says why.",
    remedy: "See the service's own words in the message.",
  },
  membership_hidden: {
    meaning:
      "The person to be invited may already be a member: this token can't see the members or their e-mail addresses.",
    remedy: "Declare the person as `user`, or plan with a token that can see the addresses.",
  },
  membership_changed: {
    meaning: "The service took an invitation for a change of a membership.",
    remedy: "Set the level back on the member page, and take the invitation out of the code.",
  },
  membership_differs: {
    meaning:
      "The person is a member already, with another level or expiry than declared: an invitation can't change that.",
    remedy: "Change it on the member page that the message names, or declare what the member has.",
  },
  membership_stays: {
    meaning: "An invitation was destroyed whose person is a member by now: the membership stays.",
    remedy: "Nothing if that was meant; else remove the member on the member page that the message names.",
  },
  invalid_import_id: {
    meaning: "The id given for an import has not the shape that this resource uses.",
    remedy: "Use the format that the message shows.",
  },
  import_not_found: {
    meaning: "There is no live object with the id given for an import.",
    remedy: "Check the id, and that the token's user can see it.",
  },
  provider_not_configured: {
    meaning:
      "The provider's own configuration isn't known before apply, and something had to be asked of the service.",
    remedy: "Give the provider values that are known at plan, or apply in two steps with --target.",
  },
  taken_over: {
    meaning:
      "What a declaration wants to create is there already, just as declared, and was taken into the state: " +
      "a run that was cut off may have made it.",
    remedy:
      "Nothing if it is yours; else take the declaration out with a `removed` block, which leaves it there.",
  },
  state_schema_newer: {
    meaning: "An object's state was stored by a newer release of the provider.",
    remedy: "Use that release, or bring back an earlier state.",
  },
  replaced_entries: {
    meaning: "An authoritative resource is created over a set that already has entries nobody declared.",
    remedy: "Nothing if they should go; else declare them first.",
  },
} as const;
