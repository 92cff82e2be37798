/**
 * Invitations that form a table. The last two e-mail addresses differ only in characters that Steward replaces in the keys
 * of a table.
 */
export const INVITATION_ROWS = [
  ...Array.from({ length: 7 }, (_, at) => ({ email: `guest-${at}@example.com`, role: "guest" as const })),
  { email: "o'neill+x@example.com", role: "developer" as const },
  { email: "o`neill+x@example.com", role: "developer" as const },
];
