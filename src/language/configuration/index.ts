export { configurationFrom, loadConfiguration } from "./load";
export * from "./model";
