export { changedOutside, isDeletedOutside } from "./changed-outside";
export { compare, setDifference } from "./compare";
export { type Difference, type Field, hides } from "./difference";
export { driftedFields } from "./drifted-fields";
export { fieldsOf, fieldsOfUndeclared, shownValues } from "./fields-of";
export { type Row, renderFields, rowsOf } from "./render";
export { type ChangedOutside, NO_CONTEXT } from "./value-context";
export { withoutNulls } from "./value-text";
