import { type Enumeration, titleOf, type Value } from "../../engine";
import { renderScalar } from "../printing/values";

/** A scalar with its name, such as `30 (Developer)`. */
export function renderNamed(value: Value | undefined, names: Enumeration | undefined): string {
  const title = names === undefined ? undefined : titleOf(names, value);
  return title === undefined ? renderScalar(value) : `${renderScalar(value)} (${title})`;
}
