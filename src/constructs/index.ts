export * from "./generated";
