import { computed, required } from "../../schema";
import { defineDataSource } from "../define";
import { orNothing } from "../failure-of";
import { NotThere } from "./parts/records";

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
