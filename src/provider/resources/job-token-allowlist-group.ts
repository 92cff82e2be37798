import { computed, required } from "../../schema";
import { defineResource, projectAttribute } from "../define";
import { allowedGroups, allowlistEntry, toGroup } from "./parts/job-token-allowlists";

const attributes = {
  project: projectAttribute("to which the allowlist belongs"),
  target_group: required.reference("group", {
    description:
      "The group whose projects may access `project`, by its numeric id or its full path. The projects of this group and of " +
      "its subgroups may access `project` with their job tokens. The token's user must be able to see the group.",
    replaces: true,
  }),
  target_group_id: computed.number("The numeric id of the target group."),
};

/** One group on a project's job token allowlist (specification, "Job token scope (project)"). */
export const jobTokenAllowlistGroup = defineResource({
  type: "job_token_allowlist_group",
  description:
    "Allows the job tokens of a group's projects to access one project. This resource manages only this entry. To " +
    "manage the whole allowlist, use `steward_job_token_allowlist`. An entry has an effect only while the project " +
    "limits access (`steward_job_token_scope`). The token's user needs the Maintainer role.",
  attributes,
  ...allowlistEntry("group", allowedGroups, toGroup, "12"),
});
