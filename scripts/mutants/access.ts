import { faults, type PlantedFault } from "./planted-fault";

export const ACCESS_FAULTS: readonly PlantedFault[] = [
  ...faults("access", "provider/access/environments.ts")(
    [
      "Access reports leave out who deploys after the change",
      "        deploy: asEntries(deploy),",
      "        deploy: asEntries(deploy).slice(1),",
    ],
    [
      "Access reports leave out live rules",
      "      const before = found && protectionOf(foundEnvironment(found));",
      "      const before = found && protectionOf(foundEnvironment({ ...found, deploy_access_levels: found.deploy_access_levels.slice(1) }));",
    ],
  ),
];
