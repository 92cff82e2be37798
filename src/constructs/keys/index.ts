export { type Keys, META_KEYS, refuseUnknownKeys } from "./unknown-keys";
