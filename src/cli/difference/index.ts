// Compares values and prints their differences as lines. It does not decide what a plan changes: that is in `engine`.

export { compare, compareFields, setDifference } from "./compare";
export {
  type ChangedOutside,
  type Difference,
  type Field,
  hasHidden,
  hiddenNames,
  NO_CONTEXT,
  type OutsideValues,
  withoutNulls,
} from "./difference";
export {
  changedOutside,
  driftedFields,
  fieldsOf,
  fieldsOfUndeclared,
  isDeletedOutside,
  shownValues,
} from "./fields-of";
export { isOnlyRevert, onlyReverts } from "./only-revert";
export { type Row, renderFields, rowsOf, valueLines } from "./render";
