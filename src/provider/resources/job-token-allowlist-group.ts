import { computed, required } from "../../schema";
import { defineResource, projectAttribute } from "../define";
import { allowedGroups, allowlistEntry, toGroup } from "./parts/job-token-allowlists";

const attributes = {
  project: projectAttribute("that is accessed"),
  target_group: required.reference("group", {
    description:
      "The group whose projects' job tokens may reach `project`, by its numeric id or its full path. Projects of its " +
      "subgroups are among them. The token's user must be able to see the group.",
    replaces: true,
  }),
  target_group_id: computed.number("The numeric id of the target group."),
};

/** One group on a project's job token allowlist (specification, "Job token scope (project)"). */
export const jobTokenAllowlistGroup = defineResource({
  type: "job_token_allowlist_group",
  description:
    "Allows the job tokens of a group's projects to access one project. It manages this entry only; " +
    "to manage the whole allowlist, use `steward_job_token_allowlist`. An entry has an effect only while the project " +
    "limits access (`steward_job_token_scope`). Needs the Maintainer role.",
  attributes,
  ...allowlistEntry("group", allowedGroups, toGroup, "12"),
});
