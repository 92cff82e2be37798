// State files and everything stored with them: format, backends, locks and the journal. Planning and recovery are in `engine`.

export type { StateBackend, StorageLocation } from "./backends/backend";
export { LocalBackend } from "./backends/local-backend";
export { openHttpBackend } from "./backends/open-http-backend";
export { StateWriter } from "./backends/state-writer";
export { decodeStateText } from "./format/fields";
export { parseState } from "./format/file-format";
export { formatState, readableState } from "./format/format-state";
export { sensitivityOf } from "./format/sensitive-paths";
export * from "./journal/entries";
export { Journal } from "./journal/journal";
export { describeHolder, type LockInfo } from "./lock/lock";
export * from "./model/edit";
export * from "./model/model";
export { type InstanceMove, Relocator } from "./model/relocator";
export {
  addressesOf,
  addressMatcher,
  type FoundInstance,
  notInState,
  readAddress,
  selectInstances,
} from "./model/select";
export { StateEditor } from "./model/state-editor";
export { safeUrl } from "./storage/http-addresses";
export type { HttpBackendBlock } from "./storage/http-config";
export { stateIoError } from "./storage/io-errors";
