export {
  describeFileProblem,
  explainFailedOpen,
  FileProblem,
  notAFile,
  refuseUnlessFile,
} from "./file-problem";
export { removeLeftovers, temporaryName } from "./leftovers";
export { PendingFile, replaceFile, syncFolder, withoutLinks } from "./pending-file";
export {
  identityFromJson,
  isGone,
  ownIdentity,
  type ProcessIdentity,
} from "./process-identity";
export { LARGE_FILE, openFile, readAll, readFile, readFileNow, readNamedFile, SMALL_FILE } from "./read-file";
export { removeFile } from "./remove-file";
export { systemCode } from "./system-code";
export { writeStream } from "./write-stream";
