export type { StateBackend } from "./backends/backend";
export { LocalBackend } from "./backends/local-backend";
export { openHttpBackend } from "./backends/open-http-backend";
export { StateWriter } from "./backends/state-writer";
export { decodeStateText, formatState, parseState } from "./format/file-format";
export { formatJson } from "./format/format-json";
export { sensitivityOf } from "./format/sensitive-paths";
export type {
  Change,
  IntentEntry,
  MovedObject,
  MoveLine,
  MoveSelection,
  MoveSide,
  ResourceIdentity,
  StateEdit,
  StateMove,
} from "./journal/entries";
export { Journal } from "./journal/journal";
export type { JournalStore } from "./journal/journal-store";
export { formatJournal, formatLine, parseLine } from "./journal/line-format";
export { isEnded, type PendingJournal, parseJournal, pendingIntents } from "./journal/read-journal";
export { describeHolder, type LockInfo, type LockRequest } from "./lock/lock-info";
export {
  addressesOf,
  moveInState,
  movesBetween,
  relocate,
  removeFromState,
  replaceProvider,
  selectFromState,
  withoutInstances,
} from "./model/edit";
export type { FoundInstance } from "./model/find-instance";
export {
  emptyState,
  type InstanceState,
  isJsonObject,
  type Json,
  type JsonObject,
  type OutputState,
  type ResourceState,
  type SensitivePath,
  type State,
} from "./model/model";
export { moveBetween } from "./model/move-between";
export { type InstanceMove, Relocator } from "./model/relocator";
export { hasSameContent } from "./model/same-content";
export { addressMatcher, notInState, readAddress, selectInstances } from "./model/select";
export type { Stacks } from "./model/stacks";
export { digestOf } from "./model/state-digest";
export { StateEditor } from "./model/state-editor";
export { compareInstances, compareResources, sorted } from "./model/state-order";
export { isSameVersion, pushedSerial, requirePushable, type Version } from "./model/state-version";
export type { HttpBackendBlock } from "./storage/http-config";
export { stateIoError } from "./storage/io-errors";
