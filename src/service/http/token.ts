import type { IncomingHttpHeaders } from "node:http";
import { unauthorized } from "./errors";

/**
 * The token of a request (specification, Authentication 1). Some clients send it in both headers; `PRIVATE-TOKEN` counts.
 *
 * @throws HttpError 401 for an `Authorization` header that is no bearer token.
 */
export function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers["private-token"];
  if (typeof own === "string" && own !== "") return own;
  if (headers.authorization === undefined) return undefined;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1];
  if (bearer === undefined) throw unauthorized();
  return bearer;
}
