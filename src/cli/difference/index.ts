// Compares values and prints their differences as lines. It does not decide what a plan changes: that is in `engine`.

export { compare, compareFields, setDifference } from "./compare";
export {
  type ChangedOutside,
  type Difference,
  type Field,
  NO_CONTEXT,
  type OutsideValues,
} from "./difference";
export {
  changedOutside,
  driftedFields,
  fieldsOf,
  fieldsOfUndeclared,
  isDeletedOutside,
  isOnlyRevert,
  onlyReverts,
  shownValues,
  valueLines,
} from "./fields-of";
export { hasHidden, hiddenNames, type Row, renderFields, rowsOf, withoutNulls } from "./render";
