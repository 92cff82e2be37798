/** States in Terraform's format: where they are kept, who may write them, how they are shown. */
export { instanceAddress, resourceAddress } from "./address";
export type { StateBackend } from "./backend";
export { parseState } from "./file-format";
export { stateView } from "./json-view";
export { LocalBackend } from "./local-backend";
export type { LockInfo, StateLock } from "./lock-info";
export { describeHolder } from "./lock-info";
export * from "./model";
