import { isIP } from "node:net";
import { HttpError } from "../http/errors";

/**
 * Checks the Host header of requests to a service that listens on loopback. A web page can point its own host name
 * to 127.0.0.1 and then read the responses (DNS rebinding). Requests of a web page have the page's host name in the
 * Host header.
 *
 * The function allows the given names, `localhost`, IP literals, and a missing header (HTTP/1.0).
 *
 * @param names host names without a port
 * @returns a function that throws HttpError 403 for any other name
 */
export function hostCheck(names: readonly string[]): (header: string | undefined) => void {
  const allowed = new Set(["localhost", ...names.map((name) => name.toLowerCase())]);
  return (header) => {
    if (header === undefined || header === "") return;
    const name = nameIn(header);
    if (name !== undefined && (allowed.has(name) || isIP(name) !== 0)) return;
    throw new HttpError(403, {
      message: `403 Forbidden - The host ${JSON.stringify(header)} is not allowed. Use localhost or an address, or start the service with --allowed-host NAME.`,
    });
  };
}

/** Returns the name in a Host header without the port, the brackets, and a final dot; undefined for an invalid header. */
function nameIn(header: string): string | undefined {
  const found = /^(?:\[([\d:a-f.]+)\]|([^:[\]]+))(?::\d*)?$/i.exec(header);
  return (found?.[1] ?? found?.[2])?.toLowerCase().replace(/\.$/, "");
}
