import { required } from "../../schema";
import { defineDataSource } from "../define";
import { environments } from "../resources/protected-environment";
import { environmentFields, NotThere, projectArgument, recordOf, showEnvironment } from "./parts/records";

/** One protected environment as the API shows it (specification, "Protected environment"). */
export const protectedEnvironment = defineDataSource({
  type: "protected_environment",
  description:
    "Who may deploy to one protected environment and who must approve, with the ids of the records. " +
    "Needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    name: required.string({
      description: "The name of the environment, such as `production`.",
      check: (name) => (name === "" ? "The name must not be empty." : undefined),
    }),
    ...environmentFields,
  },

  async read(scope, config) {
    const { project = null, name = null } = config;
    const missing = new NotThere(
      `name is "${name}", and the project ${project} has no protected environment with that name. ` +
        "The data source steward_protected_environments lists the existing ones.",
      ["name"],
    );
    const id = await scope.idOf("project", project);
    const reading = scope.collection(id, environments).get(String(name), undefined);
    return { ...config, ...showEnvironment(await recordOf(scope.api, project, reading, missing)) };
  },
});
