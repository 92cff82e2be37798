export * from "./codes";
export * from "./diagnostic";
