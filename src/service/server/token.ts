import type { IncomingHttpHeaders } from "node:http";
import { unauthorized } from "../http/errors";

/**
 * The token of a request (specification, Authentication 1). Some clients send it in both headers; `PRIVATE-TOKEN` counts.
 * Terraform's `http` backend only sends Basic authentication: state endpoints accept the token as its password.
 *
 * @throws HttpError 401 for an `Authorization` header that is no bearer token.
 */
export function tokenOf(headers: IncomingHttpHeaders, takesPassword = false): string | undefined {
  const own = headers["private-token"];
  if (typeof own === "string" && own !== "") return own;
  if (headers.authorization === undefined) return undefined;
  const basic = takesPassword ? /^Basic +(\S+)$/i.exec(headers.authorization)?.[1] : undefined;
  if (basic !== undefined)
    return Buffer.from(basic, "base64")
      .toString("utf8")
      .replace(/^[^:]*:/, "");
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1];
  if (bearer === undefined) throw unauthorized();
  return bearer;
}
