import type { Caller } from "../access/caller";
import type { ServiceSettings } from "../settings/settings";
import type { Database } from "../store/database";

/** A request as the endpoints see it, whatever its spelling was. */
export interface IncomingRequest {
  readonly database: Database;
  readonly settings: ServiceSettings;
  readonly caller: Caller;
  /** Whether the method only reads. */
  readonly reads: boolean;
  /** Parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Parameters of query and body; those of the body win. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The body as it was sent, where it is JSON. */
  readonly text: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** The address that was asked for, on the origin that the client used. */
  readonly address: URL;
}
