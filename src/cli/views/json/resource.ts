import { parseAddress, type ResourceAddress } from "../../../engine";

/** A parsed address, as events identify a resource. */
export interface ResourceJson {
  readonly addr: string;
  readonly module: string;
  readonly resource: string;
  readonly implied_provider: string;
  readonly resource_type: string;
  readonly resource_name: string;
  readonly resource_key: string | number | null;
}

/** Parses an address such as `data.steward_project.web["shop"]`. */
export function resourceOf(address: string): ResourceJson {
  const {
    module = "",
    type = "",
    name = "",
    indexKey,
  } = (parseAddress(address) ?? {}) as Partial<ResourceAddress>;
  return {
    addr: address,
    module,
    resource: module === "" ? address : address.slice(module.length + 1),
    implied_provider: type.split("_")[0]!,
    resource_type: type,
    resource_name: name,
    resource_key: indexKey ?? null,
  };
}
