import type { ServeArguments } from "../arguments/serve";
import type { Terminal } from "../terminal/terminal";

/** Writes the line that scripts wait for, and where to find a token. */
export function writeListening(
  url: string,
  { out, err }: Pick<Terminal, "out" | "err">,
  args: ServeArguments,
): void {
  out.line(`listening on ${url}`);
  err.line(`${tokenHint(args)} Press Ctrl-C to stop the service.`);
}

/** The token itself is never printed. */
function tokenHint({ adminTokenFile, fixture }: ServeArguments): string {
  if (adminTokenFile !== undefined) return `The administrator's token is in ${adminTokenFile}.`;
  if (fixture !== undefined)
    return "The fixture's tokens are accepted. If it has none, set --admin-token-file.";
  return "The service has no token: set --admin-token-file or --fixture.";
}
