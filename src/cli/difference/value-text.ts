import { type Enumeration, isObject, titleOf, type Value } from "../../engine";
import { renderScalar } from "../printing/values";

/** Elements beyond these are counted. */
const SHOWN = 10;

/** A scalar with its name, such as `30 (Developer)`. */
export function renderNamed(value: Value | undefined, names: Enumeration | undefined): string {
  const title = names === undefined ? undefined : titleOf(names, value);
  return title === undefined ? renderScalar(value) : `${renderScalar(value)} (${title})`;
}

/** A live value on one line, such as `false`, `30 (Developer)` or `["acme/shop", "acme/tools"]`. */
export function renderLive(value: Value, names: Enumeration | undefined): string {
  if (!Array.isArray(value)) return isObject(value) ? "{…}" : renderNamed(value, names);
  const shown = value.slice(0, SHOWN).map((one) => renderLive(one, names));
  const more = value.length > SHOWN ? [`and ${value.length - SHOWN} more`] : [];
  return `[${[...shown, ...more].join(", ")}]`;
}

/** Attributes that an element does not set are not shown. */
export function withoutNulls(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}
