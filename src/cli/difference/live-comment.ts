import { type Enumeration, isObject, type Value } from "../../engine";
import { renderNamed } from "./named-value";

/** Elements beyond these are counted. */
const SHOWN = 10;

/** A live value on one line, such as `false`, `30 (Developer)` or `["acme/shop", "acme/tools"]`. */
export function renderLive(value: Value, names: Enumeration | undefined): string {
  if (!Array.isArray(value)) return isObject(value) ? "{…}" : renderNamed(value, names);
  const shown = value.slice(0, SHOWN).map((one) => renderLive(one, names));
  const more = value.length > SHOWN ? [`and ${value.length - SHOWN} more`] : [];
  return `[${[...shown, ...more].join(", ")}]`;
}
