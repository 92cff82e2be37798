export { compare, compareFields, setDifference } from "./compare";
export { type Difference, type Field, hides } from "./difference";
export {
  changedOutside,
  driftedFields,
  fieldsOf,
  fieldsOfUndeclared,
  isDeletedOutside,
  shownValues,
} from "./fields-of";
export { type Row, renderFields, rowsOf, valueLines } from "./render";
export { type ChangedOutside, NO_CONTEXT, withoutNulls } from "./value-context";
