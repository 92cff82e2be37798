export {
  describeFileProblem,
  explainFailedOpen,
  FileProblem,
  notAFile,
  requireRegularFile,
} from "./file-problem";
export { PendingFile, replaceFile, resolveLinks, syncFolder } from "./pending-file";
export {
  identityFromJson,
  isDead,
  ownIdentity,
  type ProcessIdentity,
} from "./process-identity";
export { LARGE_FILE, openFile, readAll, readFile, readFileSync, readUserFile, SMALL_FILE } from "./read-file";
export { removeFile } from "./remove-file";
export { syncContent, syncFile } from "./sync-file";
export { systemCode } from "./system-code";
export { removeTemporaryFiles, temporaryName } from "./temporary-files";
export { writeStream } from "./write-stream";
