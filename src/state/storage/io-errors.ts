import { DiagnosticError, type DiagnosticText, error } from "../../diagnostics";
import { FileProblem, systemCode } from "../../files";

/** The operation on the state that failed. */
export type StateAction = "read" | "write" | "lock";

type Explanation = Pick<DiagnosticText, "code" | "summary"> & { readonly reason: string };

const DISK_FULL: Explanation = {
  code: "state_disk_full",
  summary: "No space to save the state",
  reason: "the disk, a quota or a file size limit is exhausted. Free some space and run the command again",
};
const NOT_PERMITTED: Explanation = {
  code: "state_not_permitted",
  summary: "No permission for the state",
  reason:
    "the file system is read-only, or this user has no permission there. Grant the user read " +
    "and write permission for the file and its folder, or choose another path with `--state`",
};
const FOLDER_MISSING: Explanation = {
  code: "state_folder_missing",
  summary: "Folder of the state is missing",
  reason: "its folder does not exist. Create the folder, or correct the path",
};
const NOT_A_FILE: Explanation = {
  code: "state_not_a_file",
  summary: "State is not a file",
  reason: "the path is not a file. Correct the path",
};

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EFBIG: DISK_FULL,
  EROFS: NOT_PERMITTED,
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  ENOENT: FOLDER_MISSING,
  ENOTDIR: NOT_A_FILE,
  EISDIR: NOT_A_FILE,
  ELOOP: NOT_A_FILE,
};

const ACTIONS: Readonly<Record<StateAction, string>> = {
  read: "can't be read",
  write: "can't be saved",
  lock: "can't be locked",
};

/** The files of a state. */
export type StateFile = "state" | "backup" | "journal" | "lock";

const NAMES: Readonly<Record<StateFile, string>> = {
  state: "state",
  backup: "state's backup",
  journal: "journal",
  lock: "state's lock",
};

const INTACT: Readonly<Record<StateFile, string>> = {
  state: " The earlier state is intact.",
  backup: " The earlier state is intact.",
  journal: " Without the journal nothing is sent.",
  lock: "",
};

/** Converts a file system error into a diagnostic; other errors are returned as they are. */
export function stateIoError(
  problem: unknown,
  action: StateAction,
  file: string,
  what: StateFile = "state",
): Error {
  if (problem instanceof FileProblem) return unusablePath(problem, action, file, what);
  const code = systemCode(problem);
  if (problem instanceof DiagnosticError || code === undefined) return problem as Error;
  const { reason, ...text }: Explanation = EXPLANATIONS[code] ?? {
    code: "state_io_failed",
    summary: "State is inaccessible",
    reason: "the file system failed. Check the disk or the mount, and run the command again",
  };
  const before = action === "write" ? INTACT[what] : "";
  return new DiagnosticError(
    error({
      ...text,
      detail: `The ${NAMES[what]} ${file} ${ACTIONS[action]} (${code}): ${reason}.${before}`,
    }),
  );
}

const REMEDIES: Readonly<Record<StateFile, string>> = {
  state: "Correct the path, or remove the file there.",
  backup: "Remove the file there.",
  journal: "Steward creates no such file: find out who did, and move it away.",
  lock: "Steward creates no such file: find out who did, and remove it once the state is not in use.",
};

/** The error for a path that can't be one of a state's files. */
function unusablePath(
  { fault, message }: FileProblem,
  action: StateAction,
  file: string,
  what: StateFile,
): DiagnosticError {
  const isTooLarge = fault === "too_large";
  return new DiagnosticError(
    error({
      code: isTooLarge ? "state_too_large" : "state_not_a_file",
      summary: isTooLarge ? "State is too large" : NOT_A_FILE.summary,
      detail: `The ${NAMES[what]} ${file} ${ACTIONS[action]}: ${message}. Nothing was changed. ${REMEDIES[what]}`,
    }),
  );
}

export { systemCode as codeOf };
