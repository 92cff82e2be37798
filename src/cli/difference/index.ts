export { compare, setDifference } from "./compare";
export type { Field } from "./difference";
export { fieldsOf, fieldsOfUndeclared, shownValues } from "./fields-of";
export { ANYWHERE } from "./place";
export { renderFields } from "./render";
