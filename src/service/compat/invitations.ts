import type { ByMode } from "../settings/compat-mode";

export interface InvitationBehavior {
  /** Why an address, or the user of one, is not invited twice. */
  readonly addressInvited: string;
  readonly userInvited: string;
  /** How answers show an expiry, which is kept as a timestamp. */
  expiry(timestamp: string): string;
  /** What a change answers of the invitation; the document of the interface knows the strict form alone. */
  ofChange<Shown extends { access_level: number; expires_at: string | null }>(changed: Shown): Shown;
}

const TAKEN = "The member's email address has already been taken";

/** What invitations say and show. */
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
