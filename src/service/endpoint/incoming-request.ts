import type { Caller } from "../access/caller";
import type { ServiceSettings } from "../settings/settings";
import type { Database } from "../store/database";

/** A request with decoded parameters, before they are validated. */
export interface IncomingRequest {
  readonly database: Database;
  readonly settings: ServiceSettings;
  readonly caller: Caller;
  /** Whether the method is GET. */
  readonly isRead: boolean;
  /** Parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Parameters of query and body; the body takes precedence. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The body as it was sent, where it is JSON. */
  readonly text: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** The requested URL, on the origin that the client used. */
  readonly address: URL;
}
