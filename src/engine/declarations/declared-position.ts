import type { Diagnostic } from "../../diagnostics";
import type { Configuration } from "../../language";
import { withoutKey } from "./address-keys";

/** Adds the file and line of the affected declaration to a diagnostic, if the app recorded them. */
export function withPosition(diagnostic: Diagnostic, { resources }: Configuration): Diagnostic {
  const { address } = diagnostic;
  if (address === undefined || diagnostic.position !== undefined) return diagnostic;
  const position = (resources.get(address) ?? resources.get(withoutKey(address)))?.position;
  return position === undefined ? diagnostic : { ...diagnostic, position };
}
