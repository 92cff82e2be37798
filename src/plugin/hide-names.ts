import type { RequestEvent } from "../framework";
import { SENSITIVE } from "../text";

/** What follows these words in a path is a name or an e-mail address that somebody chose. */
const NAMED = /\/(protected_environments|invitations)\/[^/]+/;

/**
 * A step of a request without names of environments and addresses of people. Terraform tells a provider of no value whether
 * it is sensitive, so that each of them has to count as such.
 */
export const withoutNames = (event: RequestEvent): RequestEvent =>
  event.kind === "waiting" ? event : { ...event, path: event.path.replace(NAMED, `/$1/${SENSITIVE}`) };
