export { connect } from "./configuration";
export { createProvider, PROVIDER_NAME, PROVIDER_SOURCE } from "./provider";
