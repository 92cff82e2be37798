import { computed } from "../../schema";
import { defineDataSource } from "../define";

/** The CI/CD templates of the instance (specification, "CI/CD YAML templates"). */
export const ciTemplates = defineDataSource({
  type: "ci_templates",
  description:
    "The CI/CD templates that the instance offers. Refused for a user who is nowhere more than a guest. The service's " +
    "word for them in addresses is the provider's `templates_path`.",
  attributes: {
    templates: computed.listOf(
      {
        key: computed.string({ description: "What `steward_ci_template` takes." }),
        name: computed.string({ description: "The name that the service shows." }),
      },
      { description: "The templates, without their text." },
    ),
  },

  read: async ({ api }) => ({ templates: await api.ciTemplates.list().toArray() }),
});
