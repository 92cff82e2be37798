import { conversionFor } from "./conversion";
import { ConversionError } from "./conversion-error";
import { mismatch } from "./mismatch";
import { type Type, typesEqual } from "./types";
import { unmark, type Value, withMarks } from "./value";

/**
 * Converts a value to a type with Terraform's rules: numbers and text, tuples to lists and sets, objects to
 * maps; attributes that an object type does not have are dropped, omitted optional ones become null.
 * @throws ConversionError
 */
export function convert(value: Value, type: Type): Value {
  if (value.type === type || typesEqual(value.type, type)) return value;
  const conversion = conversionFor(value.type, type, true);
  if (conversion === undefined) throw new ConversionError(mismatch(value.type, type));
  return withMarks(conversion(unmark(value), []), value.marks);
}
