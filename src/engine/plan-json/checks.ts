import { parseAddress, type ResourceAddress } from "../../language";
import type { JsonObject } from "../../state";
import type { CheckableKind, CheckResult } from "../model/check-results";

/** What came of the conditions, as `terraform show -json` has it. */
export const checksJson = (checks: readonly CheckResult[]): JsonObject[] =>
  checks.map(({ kind, declaration, status, objects }) => ({
    address: { kind, ...namesIn(kind, declaration), to_display: declaration },
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

function namesIn(kind: CheckableKind, declaration: string): JsonObject {
  const names = declaration.split(".");
  if (kind !== "resource") return { name: names.at(-1)! };
  const [type, name] = names.slice(-2) as [string, string];
  return { mode: names.length === 3 ? "data" : "managed", type, name };
}

/** The key of an instance. An address from a saved plan that somebody changed may have none that can be read. */
function keyOf(address: string): JsonObject {
  const { indexKey } = (parseAddress(address) ?? {}) as Partial<ResourceAddress>;
  return indexKey === undefined ? {} : { instance_key: indexKey };
}
