import { LEVEL } from "../access/roles";
import { HttpError, notFound, refused } from "../http/errors";
import type { ByMode } from "../settings/settings";

/** The kinds of allowlist entries. */
export type EntryKind = "project" | "group";

interface Allowlists {
  /** Whether entries with a target that the caller may not see are hidden, and cannot be removed. */
  readonly isUnseenHidden: boolean;
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
    isUnseenHidden: true,
    unseen: noTarget,
    missing: noTarget,
    alreadyThere: "is already in the job token scope allowlist",
    ownEntry: "A project cannot be removed from its own job token scope allowlist",
  },
  observed: {
    isUnseenHidden: false,
    unseen: (kind) => notFound(kind === "project" ? "Project" : "target_group_id not found"),
    missing: (kind) => refused(400, `400 Bad request - Target ${kind} is not in the job token scope`),
    alreadyThere: "is already in the job token scope",
    ownEntry: "400 Bad request - Source project cannot be removed from the job token scope",
  },
};

export interface InvitationBehavior {
  /** Reasons why an address or a user cannot be invited again. */
  readonly addressInvited: string;
  readonly userInvited: string;
  /** Formats an expiry, which is stored as a timestamp. */
  expiry(timestamp: string): string;
  /** The answer to an update. The OpenAPI document describes the strict one only. */
  ofChange<Shown extends { access_level: number; expires_at: string | null }>(changed: Shown): Shown;
}

const TAKEN = "The member's email address has already been taken";

/** Messages and formats of invitations. */
export const INVITATIONS: ByMode<InvitationBehavior> = {
  strict: {
    addressInvited: "Invite email has already been taken: this address is already invited",
    userInvited: "User is already invited",
    expiry: (timestamp) => timestamp,
    ofChange: (changed) => changed,
  },
  observed: {
    addressInvited: TAKEN,
    userInvited: TAKEN,
    expiry: (timestamp) => timestamp.slice(0, 10),
    ofChange: ({ access_level, expires_at }) => ({ access_level, expires_at }) as never,
  },
};

/** Lists up to this size have total headers (specification, Limits); 0 means none. */
export const COUNTED_RECORDS: ByMode<number> = { strict: 10_000, observed: 0 };

/** The error for a write to the former path of a project. */
export const MOVED_WRITES: ByMode<(location: string) => HttpError> = {
  // The client keeps method and body.
  strict: (location) =>
    new HttpError(307, { message: `This resource has been moved permanently to ${location}` }, { location }),
  observed: () => new HttpError(405, { message: "Non GET methods are not allowed for moved projects" }),
};

/** The lowest role that may change and unpublish Pages. */
export const PAGES_CHANGED_FROM: ByMode<number> = {
  strict: LEVEL.administrator,
  observed: LEVEL.maintainer,
};

interface PrimaryDomains {
  /** Whether a domain without a scheme is accepted. */
  readonly isSchemeOptional: boolean;
  /** The primary domain in answers, by the value that was set. */
  show(given: string): string;
}

/** Accepted and returned forms of the primary domain. */
export const PRIMARY_DOMAINS: ByMode<PrimaryDomains> = {
  strict: { isSchemeOptional: true, show: (given) => given },
  observed: {
    isSchemeOptional: false,
    show: (given) => addressOf(domainOf(given)),
  },
};

/** The host of a domain or an `https://` URL. */
export const domainOf = (given: string): string => given.replace(/^https:\/\//i, "");

export const addressOf = (domain: string): string => `https://${domain}`;

/** Path segments of CI/CD templates: of the specification, and the one that real clients use. */
export const TEMPLATE_WORDS: Readonly<Record<string, ByMode<boolean>>> = {
  platform_ci_ymls: { strict: true, observed: false },
  gitlab_ci_ymls: { strict: true, observed: true },
};
