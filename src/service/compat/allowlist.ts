import { type HttpError, notFound, refused } from "../http/errors";
import type { ByMode } from "../settings/compat-mode";

/** What an allowlist names in an entry. */
export type EntryKind = "project" | "group";

interface Allowlists {
  /** Whether entries whose target the caller may not see are on no list, and a group's cannot be removed. */
  readonly hidesUnseen: boolean;
  /** The answer where an entry is to be removed whose target the caller cannot find. */
  unseen(kind: EntryKind): HttpError;
  missing(kind: EntryKind): HttpError;
  readonly alreadyThere: string;
  readonly ownEntry: string;
}

const noTarget = (kind: EntryKind): HttpError =>
  notFound(kind === "project" ? "Target Project" : "Target Group");

/** What an allowlist shows, and how it refuses to add and to remove an entry. */
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
