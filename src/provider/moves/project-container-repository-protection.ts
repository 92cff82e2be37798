import type { Move } from "../../framework";
import { numberOf, textOf, unreadable } from "./source-state";

/** Who may push and delete images. */
export const projectContainerRepositoryProtection: Move = {
  from: "gitlab_project_container_repository_protection",
  version: 0,
  to: {
    container_protection_rule(source) {
      const project = textOf(source, "project");
      const rule = numberOf(source, "protection_rule_id") ?? unreadable("protection_rule_id", "an id");
      return {
        attributes: {
          id: `${project}:${rule}`,
          project,
          rule_id: rule,
          repository_path_pattern: textOf(source, "repository_path_pattern"),
          minimum_access_level_for_push: source["minimum_access_level_for_push"] ?? null,
          minimum_access_level_for_delete: source["minimum_access_level_for_delete"] ?? null,
        },
      };
    },
  },
};
