import { computed } from "../../schema";
import { defineDataSource } from "../define";
import { NotThere, projectArgument, recordOf } from "./parts/records";

/** Pages of a project, deployments included (specification, "Pages settings"). */
export const pages = defineDataSource({
  type: "pages",
  description:
    "The Pages settings of a project and its active deployments. Needs the Maintainer role. The service responds 404 if " +
    "Pages is disabled on the instance.",
  attributes: {
    project: projectArgument,
    url: computed.string("The URL of the project's Pages."),
    is_unique_domain_enabled: computed.bool("Whether the Pages have their own host name."),
    force_https: computed.bool("Whether plain HTTP is redirected to HTTPS."),
    deployments: computed.listOf(
      {
        created_at: computed.string("When the deployment was created."),
        url: computed.string("The URL of this deployment."),
        path_prefix: computed.string(
          "The path prefix of its URL; empty for the main deployment, set for a parallel one.",
        ),
        root_directory: computed.string(
          "The directory that is served; null if the service does not return it.",
        ),
      },
      "The active deployments; empty if nothing is published. Pipelines add and remove deployments independently of plans.",
    ),
    primary_domain: computed.string(
      "The domain that all requests are redirected to; null if there is none, and before release 17.8.",
    ),
  },

  async read({ api, idOf }, config) {
    const { project = null } = config;
    const missing = new NotThere(
      `project is "${project}". The project exists, but its Pages do not (404): Pages is disabled on the instance. ` +
        "An administrator can enable it.",
      ["project"],
    );
    return {
      ...config,
      ...(await recordOf(api, project, api.pages.get(await idOf("project", project)), missing)),
    };
  },
});
