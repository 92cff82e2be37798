import { oneLine } from "../../text";
import type { Observer } from "./request-log";

/** Takes one line without a line end. */
export type AccessLog = (line: string) => void;

/** A token belongs into a header; one that came in an address is not written down. */
const withoutTokens = (url: string): string => url.replace(/([?&][^=&]*token[^=&]*=)[^&]*/gi, "$1[removed]");

/** Writes one line a request: when, what, how it ended, how long it took. */
export const accessLogger =
  (write: AccessLog): Observer =>
  ({ method, url, status, milliseconds }) =>
    write(
      oneLine(
        `${new Date().toISOString()} ${method} ${withoutTokens(url)} ${status} ${milliseconds.toFixed(1)}ms`,
      ),
    );
