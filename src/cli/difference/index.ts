export { type ChangedOutside, changedOutside, isDeletedOutside, overwritesOutside } from "./changed-outside";
export { compare, setDifference } from "./compare";
export type { Field } from "./difference";
export { fieldsOf, fieldsOfUndeclared, shownValues } from "./fields-of";
export { renderNamed } from "./named-value";
export { renderFields } from "./render";
export { NO_CONTEXT } from "./value-context";
