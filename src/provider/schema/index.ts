export * from "./attribute";
export * from "./reference";
export * from "./schema";
export * from "./value";
