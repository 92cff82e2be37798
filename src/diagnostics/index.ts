export * from "./action";
export { causeOf } from "./cause";
export * from "./codes";
export { API_CODES } from "./codes/api";
export * from "./diagnostic";
export { nearest } from "./did-you-mean";
export * from "./path";
