import * as z from "zod/mini";
import { orNull } from "./fields";

const reasons = z.record(z.string(), z.string());

/** The response to an invitation (section "Invitation creation result"). */
export const creationResponse = z.object({
  status: z.enum(["success", "error"]),
  message: orNull(z.union([reasons, z.string()])),
  queued_users: orNull(reasons),
});

/** Why one address or user was not invited. */
export interface InvitationFailure {
  /** The e-mail address or username; null if the failure concerns the whole request. */
  readonly address: string | null;
  readonly kind: "already_invited" | "already_member" | "level_not_allowed" | "other";
  /** The service's message. */
  readonly reason: string;
}

/** The result of an invitation: a successful response may contain failures of single addresses. */
export interface InvitationResult {
  readonly status: "success" | "error";
  readonly failures: readonly InvitationFailure[];
  /** Usernames that need an administrator's approval, with the service's messages. */
  readonly queued_users: Readonly<Record<string, string>>;
}

export function readCreation({
  status,
  message,
  queued_users,
}: z.output<typeof creationResponse>): InvitationResult {
  // The message of a success is no list of failures.
  const messageOf = status === "error" ? message : null;
  const failures =
    typeof messageOf === "string"
      ? [failure(null, messageOf)]
      : Object.entries(messageOf ?? {}).map(([address, reason]) => failure(address, reason));
  return { status, failures, queued_users: queued_users ?? {} };
}

const failure = (address: string | null, reason: string): InvitationFailure => ({
  address,
  reason,
  kind: failureKind(reason),
});

function failureKind(reason: string): InvitationFailure["kind"] {
  // The live platform reports an invited address as taken, and a member as an existing user.
  if (/already (been )?invited|\bbeen taken\b/i.test(reason)) return "already_invited";
  if (/already (exists|a member)|already.*member/i.test(reason)) return "already_member";
  if (/not included in the list|level/i.test(reason)) return "level_not_allowed";
  return "other";
}
