import type { ServeArguments } from "../arguments/serve";

/** The first line on stdout, which scripts wait for. */
export const listeningLine = (url: string): string => `listening on ${url}\n`;

/** Where a token for the service comes from. The token itself is never written. */
export function tokenHint({
  adminTokenFile,
  fixture,
}: Pick<ServeArguments, "adminTokenFile" | "fixture">): string {
  if (adminTokenFile !== undefined)
    return `The administrator's token is in ${adminTokenFile}. Ctrl-C ends the service.\n`;
  if (fixture !== undefined) return "The fixture's tokens are accepted. Ctrl-C ends the service.\n";
  return "There is no token that anybody knows: give --admin-token-file or --fixture. Ctrl-C ends the service.\n";
}
