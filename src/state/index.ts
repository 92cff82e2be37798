export type { StateBackend } from "./backends/backend";
export { LocalBackend } from "./backends/local-backend";
export { openHttpBackend } from "./backends/open-http-backend";
export { StateWriter } from "./backends/state-writer";
export { decodeStateText, formatState, parseState } from "./format/file-format";
export { formatJson } from "./format/format-json";
export { sensitivityOf } from "./format/sensitive-paths";
export {
  type Change,
  formatJournal,
  formatLine,
  type IntentEntry,
  isEnded,
  type JournalStore,
  type MovedObject,
  type MoveLine,
  type MoveSelection,
  type MoveSide,
  type PendingJournal,
  parseJournal,
  parseLine,
  pendingIntents,
  type ResourceIdentity,
  type StateEdit,
  type StateMove,
} from "./journal/entries";
export { Journal } from "./journal/journal";
export { describeHolder, type LockInfo, type LockRequest } from "./lock/lock-info";
export { compareInstances, compareResources, digestOf, hasSameContent, sorted } from "./model/content";
export {
  addressesOf,
  moveBetween,
  moveInState,
  movesBetween,
  relocate,
  removeFromState,
  replaceProvider,
  type Stacks,
  selectFromState,
  withoutInstances,
} from "./model/edit";
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
export { type InstanceMove, Relocator } from "./model/relocator";
export { addressMatcher, type FoundInstance, notInState, readAddress, selectInstances } from "./model/select";
export { StateEditor } from "./model/state-editor";
export { isSameVersion, pushedSerial, requirePushable, type Version } from "./model/state-version";
export type { HttpBackendBlock } from "./storage/http-config";
export { stateIoError } from "./storage/io-errors";
