import { type HttpError, notFound, refused } from "../http/errors";
import type { Habit } from "./habit";

/** What an allowlist names in an entry. */
export type EntryKind = "project" | "group";

interface Allowlists {
  /** Whether an entry is removed only where its target can be found: a project by the caller, a group at all. */
  readonly findsTarget: boolean;
  missing(kind: EntryKind): HttpError;
  readonly alreadyThere: string;
  readonly ownEntry: string;
}

/** How an allowlist refuses to add and to remove an entry. */
export const ALLOWLISTS: Habit<Allowlists> = {
  strict: {
    findsTarget: false,
    missing: (kind) => notFound(kind === "project" ? "Target Project" : "Target Group"),
    alreadyThere: "is already in the job token scope allowlist",
    ownEntry: "A project cannot be removed from its own job token scope allowlist",
  },
  observed: {
    findsTarget: true,
    missing: (kind) => refused(400, `400 Bad request - Target ${kind} is not in the job token scope`),
    alreadyThere: "is already in the job token scope",
    ownEntry: "400 Bad request - Source project cannot be removed from the job token scope",
  },
};
