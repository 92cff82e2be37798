export { NO_LIFECYCLE } from "./lifecycle";
export { configurationFrom, loadConfiguration } from "./load";
export * from "./model";
