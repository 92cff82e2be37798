import type { ByMode } from "../settings/compat-mode";

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
