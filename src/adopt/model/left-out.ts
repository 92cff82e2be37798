import { type Attribute, sameValue, type Value } from "../../engine";

/** Whether the code leaves an attribute out. `atDefault` names the attributes that have the service's default. */
export function isLeftOut(
  name: string,
  { presence, text: { default: filledIn } }: Attribute,
  value: Value,
  atDefault: readonly string[],
): boolean {
  if (presence === "computed" || value === null) return true;
  // A set that is managed as a whole is declared also if it is empty: left out, it would not be managed.
  if (presence === "required" || presence === "managed") return false;
  return atDefault.includes(name) || (filledIn !== undefined && sameValue(value, filledIn as Value));
}
