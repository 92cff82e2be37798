import type { ProtectedEnvironment } from "../../api";
import { computed, required } from "../../schema";
import { defineDataSource } from "../define";
import { environments } from "../resources/protected-environment";
import { NotThere, projectArgument, recordOf, sharedRecords } from "./records";

const record = {
  id: computed.number("The numeric id of the record."),
  access_level: computed.number(
    "The role to whose users the record applies: `30` (Developer), `40` (Maintainer) or `60` (Admin). Null if the record " +
      "names a user or a group and the service returns no role.",
  ),
  access_level_description: computed.string("The service's description of the user, group or role."),
  user_id: computed.number("The numeric id of the user; null if the record names no user."),
  group_id: computed.number("The numeric id of the group; null if the record names no group."),
  group_inheritance_type: computed.number(
    "The members of a group to whom the record applies: `0` (only direct members) or `1` (also inherited members).",
  ),
};

/**
 * The attributes of a protected environment without its name. The attributes have the form in which the API returns
 * them.
 */
const environmentFields = {
  deploy_access_levels: computed.listOf(
    record,
    "The users, groups and roles that may deploy to the environment.",
  ),
  approval_rules: computed.listOf(
    {
      ...record,
      required_approvals: computed.number("The number of approvals that the rule requires."),
    },
    "The users, groups and roles that must approve a deployment. The list is empty if no approval is required.",
  ),
  required_approval_count: computed.number("The total number of approvals that a deployment requires."),
};

const showEnvironment = ({
  deploy_access_levels,
  approval_rules,
  required_approval_count,
}: ProtectedEnvironment) => ({ deploy_access_levels, approval_rules, required_approval_count });

/** One protected environment as the API shows it (specification, "Protected environment"). */
export const protectedEnvironment = defineDataSource({
  type: "protected_environment",
  description:
    "One protected environment: the users, groups and roles that may deploy or must approve, with the ids of the " +
    "records. " +
    "The token's user needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    name: required.string({
      description: "The name of the environment, such as `production`.",
      check: (name) => (name === "" ? "The name must not be empty." : undefined),
    }),
    ...environmentFields,
  },

  async read(scope, config) {
    const { project = null, name = null } = config;
    const missing = new NotThere(
      `The project ${project} has no protected environment "${name}". ` +
        "The data source steward_protected_environments lists the existing ones.",
      ["name"],
    );
    const id = await scope.idOf("project", project);
    const reading = scope.collection(id, environments).get(String(name), undefined);
    return { ...config, ...showEnvironment(await recordOf(scope.api, project, reading, missing)) };
  },
});

/** The protected environments of a project (specification, "Protected environments"). */
export const protectedEnvironments = defineDataSource({
  type: "protected_environments",
  description:
    "All protected environments of a project. Each contains the users, groups and roles that may deploy or must " +
    "approve. The token's user needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    environments: computed.listOf(
      { name: computed.string("The name of the environment."), ...environmentFields },
      "The protected environments. Environments without protection are not listed.",
    ),
  },

  async read(scope, config) {
    const found = await sharedRecords(scope, "project", config, environments);
    return {
      ...config,
      environments: found.map((one) => ({ name: one.name, ...showEnvironment(one) })),
    };
  },
});
