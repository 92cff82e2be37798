export { connect } from "./configuration";
export { sharedPace } from "./pace";
export { createProvider } from "./provider";
export { PROVIDER_NAME, PROVIDER_SOURCE } from "./source";
export { compareStrictness, type Strictness } from "./strictness";
