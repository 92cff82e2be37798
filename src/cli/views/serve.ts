import type { ServeArguments } from "../arguments/serve";
import type { Terminal } from "../terminal/terminal";

/** Tells that the service listens, by the line that scripts wait for, and where a token comes from. */
export function writeListening(
  url: string,
  { out, err }: Pick<Terminal, "out" | "err">,
  args: ServeArguments,
): void {
  out.line(`listening on ${url}`);
  err.line(`${tokenHint(args)} Ctrl-C ends the service.`);
}

/** The token itself is never written. */
function tokenHint({ adminTokenFile, fixture }: ServeArguments): string {
  if (adminTokenFile !== undefined) return `The administrator's token is in ${adminTokenFile}.`;
  if (fixture !== undefined) return "The fixture's tokens are accepted.";
  return "No token is known: give --admin-token-file or --fixture.";
}
