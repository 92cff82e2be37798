import { conversionFor } from "./conversion";
import { ConversionError } from "./conversion-error";
import { mismatch } from "./mismatch";
import { type Type, typesEqual } from "./types";
import { markSensitive, unmark, type Value } from "./value";

/**
 * Converts a value to a type as Terraform does where a type is wanted: numbers and text into one another, tuples to
 * lists and sets, objects to maps, attributes an object type does not have dropped, optional ones filled with null.
 * @throws ConversionError
 */
export function convert(value: Value, type: Type): Value {
  if (value.type === type || typesEqual(value.type, type)) return value;
  const conversion = conversionFor(value.type, type, true);
  if (conversion === undefined) throw new ConversionError(mismatch(value.type, type));
  return markSensitive(conversion(unmark(value), []), value.sensitive);
}
