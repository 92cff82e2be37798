import type { Service } from "cdktf-provider-steward/testing";

/** A response with its body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Request {
  /** The token to send. The default is the token of the administrator; `null` sends no token. */
  readonly token?: string | null;
  readonly json?: unknown;
  readonly form?: string;
  readonly headers?: Record<string, string>;
}

/**
 * Returns a function that sends a plain request to a service. The function neither follows redirects nor checks the
 * status.
 */
export const client =
  (service: Pick<Service, "url" | "adminToken">, prefix = "/api/v4") =>
  async (method: string, path: string, request: Request = {}): Promise<Answer> => {
    const { token = service.adminToken, json, form, headers } = request;
    const body = json === undefined ? form : JSON.stringify(json);
    const type = json === undefined ? "application/x-www-form-urlencoded" : "application/json";
    const response = await fetch(`${service.url}${prefix}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(token === null ? {} : { "private-token": token }),
        ...(body === undefined ? {} : { "content-type": type }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
  };
