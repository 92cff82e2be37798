import { type Encoding, encodeValue, type Value } from "../../engine";

/** Reports contain no attribute with a sensitive part, so their values have no marks. */
const NO_MARKS: Encoding = { markOf: () => 0 };

/** Returns a value of an attribute as reports contain it, in the encoding of saved plans and approval files. */
export const reportedValue = (value: Value) => encodeValue(value, [], NO_MARKS);
