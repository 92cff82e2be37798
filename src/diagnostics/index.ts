export * from "./codes";
export * from "./diagnostic";
export { nearest } from "./did-you-mean";
