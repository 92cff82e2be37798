import { computed } from "../../schema";
import { defineDataSource } from "../define";
import { NotThere, projectArgument, recordOf } from "./parts/arguments";

/** Pages of a project, deployments included (specification, "Pages settings"). */
export const pages = defineDataSource({
  type: "pages",
  description:
    "How a project's Pages are reached, and what is deployed there now. Needs the Maintainer role; the service says " +
    "that there are none (404) where Pages is off on the instance.",
  attributes: {
    project: projectArgument,
    url: computed.string({ description: "The address of the project's Pages." }),
    is_unique_domain_enabled: computed.bool({
      description: "Whether the Pages have a host name of their own.",
    }),
    force_https: computed.bool({ description: "Whether plain HTTP is redirected to HTTPS." }),
    deployments: computed.listOf(
      {
        created_at: computed.string({ description: "When it was deployed." }),
        url: computed.string({ description: "The address of this deployment." }),
        path_prefix: computed.string({
          description: "What its address ends with; empty for the main deployment, set for a parallel one.",
        }),
        root_directory: computed.string({
          description: "The folder that is served; null where the service doesn't say.",
        }),
      },
      {
        description:
          "The active deployments; empty where nothing was published. They come and go with pipelines, without any plan.",
      },
    ),
    primary_domain: computed.string({
      description:
        "The domain that all requests are redirected to; null where there is none, and before release 17.8.",
    }),
  },

  async read({ api, idOf }, config) {
    const { project = null } = config;
    const missing = new NotThere(
      `project is "${project}", which can be read, and has no Pages (404): Pages is off on the instance. ` +
        "An administrator can turn it on.",
      ["project"],
    );
    return {
      ...config,
      ...(await recordOf(api, project, api.pages.get(await idOf("project", project)), missing)),
    };
  },
});
