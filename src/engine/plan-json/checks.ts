import type { JsonObject } from "../../state";
import type { CheckableKind, CheckResult } from "../model/check-results";

/** What came of the conditions, as `terraform show -json` has it. */
export const checksJson = (checks: readonly CheckResult[]): JsonObject[] =>
  checks.map(({ kind, declaration, status, objects }) => ({
    address: { kind, ...namesIn(kind, declaration), to_display: declaration },
    status,
    ...(objects.length > 0 && {
      instances: objects.map((object) => ({
        address: { to_display: object.address, ...keyOf(object.address, declaration) },
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

/** The key of an instance, as far as its address goes beyond its declaration's. */
function keyOf(address: string, declaration: string): JsonObject {
  const key = address.slice(declaration.length).replace(/^\[(.*)\]$/s, "$1");
  return key === "" ? {} : { instance_key: JSON.parse(key) as string | number };
}
