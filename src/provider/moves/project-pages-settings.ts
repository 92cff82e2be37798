import type { Move } from "../../framework";
import { attributesNotMoved, textOf } from "./source-state";

/** How the Pages of a project are reached. */
export const projectPagesSettings: Move = {
  from: "gitlab_project_pages_settings",
  version: 0,
  to: {
    pages_settings(source) {
      const project = textOf(source, "project");
      return {
        attributes: {
          id: project,
          project,
          unique_domain_enabled: source["is_unique_domain_enabled"] ?? null,
          force_https: source["force_https"] ?? null,
          unpublish_on_destroy: false,
          url: source["url"] ?? null,
        },
        ...(source["keep_settings_on_destroy"] === false && {
          warnings: [
            attributesNotMoved(
              `The gitlab_project_pages_settings of the project ${project} had keep_settings_on_destroy = false: destroying ` +
                "it would have restored the settings from before its creation. Destroying a steward_pages_settings does not " +
                "change them.",
            ),
          ],
        }),
      };
    },
  },
};
