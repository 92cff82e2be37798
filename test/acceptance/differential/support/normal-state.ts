import { parseJson } from "../../../../src/json";
import { normalObject, normalValue } from "./normal-form";

export interface StateFile {
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly resources: {
    readonly module?: string;
    readonly mode: "managed" | "data";
    readonly type: string;
    readonly name: string;
    provider: string;
    readonly instances: Instance[];
  }[];
}

interface Instance {
  readonly index_key?: string | number;
  status?: string;
  readonly deposed?: string;
  readonly schema_version: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly sensitive_attributes?: readonly unknown[];
  readonly dependencies?: readonly string[];
  readonly create_before_destroy?: boolean;
}

/** Returns the outputs and objects of a state file, by address. The private fields of each engine are left out. */
export function normalState(text: string | undefined, serviceUrl: string): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  const { outputs, resources } = parseJson(text) as StateFile;
  const objects = resources.flatMap(({ module, mode, type, name, provider, instances }) =>
    instances.map((instance) => {
      const { index_key, deposed, status, schema_version, attributes } = instance;
      const { sensitive_attributes = [], dependencies = [], create_before_destroy = false } = instance;
      const address = [
        ...(module === undefined ? [] : [module]),
        ...(mode === "data" ? ["data"] : []),
        type,
        index_key === undefined ? name : `${name}[${JSON.stringify(index_key)}]`,
      ].join(".");
      const facts = {
        provider,
        status,
        schema_version,
        attributes: normalObject(type, mode, attributes, serviceUrl),
        sensitive: sensitive_attributes,
        dependencies: [...dependencies].sort(),
        // This flag is not compared for deposed objects. After a failed delete, Terraform drops the flag of the object. If
        // the token lacks the right to delete, the embedded engine sends no request and keeps the flag.
        create_before_destroy: deposed === undefined && create_before_destroy,
      };
      return [deposed === undefined ? address : `${address} (deposed)`, facts] as const;
    }),
  );
  const named = Object.entries(outputs).map(
    ([name, output]) => [`output.${name}`, normalValue(output, serviceUrl)] as const,
  );
  return Object.fromEntries([...named, ...objects]);
}
