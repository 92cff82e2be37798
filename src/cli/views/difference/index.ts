export { compare, compareFields, setDifference } from "./compare";
export type { Difference, Field, Mark } from "./difference";
export { ANYWHERE, type Place } from "./place";
export { type FieldsOptions, renderFields } from "./render";
