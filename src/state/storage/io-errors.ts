import { DiagnosticError, type DiagnosticText, error } from "../../diagnostics";
import { FileProblem, systemCode } from "../../files";

/** The operation on the state that failed. */
export type StateAction = "read" | "write" | "lock";

type Explanation = Pick<DiagnosticText, "code" | "summary"> & { readonly reason: string };

const NOT_A_FILE = "State is not a file";

/** What the codes of a file system mean. */
const EXPLANATIONS: readonly (readonly [codes: readonly string[], Explanation])[] = [
  [
    ["ENOSPC", "EDQUOT", "EFBIG"],
    {
      code: "state_disk_full",
      summary: "No space to save the state",
      reason:
        "the disk, a quota or a file size limit is exhausted. Free some space, then run the command again",
    },
  ],
  [
    ["EROFS", "EACCES", "EPERM"],
    {
      code: "state_not_permitted",
      summary: "No permission for the state",
      reason:
        "the file system is read-only, or this user has no permission there. Grant the user read and write permission for the " +
        "file and its folder, or work in a writable copy of both",
    },
  ],
  [
    ["ENOENT"],
    {
      code: "state_folder_missing",
      summary: "Folder of the state is missing",
      reason: "its folder does not exist. Create the folder, or correct the path",
    },
  ],
  [
    ["ENOTDIR", "EISDIR", "ELOOP"],
    { code: "state_not_a_file", summary: NOT_A_FILE, reason: "the path is not a file. Correct the path" },
  ],
];

const OTHERWISE: Explanation = {
  code: "state_io_failed",
  summary: "State is inaccessible",
  reason: "the file system failed. Check the disk or the mount, and run the command again",
};

const ACTIONS: Readonly<Record<StateAction, string>> = {
  read: "can't be read",
  write: "can't be saved",
  lock: "can't be locked",
};

/** The files of a state: their names, what is left if one can't be written, and what to do about one that is no file. */
const FILES = {
  state: {
    name: "state",
    intact: " The earlier state is intact.",
    remedy: "Correct the path, or remove the file there.",
  },
  backup: {
    name: "state's backup",
    intact: " The earlier state is intact.",
    remedy: "Remove the file there.",
  },
  journal: {
    name: "journal",
    intact: " Nothing is sent without the journal.",
    remedy:
      "Steward does not write such a journal. Find out which program created the file, and move it to another folder.",
  },
  lock: {
    name: "state's lock",
    intact: "",
    remedy:
      "Steward does not write such a lock. Find out which program created it, and remove it when no run uses the state.",
  },
} as const;

export type StateFile = keyof typeof FILES;

/** Converts a file system error into a diagnostic; other errors are returned as they are. */
export function stateIoError(
  problem: unknown,
  action: StateAction,
  file: string,
  what: StateFile = "state",
): Error {
  const { name, intact, remedy } = FILES[what];
  const failed = `The ${name} ${file} ${ACTIONS[action]}`;
  if (problem instanceof FileProblem) {
    const { fault, message } = problem;
    if (fault === "unreadable") return notReadBack(`${failed}: ${message}.${intact}`);
    const text =
      fault === "too_large" ? TOO_LARGE : ({ code: "state_not_a_file", summary: NOT_A_FILE } as const);
    return new DiagnosticError(error({ ...text, detail: `${failed}: ${message}. ${remedy}` }));
  }
  const code = systemCode(problem);
  if (problem instanceof DiagnosticError || code === undefined) return problem as Error;
  const [, { reason, ...text }] = EXPLANATIONS.find(([codes]) => codes.includes(code)) ?? [[], OTHERWISE];
  const after = action === "write" ? intact : "";
  const unlocked = action === "lock" && text.code === "state_not_permitted" ? WITHOUT_LOCK : "";
  return new DiagnosticError(
    error({ ...text, detail: `${failed} (${code}): ${reason}.${after}${unlocked}` }),
  );
}

const WITHOUT_LOCK = " `steward plan --lock=false` writes nothing there.";

const notReadBack = (what: string): DiagnosticError =>
  new DiagnosticError(
    error({
      code: "state_not_read_back",
      summary: "New content of the state is unreadable",
      detail: `${what} Check the disk, and run the command again. If the disk is in order, report this as a bug.`,
    }),
  );

const TOO_LARGE = { code: "state_too_large", summary: "State is too large" } as const;

export { systemCode as codeOf };
