// Compares values and prints their differences as lines. The decision about what a plan changes is in `engine`.

export {
  compare,
  compareFields,
  driftedFields,
  fieldsOf,
  fieldsOfUndeclared,
  shownValues,
  valueLines,
} from "./compare";
export {
  type ChangedOutside,
  type Difference,
  type Field,
  NO_CONTEXT,
  type OutsideValues,
} from "./difference";
export { changedOutside, isDeletedOutside, isOnlyRevert, relevantDrift } from "./outside";
export { setDifference } from "./pairs";
export {
  hiddenNames,
  hiddenPathsOf,
  type Row,
  renderFields,
  rowsOf,
  secretNames,
  withoutNulls,
} from "./render";
