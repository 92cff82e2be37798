import { oneLine } from "../../text";
import type { Observer } from "./request-log";

/** Takes one line without a line end. */
export type AccessLog = (line: string) => void;

/** Redacts tokens in URLs: they belong in a header. */
const withoutTokens = (url: string): string => url.replace(/([?&][^=&]*token[^=&]*=)[^&]*/gi, "$1[removed]");

/** Writes one line per request: time, method, URL, status, duration. */
export const accessLogger =
  (write: AccessLog): Observer =>
  ({ method, url, status, milliseconds }) =>
    write(
      oneLine(
        `${new Date().toISOString()} ${method} ${withoutTokens(url)} ${status} ${milliseconds.toFixed(1)}ms`,
      ),
    );
