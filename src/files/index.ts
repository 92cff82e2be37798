// Reads and replaces files safely, with errors that name the cause. It does not know what the files contain.

export {
  adviceForWriting,
  describeFileProblem,
  explainFailedOpen,
  FileProblem,
  requireRegularFile,
  systemCode,
} from "./file-problem";
export {
  type IsOwn,
  placeOfFile,
  requireReplaceable,
  requireWritablePlace,
} from "./output-file";
export { type FileOfSet, occupiedOf, SetProblem, writeSet } from "./output-set";
export {
  PendingFile,
  removeFile,
  removeTemporaryFiles,
  replaceFile,
  resolveLinks,
  syncContent,
  syncFolder,
  writeOutputFile,
  writeUserFile,
} from "./pending-file";
export {
  identityFromJson,
  isDead,
  ownIdentity,
  type ProcessIdentity,
} from "./process-identity";
export { type Reader, unreadable } from "./read-back";
export { LARGE_FILE, openFile, readAll, readFile, readFileSync, readUserFile, SMALL_FILE } from "./read-file";
export { decodeText } from "./text-file";
