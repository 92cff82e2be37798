import { computed } from "../../schema";
import { defineDataSource } from "../define";
import { rules } from "../resources/container-protection-rule";
import { projectArgument, sharedRecords } from "./parts/records";

/** The container protection rules of a project (specification, "Container repository protection rule"). */
export const containerProtectionRules = defineDataSource({
  type: "container_protection_rules",
  description:
    "The rules that protect a project's container repositories: who may push and delete images. " +
    "Needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    rules: computed.listOf(
      {
        id: computed.number("The numeric id of the rule."),
        project_id: computed.number("The numeric id of the project."),
        repository_path_pattern: computed.string(
          "The pattern of the protected container repositories' paths; `*` matches any text.",
        ),
        minimum_access_level_for_push: computed.string(
          "The lowest role that may push images: `maintainer`, `owner` or `admin`. Null if the rule has none.",
        ),
        minimum_access_level_for_delete: computed.string(
          "The lowest role that may delete images: `maintainer`, `owner` or `admin`. Null if the rule has none.",
        ),
      },
      "The rules.",
    ),
  },

  async read(scope, config) {
    return { ...config, rules: await sharedRecords(scope, "project", config, rules) };
  },
});
