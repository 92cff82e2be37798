import { computed, required } from "../../schema";
import { defineDataSource } from "../define";
import { orNothing } from "../failure-of";
import { NotThere } from "./parts/arguments";

/** One CI/CD template with its text (specification, "CI/CD YAML template"). */
export const ciTemplate = defineDataSource({
  type: "ci_template",
  description:
    "One CI/CD template of the instance, with its text. Refused for a user who is nowhere more than a guest.",
  attributes: {
    key: required.string({
      description: "The key of the template, as `steward_ci_templates` lists it.",
      check: (key) => (key === "" ? "A template has a key." : undefined),
    }),
    name: computed.string({ description: "The name that the service shows." }),
    content: computed.string({ description: "The text of the template, in YAML." }),
  },

  async read({ api }, config) {
    const template = await orNothing(api.ciTemplates.get(String(config["key"])));
    if (template !== undefined) return { ...config, ...template };
    throw new NotThere(
      `key is "${config["key"]}", and the instance has no template of that key. The data source steward_ci_templates ` +
        "lists those it has; the service's word for templates is the provider's templates_path.",
      ["key"],
    );
  },
});
