import { computed, required } from "../../schema";
import { defineDataSource } from "../define";
import { orNothing } from "../failure-of";
import { NotThere } from "./records";

/** One CI/CD template with its text (specification, "CI/CD YAML template"). */
export const ciTemplate = defineDataSource({
  type: "ci_template",
  description:
    "One CI/CD template of the instance, with its content. The service refuses users who have at most the Guest role everywhere.",
  attributes: {
    key: required.string({
      description: "The key of the template, as `steward_ci_templates` lists it.",
      check: (key) => (key === "" ? "The key must not be empty." : undefined),
    }),
    name: computed.string("The display name."),
    content: computed.string("The content of the template, in YAML."),
  },

  async read({ api }, config) {
    const template = await orNothing(api.ciTemplates.get(String(config["key"])));
    if (template !== undefined) return { ...config, ...template };
    throw new NotThere(
      `key is "${config["key"]}", and the instance has no template with that key. The data source steward_ci_templates ` +
        "lists the available templates. Check also the provider's templates_path.",
      ["key"],
    );
  },
});

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
