import { faults, type PlantedFault } from "./planted-fault";

export const ACCESS_FAULTS: readonly PlantedFault[] = [
  ...faults("access", "provider/access/environments.ts")(
    [
      "Access reports leave out who deploys after the change",
      "        deploy: declaredEntries(deploy_access_levels),",
      "        deploy: declaredEntries(deploy_access_levels).slice(1),",
    ],
    [
      "Access reports leave out live rules",
      "  deploy: declaredEntries(environment.deploy_access_levels.map(fromRecord)),",
      "  deploy: declaredEntries(environment.deploy_access_levels.map(fromRecord)).slice(1),",
    ],
  ),
];
