import { faults, type PlantedFault } from "./planted-fault";

/**
 * Faults in the bindings of an approval to Terraform's plan. `test/simulator/people/terraform.ts` has an edited plan
 * for each fault.
 */
export const TERRAFORM_FAULTS: readonly PlantedFault[] = [
  ...faults("approval", "engine/plan-json/plan-parts.ts")(
    [
      "Terraform: an unknown key is ignored",
      "  if (unknown !== undefined)\n",
      "  if (unknown !== undefined && provider.source === unknown)\n",
    ],
    [
      "Terraform: an action is not bound",
      `numbered(listAt(json, "action_invocations"), (one)`,
      `numbered(listAt(json, "no_actions"), (one)`,
    ],
    [
      "Terraform: the declaration of a data source of another provider is not bound",
      `    return changing.has(address) || (resource["mode"] !== "managed" && source !== ownSource);`,
      `    return changing.has(address) || (resource["mode"] === "none" && source !== ownSource);`,
    ],
    [
      "Terraform: the values of a data source of another provider are not bound",
      `    .filter(({ mode, provider_name: source }) => mode !== "managed" && source !== ownSource)`,
      `    .filter(({ mode, provider_name: source }) => mode === "none" && source !== ownSource)`,
    ],
    [
      "Terraform: the arguments of a data source that the apply reads are not bound",
      `  const isManaged = one["mode"] === "managed";`,
      `  const isManaged = one["mode"] !== "none";`,
    ],
    [
      "Terraform: the configuration of a provider is not bound",
      "    ...Object.entries(providers).map(([key, value])",
      "    ...Object.entries(providers).slice(names.length * 9).map(([key, value])",
    ],
    [
      "Terraform: a variable is not bound",
      "    ...names.map((name) => ({",
      "    ...names.slice(names.length).map((name) => ({",
    ],
    [
      "Terraform: a provisioner is not bound",
      "    ...provisionersOf(configuration).map(({ part }) => part),",
      "    ...provisionersOf(configuration).flatMap(() => []),",
    ],
    [
      "Terraform: an output is not bound",
      "    .filter(([, change]) => !isNoOp(change as JsonObject))",
      "    .filter(([, change]) => isNoOp(change as JsonObject))",
    ],
    [
      "Terraform: a deferred change counts",
      `  const changes = listAt(json, "deferred_changes").map(`,
      `  const changes = listAt(json, "no_changes").map(`,
    ],
    [
      "Terraform: the call of a module is not bound",
      '    ...partsOfModules(root, ""),',
      '    ...partsOfModules({}, ""),',
    ],
    [
      "Terraform: the live values of a manual change are not bound",
      `listAt(json, "resource_drift")`,
      `listAt(json, "no_drift")`,
    ],
    [
      "Terraform: a condition is not bound",
      `    ...numbered(listAt(json, "checks"), (one)`,
      `    ...numbered(listAt(json, "no_checks"), (one)`,
    ],
  ),
  ...faults("approval", "engine/plan-json/declared-texts.ts")(
    [
      "Terraform: the address of another configuration of the provider counts",
      "    if (key !== undefined) return addresses.of(key);",
      "    if (key !== undefined) return first;",
    ],
    [
      "Terraform: an address that the plan does not contain counts",
      "    .filter(([, address]) => address === null)",
      "    .filter(([key, address]) => address === null && key === provider.source)",
    ],
    [
      "Terraform: a program that the plan does not contain counts",
      "  if (textOf(expression) === null) return false;\n",
      "  if (textOf(expression) === null) return true;\n",
    ],
    [
      "Terraform: a program with a local counts",
      "  return [references].flat().every((one) => known.test(String(one)));",
      "  return [references].flat().some((one) => known.test(String(one))) || references !== undefined;",
    ],
  ),
];
