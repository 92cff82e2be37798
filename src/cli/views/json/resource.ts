/** An address taken apart, as events name a resource. */
export interface ResourceJson {
  readonly addr: string;
  readonly module: string;
  readonly resource: string;
  readonly implied_provider: string;
  readonly resource_type: string;
  readonly resource_name: string;
  readonly resource_key: string | number | null;
}

/** Takes apart an address such as `data.steward_project.web["shop"]`. */
export function resourceOf(address: string): ResourceJson {
  const [, prefix = "", type = "", name = "", key] =
    /^((?:module\.[^.]+\.)*(?:data\.)?)([^.[]+)\.([^.[]+)(?:\[(.*)\])?$/s.exec(address) ?? [];
  const module = prefix.replace(/(^|\.)data\.$/, "").replace(/\.$/, "");
  return {
    addr: address,
    module,
    resource: module === "" ? address : address.slice(module.length + 1),
    implied_provider: type.split("_")[0]!,
    resource_type: type,
    resource_name: name,
    resource_key: key === undefined ? null : parseKey(key),
  };
}

function parseKey(key: string): string | number {
  try {
    return JSON.parse(key) as string | number;
  } catch {
    // A key with escapes that JSON doesn't have, such as `$${`, stands as it is written.
    return key.replace(/^"|"$/g, "");
  }
}
