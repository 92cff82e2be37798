import { computed } from "../../schema";
import { defineDataSource } from "../define";

/** The CI/CD templates of the instance (specification, "CI/CD YAML templates"). */
export const ciTemplates = defineDataSource({
  type: "ci_templates",
  description:
    "The CI/CD templates that the instance offers. The service refuses users who have at most the Guest role " +
    "everywhere. The provider's `templates_path` sets their path segment in URLs.",
  attributes: {
    templates: computed.listOf(
      {
        key: computed.string("The key, as `steward_ci_template` takes it."),
        name: computed.string("The display name."),
      },
      "The templates, without their content.",
    ),
  },

  read: async ({ api }) => ({ templates: await api.ciTemplates.list().toArray() }),
});
