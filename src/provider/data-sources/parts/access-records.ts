import type { ProtectedEnvironment } from "../../../api";
import { computed } from "../../../schema";

const record = {
  id: computed.number({ description: "The numeric id of the record." }),
  access_level: computed.number({
    description:
      "Everybody with this role: `30` (Developer), `40` (Maintainer) or `60` (Admin). Null where the record names a user " +
      "or a group, unless the service shows their role there.",
  }),
  access_level_description: computed.string({
    description: "The service's own words for whom the record names.",
  }),
  user_id: computed.number({ description: "The numeric id of the user; null where it names none." }),
  group_id: computed.number({ description: "The numeric id of the group; null where it names none." }),
  group_inheritance_type: computed.number({
    description: "For a group: `0`, direct members only, or `1`, inherited members as well.",
  }),
};

/** What is shown of a protected environment beside its name, as the API has it. */
export const environmentFields = {
  deploy_access_levels: computed.listOf(record, { description: "Who may deploy to the environment." }),
  approval_rules: computed.listOf(
    {
      ...record,
      required_approvals: computed.number({ description: "How many of them must approve a deployment." }),
    },
    { description: "Who must approve a deployment. Empty where nobody must." },
  ),
  required_approval_count: computed.number({ description: "How many approvals a deployment needs in all." }),
};

export const showEnvironment = ({
  deploy_access_levels,
  approval_rules,
  required_approval_count,
}: ProtectedEnvironment) => ({ deploy_access_levels, approval_rules, required_approval_count });
