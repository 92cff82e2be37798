export * from "./action";
export * from "./codes";
export { API_CODES } from "./codes/api";
export * from "./diagnostic";
export { nearest } from "./did-you-mean";
