/** Invitations that form a table. Two addresses differ only in characters that a key replaces. */
export const INVITATION_ROWS = [
  ...Array.from({ length: 7 }, (_, at) => ({ email: `guest-${at}@example.com`, role: "guest" as const })),
  { email: "o'neill+x@example.com", role: "developer" as const },
  { email: "o`neill+x@example.com", role: "developer" as const },
];
