import type { ProtectedEnvironment } from "../../../api";
import { computed } from "../../../schema";

const record = {
  id: computed.number({ description: "The numeric id of the record." }),
  access_level: computed.number({
    description:
      "All users with this role: `30` (Developer), `40` (Maintainer) or `60` (Admin). Null if the record names a user or " +
      "a group, unless the service returns their role.",
  }),
  access_level_description: computed.string({
    description: "The service's description of the user, group or role.",
  }),
  user_id: computed.number({ description: "The numeric id of the user; null if the record names none." }),
  group_id: computed.number({ description: "The numeric id of the group; null if the record names none." }),
  group_inheritance_type: computed.number({
    description: "For a group: `0` (direct members only) or `1` (inherited members too).",
  }),
};

/** The attributes of a protected environment other than its name, as the API returns them. */
export const environmentFields = {
  deploy_access_levels: computed.listOf(record, { description: "Who may deploy to the environment." }),
  approval_rules: computed.listOf(
    {
      ...record,
      required_approvals: computed.number({ description: "The number of approvals that the rule requires." }),
    },
    { description: "Who must approve a deployment. Empty if no approval is required." },
  ),
  required_approval_count: computed.number({
    description: "The total number of approvals that a deployment requires.",
  }),
};

export const showEnvironment = ({
  deploy_access_levels,
  approval_rules,
  required_approval_count,
}: ProtectedEnvironment) => ({ deploy_access_levels, approval_rules, required_approval_count });
