export type { StateBackend } from "./backends/backend";
export { LocalBackend } from "./backends/local-backend";
export { openHttpBackend } from "./backends/open-http-backend";
export { StateWriter } from "./backends/state-writer";
export { decodeStateText, formatState, parseState } from "./format/file-format";
export { sensitivityOf } from "./format/sensitive-paths";
export * from "./journal/entries";
export { Journal } from "./journal/journal";
export { describeHolder, type LockInfo } from "./lock/lock";
export {
  compareInstances,
  compareResources,
  digestOf,
  hasSameContent,
  isSameVersion,
  pushedSerial,
  requirePushable,
  sorted,
  type Version,
} from "./model/content";
export * from "./model/edit";
export * from "./model/model";
export { type InstanceMove, Relocator } from "./model/relocator";
export { addressMatcher, type FoundInstance, notInState, readAddress, selectInstances } from "./model/select";
export { StateEditor } from "./model/state-editor";
export type { HttpBackendBlock } from "./storage/http-config";
export { stateIoError } from "./storage/io-errors";
