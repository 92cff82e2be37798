import { computed } from "../../schema";
import { defineDataSource } from "../define";
import { environments } from "../resources/protected-environment";
import { environmentFields, projectArgument, sharedRecords, showEnvironment } from "./parts/records";

/** The protected environments of a project (specification, "Protected environments"). */
export const protectedEnvironments = defineDataSource({
  type: "protected_environments",
  description:
    "All protected environments of a project: who may deploy to each, and who must approve. Needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    environments: computed.listOf(
      { name: computed.string("The name of the environment."), ...environmentFields },
      "The protected environments, without unprotected ones.",
    ),
  },

  async read(scope, config) {
    const found = await sharedRecords(scope, "project", config, environments);
    return {
      ...config,
      environments: found.map((one) => ({ name: one.name, ...showEnvironment(one) })),
    };
  },
});
