import { type HttpError, notFound, refused } from "../http/errors";
import type { ByMode } from "../settings/compat-mode";

/** The kinds of allowlist entries. */
export type EntryKind = "project" | "group";

interface Allowlists {
  /** Whether entries with a target that the caller may not see are hidden, and cannot be removed. */
  readonly hidesUnseen: boolean;
  /** The error for the removal of an entry whose target the caller may not see. */
  unseen(kind: EntryKind): HttpError;
  missing(kind: EntryKind): HttpError;
  readonly alreadyThere: string;
  readonly ownEntry: string;
}

const noTarget = (kind: EntryKind): HttpError =>
  notFound(kind === "project" ? "Target Project" : "Target Group");

/** Visibility of allowlist entries, and errors for adding and removing them. */
export const ALLOWLISTS: ByMode<Allowlists> = {
  strict: {
    hidesUnseen: true,
    unseen: noTarget,
    missing: noTarget,
    alreadyThere: "is already in the job token scope allowlist",
    ownEntry: "A project cannot be removed from its own job token scope allowlist",
  },
  observed: {
    hidesUnseen: false,
    unseen: (kind) => notFound(kind === "project" ? "Project" : "target_group_id not found"),
    missing: (kind) => refused(400, `400 Bad request - Target ${kind} is not in the job token scope`),
    alreadyThere: "is already in the job token scope",
    ownEntry: "400 Bad request - Source project cannot be removed from the job token scope",
  },
};
