import { DiagnosticError, type DiagnosticText, error } from "../../diagnostics";
import { FileProblem, systemCode } from "../../files";

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

/** The files of a state. */
export type StateFile = "state" | "backup" | "journal" | "lock";

const NAMES: Readonly<Record<StateFile, string>> = {
  state: "state",
  backup: "state's backup",
  journal: "journal",
  lock: "state's lock",
};

const UNHARMED: Readonly<Record<StateFile, string>> = {
  state: " The state that was there before is unharmed.",
  backup: " The state that was there before is unharmed.",
  journal: " What can't be noted there first is not sent.",
  lock: "",
};

/** Makes a diagnostic of what the file system said; anything else comes back as it was. */
export function stateIoError(
  problem: unknown,
  action: StateAction,
  file: string,
  what: StateFile = "state",
): Error {
  if (problem instanceof FileProblem) return unusable(problem, action, file, what);
  const code = systemCode(problem);
  if (problem instanceof DiagnosticError || code === undefined) return problem as Error;
  const { reason, ...text }: Explanation = EXPLANATIONS[code] ?? {
    code: "state_io_failed",
    summary: "State is out of reach",
    reason: "the file system failed. Look at the disk or the mount, and run the command again",
  };
  const before = action === "write" ? UNHARMED[what] : "";
  return new DiagnosticError(
    error({
      ...text,
      detail: `The ${NAMES[what]} ${file} ${ACTIONS[action]} (${code}): ${reason}.${before}`,
    }),
  );
}

const REMEDIES: Readonly<Record<StateFile, string>> = {
  state: "Correct the path, or remove what stands there.",
  backup: "Remove what stands there.",
  journal: "Steward itself writes nothing of that kind there: find out who did, and move it away.",
  lock: "Steward itself writes nothing of that kind there: find out who did, and remove it once nobody works on the state.",
};

/** The diagnostic for a path at which something stands that can't be used as one of a state's files. */
function unusable(
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
