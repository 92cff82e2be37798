import { DiagnosticError, type DiagnosticText, error } from "../../diagnostics";
import { systemCode } from "../../files/system-code";

/** What was tried with the state when the file system refused. */
export type StateAction = "read" | "write" | "lock";

type Explanation = Pick<DiagnosticText, "code" | "summary"> & { readonly reason: string };

const DISK_FULL: Explanation = {
  code: "state_disk_full",
  summary: "No room to save the state",
  reason:
    "the disk, a quota or a limit on the size of files is exhausted. Make room and run the command again",
};
const NOT_PERMITTED: Explanation = {
  code: "state_not_permitted",
  summary: "State may not be read or written here",
  reason:
    "the file system is read-only, or this user has no rights there. Give the user the right to read and write the " +
    "file and its folder, or choose another place with `--state`",
};
const FOLDER_MISSING: Explanation = {
  code: "state_folder_missing",
  summary: "Folder of the state is missing",
  reason: "its folder does not exist. Create the folder, or correct the path",
};
const NOT_A_FILE: Explanation = {
  code: "state_not_a_file",
  summary: "State is not a file",
  reason: "at this path stands something that is not a file. Correct the path",
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

const UNHARMED = {
  state: " The state that was there before is unharmed.",
  journal: " What can't be noted there first is not sent.",
} as const;

/** Makes a diagnostic of what the file system said; anything else comes back as it was. */
export function stateIoError(
  problem: unknown,
  action: StateAction,
  file: string,
  what: "state" | "journal" = "state",
): Error {
  const code = systemCode(problem);
  if (problem instanceof DiagnosticError || code === undefined) return problem as Error;
  const { reason, ...text }: Explanation = EXPLANATIONS[code] ?? {
    code: "state_io_failed",
    summary: "State is out of reach",
    reason: "the file system failed. Look at the disk or the mount, and run the command again",
  };
  const before = action === "write" ? UNHARMED[what] : "";
  return new DiagnosticError(
    error({ ...text, detail: `The ${what} ${file} ${ACTIONS[action]} (${code}): ${reason}.${before}` }),
  );
}

/** The diagnostic for a state path where a folder, a pipe or a device stands. */
export function notAFile(action: StateAction, file: string): DiagnosticError {
  return stateIoError({ code: "EISDIR" }, action, file) as DiagnosticError;
}

export { systemCode as codeOf };
