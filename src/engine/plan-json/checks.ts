import { parseAddress, type ResourceAddress } from "../../language";
import type { JsonObject } from "../../state";
import type { CheckableKind, CheckResult } from "../model/check-results";

/** The results of conditions in the format of `terraform show -json`. */
export const checksJson = (checks: readonly CheckResult[]): JsonObject[] =>
  checks.map(({ kind, declaration, status, objects }) => ({
    address: { kind, ...addressNames(kind, declaration), to_display: declaration },
    status,
    ...(objects.length > 0 && {
      instances: objects.map((object) => ({
        address: { to_display: object.address, ...keyOf(object.address) },
        status: object.status,
        ...(object.failureMessages.length > 0 && {
          problems: object.failureMessages.map((message) => ({ message })),
        }),
      })),
    }),
  }));

function addressNames(kind: CheckableKind, declaration: string): JsonObject {
  const names = declaration.split(".");
  if (kind !== "resource") return { name: names.at(-1)! };
  const [type, name] = names.slice(-2) as [string, string];
  return { mode: names.length === 3 ? "data" : "managed", type, name };
}

/** The key of an instance. The address may be invalid if it comes from a modified saved plan. */
function keyOf(address: string): JsonObject {
  const { indexKey } = (parseAddress(address) ?? {}) as Partial<ResourceAddress>;
  return indexKey === undefined ? {} : { instance_key: indexKey };
}
