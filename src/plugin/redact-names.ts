import type { Provider, RequestEvent } from "../framework";

/**
 * Redacts the names in the path of a request event, such as e-mail addresses. Terraform does not tell a provider which
 * values are sensitive, so each of them counts as such.
 */
export const redactNames = (
  event: RequestEvent,
  { redactPath }: Pick<Provider, "redactPath">,
): RequestEvent =>
  event.kind === "waiting" || redactPath === undefined ? event : { ...event, path: redactPath(event.path) };
