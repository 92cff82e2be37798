export { compare, compareFields, setDifference } from "./compare";
export type { Field } from "./difference";
export { ANYWHERE } from "./place";
export { renderFields } from "./render";
