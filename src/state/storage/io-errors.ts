import { DiagnosticError, type DiagnosticText, error, type Hint } from "../../diagnostics";
import { FileProblem, systemCode } from "../../files";

/** The failed operation on a state. */
export type StateAction = "read" | "write" | "lock";

type Explanation = Pick<DiagnosticText, "code"> & {
  /** Returns the summary of the error for a file. `name` is the name of the file, such as "journal". */
  readonly summary: (name: string) => string;
  readonly reason: string;
};

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const notAFile = (name: string): string => `${capitalized(name)} is not a file`;

/** The meanings of a file system's error codes. */
const EXPLANATIONS: readonly (readonly [codes: readonly string[], Explanation])[] = [
  [
    ["ENOSPC", "EDQUOT", "EFBIG"],
    {
      code: "state_disk_full",
      summary: (name) => `No space to save the ${name}`,
      reason:
        "the disk, a quota or a file size limit is exhausted. Free some space, then run the command again",
    },
  ],
  [
    ["EROFS"],
    {
      code: "state_not_permitted",
      summary: (name) => `No permission for the ${name}`,
      reason:
        "the file system is read-only. Use a writable file system, for example a writable copy of the folder",
    },
  ],
  [
    ["EACCES", "EPERM"],
    {
      code: "state_not_permitted",
      summary: (name) => `No permission for the ${name}`,
      reason:
        "this user has no permission. Grant the user read and write permission for the file and its folder",
    },
  ],
  [
    ["ENOENT"],
    {
      code: "state_folder_missing",
      summary: (name) => `Folder of the ${name} is missing`,
      reason: "its folder does not exist. Create the folder, or correct the path",
    },
  ],
  [
    ["ENOTDIR", "EISDIR", "ELOOP"],
    { code: "state_not_a_file", summary: notAFile, reason: "the path is not a file. Correct the path" },
  ],
];

const OTHERWISE: Explanation = {
  code: "state_io_failed",
  summary: (name) => `${capitalized(name)} is inaccessible`,
  reason: "the file system failed. Check the disk or the mount, and run the command again",
};

const ACTIONS: Readonly<Record<StateAction, string>> = {
  read: "can't be read",
  write: "can't be saved",
  lock: "can't be locked",
};

/**
 * The texts about the files of a state. `intact` is the sentence about the effect of a failed write, and `remedy` is for a path
 * that is not a regular file.
 */
const FILES = {
  state: {
    name: "state",
    intact: " The earlier state is intact.",
    remedy: "Correct the path, or move the KIND elsewhere.",
  },
  backup: {
    name: "state's backup",
    intact: " The earlier state is intact.",
    remedy: "Move the KIND elsewhere.",
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

/** Converts a file system error into a diagnostic. Returns other errors unchanged. */
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
    if (fault === "unreadable") return notReadBack(name, `${failed}: ${message}.${intact}`);
    const detail = `${failed}: ${message}. ${remedy.replace("KIND", kindOf(message))}`;
    return new DiagnosticError(
      fault === "too_large"
        ? error({ code: "state_too_large", summary: `${capitalized(name)} is too large`, detail })
        : error({ code: "state_not_a_file", summary: notAFile(name), detail }),
    );
  }
  const code = systemCode(problem);
  if (problem instanceof DiagnosticError || code === undefined) return problem as Error;
  const [, { reason, summary, ...text }] = EXPLANATIONS.find(([codes]) => codes.includes(code)) ?? [
    [],
    OTHERWISE,
  ];
  const after = action === "write" ? intact : "";
  const { hint, ...way } = action === "lock" && text.code === "state_not_permitted" ? WITHOUT_LOCK : NO_HINT;
  return new DiagnosticError(
    error({
      ...text,
      summary: summary(name),
      detail: `${failed} (${code}): ${reason}.${after}${hint}`,
      ...way,
    }),
  );
}

/** Returns "folder" or "file", for the path that the message of a `FileProblem` describes. */
const kindOf = (message: string): string => (message.startsWith("it is a folder") ? "folder" : "file");

const WITHOUT_LOCK: Hint = {
  hint: " To plan without the lock, use this command.",
  action: { kind: "plan", lock: false },
};
const NO_HINT: Hint = { hint: "" };

const notReadBack = (name: string, what: string): DiagnosticError =>
  new DiagnosticError(
    error({
      code: "state_not_read_back",
      summary: `New content of the ${name} is unreadable`,
      detail: `${what} Check the disk, and run the command again. If the disk is in order, report this as a bug.`,
    }),
  );

export { systemCode as codeOf };
