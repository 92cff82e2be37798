// Errors and warnings for people: their codes, texts, places and actions. Printing them is in `cli` and `plugin`.

export * from "./action";
export { groupAlike } from "./alike";
export { API_CODES } from "./api-codes";
export * from "./codes";
export * from "./diagnostic";
export { didYouMean, nearest } from "./did-you-mean";
export { type Hint, hintFor, LIST_OBJECTS } from "./hints";
export { nearPatternHint } from "./near-pattern";
