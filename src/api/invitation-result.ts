import * as z from "zod/mini";
import { orNull } from "./fields";

const reasons = z.record(z.string(), z.string());

/** What the service answers to an invitation (section "Invitation creation result"). */
export const creationAnswer = z.object({
  status: z.enum(["success", "error"]),
  message: orNull(z.union([reasons, z.string()])),
  queued_users: orNull(reasons),
});

/** Why one address or user was not invited. */
export interface InvitationFailure {
  /** The e-mail address or username; null where the service says it of the whole request. */
  readonly address: string | null;
  readonly kind: "already_invited" | "already_member" | "level_not_allowed" | "other";
  /** The service's own words. */
  readonly reason: string;
}

/** What came of inviting: a success-shaped answer may hold failures of single addresses. */
export interface InvitationResult {
  readonly status: "success" | "error";
  readonly failures: readonly InvitationFailure[];
  /** Usernames that wait for an administrator's approval, with the service's words. */
  readonly queued_users: Readonly<Record<string, string>>;
}

export function readCreation({
  status,
  message,
  queued_users,
}: z.output<typeof creationAnswer>): InvitationResult {
  // The message of a success is no list of failures.
  const told = status === "error" ? message : null;
  const failures =
    typeof told === "string"
      ? [failure(null, told)]
      : Object.entries(told ?? {}).map(([address, reason]) => failure(address, reason));
  return { status, failures, queued_users: queued_users ?? {} };
}

const failure = (address: string | null, reason: string): InvitationFailure => ({
  address,
  reason,
  kind: kindOf(reason),
});

function kindOf(reason: string): InvitationFailure["kind"] {
  // The live platform says of an invited address that it is taken, and of a member that the user exists.
  if (/already (been )?invited|\bbeen taken\b/i.test(reason)) return "already_invited";
  if (/already (exists|a member)|already.*member/i.test(reason)) return "already_member";
  if (/not included in the list|level/i.test(reason)) return "level_not_allowed";
  return "other";
}
