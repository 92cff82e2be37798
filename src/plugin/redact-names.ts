import type { RequestEvent } from "../framework";
import { SENSITIVE } from "../text";

/** Path segments that are followed by a name or an e-mail address. */
const NAME_SEGMENTS = /\/(protected_environments|invitations)\/[^/]+/;

/**
 * Redacts environment names and e-mail addresses in a request event. Terraform does not tell a provider which
 * values are sensitive, so each of them counts as such.
 */
export const redactNames = (event: RequestEvent): RequestEvent =>
  event.kind === "waiting"
    ? event
    : { ...event, path: event.path.replace(NAME_SEGMENTS, `/$1/${SENSITIVE}`) };
