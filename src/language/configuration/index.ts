export { loadConfiguration } from "./load";
export * from "./model";
