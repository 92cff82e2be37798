import type { AllowlistGroup } from "../../api";
import { whenKnown } from "../../framework";
import { computed, required } from "../../schema";
import { defineResource, projectAttribute } from "../define";
import { allowedGroups, allowlistsOf, toGroup } from "./parts/job-token-allowlists";

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
  version: 0,
  description:
    "Allows the job tokens of a group's projects to access one project. It manages this entry only; " +
    "to manage the whole allowlist, use `steward_job_token_allowlist`. An entry has an effect only while the project " +
    "limits access (`steward_job_token_scope`). Needs the Maintainer role.",
  attributes,
  container: "project",
  feature: "its job token allowlist",
  key: {
    name: "target group id",
    example: "12",
    attributes: ["target_group"],
    of: ({ target_group }) => String(target_group.id),
    label: ({ target_group }) => target_group.path ?? String(target_group.id),
  },
  isEntry: true,

  owns: { entries: ({ target_group }) => [{ set: allowedGroups.name, entry: String(target_group.id) }] },

  async create(scope, { target_group }) {
    await allowlistsOf(scope).group.add(target_group.id);
    scope.collection(allowedGroups).drop();
    return { target_group, target_group_id: target_group.id };
  },

  read: ({ collection, expected }, key) =>
    whenKnown(collection(allowedGroups).get(Number(key), expected), (entry) => entry && found(entry)),

  async delete(scope, key) {
    await allowlistsOf(scope).group.remove(Number(key));
  },

  list: async ({ collection }) => [...(await collection(allowedGroups).all()).values()].map(found),
});

const found = (entry: AllowlistGroup) => ({ target_group: toGroup(entry), target_group_id: entry.id });
