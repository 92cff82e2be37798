/** The body of an error: `{"message": …}`, or `{"error": …}` for a malformed request. */
export type ErrorBody =
  | { readonly message: unknown }
  | { readonly error: string; readonly [detail: string]: unknown };

/** The error that ends a request with a status and a JSON body. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(`${status} ${JSON.stringify(body)}`, options);
  }

  /** The reason as one sentence, for messages outside of HTTP. */
  get reason(): string {
    const message = "message" in this.body ? this.body.message : this.body.error;
    if (typeof message !== "object" || message === null) return String(message);
    return Object.entries(message)
      .map(([field, reasons]) => `${field} ${[reasons].flat().join(", ")}`)
      .join("; ");
  }
}

/** Returns a 400 with one text, such as `name is missing`. */
export const badRequest = (error: string): HttpError => new HttpError(400, { error });

/** Returns a refusal. The message of the refusal is a text, or lists of reasons by field. */
export const refused = (
  status: 400 | 409 | 422,
  message: string | Record<string, readonly string[]>,
): HttpError => new HttpError(status, { message });

export const unauthorized = (): HttpError => new HttpError(401, { message: "401 Unauthorized" });

export const forbidden = (reason?: string): HttpError =>
  new HttpError(403, { message: reason === undefined ? "403 Forbidden" : `403 Forbidden - ${reason}` });

/**
 * Returns a 404 for a kind of record, such as `Project`. The response is the same for a missing and a hidden record.
 */
export const notFound = (what: string): HttpError => new HttpError(404, { message: `404 ${what} Not Found` });

/** Returns the given record. @throws HttpError 404 if the record is undefined */
export function found<Thing>(record: Thing | undefined, what: string): Thing {
  if (record === undefined) throw notFound(what);
  return record;
}

/** Returns a 404 for a URL without an endpoint. */
export const noEndpoint = (): HttpError => new HttpError(404, { error: "404 Not Found" });
