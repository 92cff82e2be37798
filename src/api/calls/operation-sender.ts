import * as z from "zod/mini";
import type { $ZodType, output } from "zod/v4/core";
import type { ApiRoot, HttpResponse, PreparedRequest, RequestSender } from "../../http";
import { ApiError, StatusError } from "../errors";
import { checkTargetLength, encodeParameters, encodePath, type Parameters } from "./encoding";
import { type Arguments, type CallOptions, isRepeatable, type Operation } from "./operation";
import type { TokenCheck } from "./token-check";
import { checkParameters, decodeResponse, expectAsked, expectFile, expectSuccess } from "./validate";

export interface OperationSenderSettings {
  readonly home: ApiRoot;
  /** The header with the token, as a name and a value. The array is empty without a token. */
  readonly authentication: readonly string[];
  /** Removes the token from a text that the service sent. */
  readonly redact: (text: string) => string;
  readonly templatesPath: string;
  readonly signal: AbortSignal | undefined;
  /** Whether idempotent changes are retried after a lost response. */
  readonly repeatWrites: boolean;
  /** The check of the token. The check is absent if the client has no token. */
  readonly tokenCheck?: TokenCheck | undefined;
}

/** A change that was not sent. */
export interface RehearsedChange {
  readonly method: string;
  /** The encoded path, relative to the API root. */
  readonly path: string;
  /** The JSON text of the body; absent for a request without a body. */
  readonly body?: string;
}

/**
 * A request for the token's user. The response shows whether the API is at an address. The specification contains this
 * request, and the service accepts the request with every token.
 */
const PROBE = {
  name: "users.current",
  summary: "Returns the user of the token.",
  section: "Authenticated user",
  method: "GET",
  path: "/user",
} as const satisfies Operation;

/** The request that finds the id of a moved project. The service redirects reads of the old path to the project. */
const RESOLVE_PROJECT = {
  name: "projects.get",
  summary: "Finds a project that moved.",
  section: "Look-ups",
  method: "GET",
  path: "/projects/:project",
  answer: z.object({ id: z.int(), path_with_namespace: z.string() }),
} as const satisfies Operation;

/** A request, with the function that explains a refusal, and the schema of the responses. */
export type Prepared = PreparedRequest & Pick<Operation, "explain"> & { readonly operation: Operation };

/** Encodes operations as requests and decodes the responses. All requests of the client go through this class. */
export class OperationSender {
  readonly #headers: readonly string[];
  readonly #headersWithBody: readonly string[];
  /** Whether the client has received a response that only the API can send. */
  #isApiConfirmed = false;
  #probe: Promise<boolean> | undefined;

  /** @param rehearse receives each change. With this function, no change is sent to the service */
  constructor(
    readonly settings: OperationSenderSettings,
    private readonly delivery: RequestSender,
    private readonly rehearse?: (change: RehearsedChange) => void,
  ) {
    const agent = ["accept", "application/json", "user-agent", "cdktf-provider-steward"];
    this.#headers = [...settings.authentication, ...agent];
    this.#headersWithBody = [...this.#headers, "content-type", "application/json"];
  }

  /**
   * Sends an operation and returns the decoded response; undefined for a response without a body. If the project has
   * moved, the service refuses a write to the project's old path with 405. The client then sends the write again with
   * the project's id. In a rehearsal, `rehearse` receives the changes, and no change is sent.
   *
   * @throws ApiError; in a rehearsal, `forbidden` for a change whose response the caller needs
   */
  async call<Answer extends $ZodType>(
    operation: Operation<Answer>,
    given: Arguments,
    options: CallOptions = {},
  ): Promise<output<Answer>> {
    const prepared = this.prepare(operation, given, options);
    if (this.rehearse !== undefined && operation.method !== "GET") {
      const { method, path } = prepared.info;
      const { body } = prepared.request;
      this.rehearse({ method, path, ...(body !== undefined && { body }) });
      if (operation.answer === undefined) return undefined as output<Answer>;
      if (operation.rehearsed !== undefined) return operation.rehearsed(given);
      throw new ApiError({ code: "forbidden", what: "Changes are not sent in a rehearsal" });
    }
    let answer: HttpResponse;
    try {
      answer = await this.send(prepared);
    } catch (problem) {
      const path = await this.#pathById(operation.path, given.path, problem, options);
      if (path === undefined) throw problem;
      answer = await this.send(this.prepare(operation, { ...given, path }, options));
    }
    if (!operation.answer) return undefined as output<Answer>;
    if (operation.isRaw === true) return expectFile(answer, prepared.info) as output<Answer>;
    const { redact } = this.settings;
    const decoded = decodeResponse(operation.answer, answer, prepared.info, redact);
    return expectAsked(operation, decoded, given, answer, prepared.info, redact);
  }

  /**
   * Returns the path arguments with the project's id instead of the project's path, if a write got a 405 because the
   * project moved. Returns undefined if the arguments contain the project's id, or if the service may have executed
   * an earlier attempt.
   */
  async #pathById(template: string, given: Arguments["path"], problem: unknown, options: CallOptions) {
    const isRefused = problem instanceof StatusError && problem.status === 405 && !problem.mayHaveBeenDone;
    if (!isRefused || problem.method === "GET") return undefined;
    const [, key = ""] = /^\/projects\/:([a-z_]+)(?:\/|$)/i.exec(template) ?? [];
    const path = given[key];
    if (typeof path !== "string" || /^\d+$/.test(path)) return undefined;
    try {
      const moved = await this.call(RESOLVE_PROJECT, { path: { project: path } }, options);
      const isSame = moved.path_with_namespace.toLowerCase() === path.toLowerCase();
      return isSame ? undefined : { ...given, [key]: moved.id };
    } catch (failed) {
      // If this look-up fails, the original refusal is the more useful error.
      if (failed instanceof ApiError && failed.code !== "cancelled") return undefined;
      throw failed;
    }
  }

  /** Validates and encodes a call. `extra` contains the parameters of a page. */
  prepare(operation: Operation, given: Arguments, { signal }: CallOptions, extra?: Parameters): Prepared {
    const { method, name } = operation;
    const { home, redact, templatesPath: templates_path } = this.settings;
    const path = encodePath(operation.path, { templates_path, ...given.path });
    const info = { operation: name, method, path };
    const checked = operation.parameters
      ? (checkParameters(operation.parameters, given.parameters ?? {}, info, redact) as Parameters)
      : {};
    const query = method === "GET" ? encodeParameters({ ...checked, ...extra }) : "";
    // All dots in the path are encoded. Services would read a dot as the start of a format suffix, and proxies
    // would read two dots as the parent folder.
    const target = `${home.prefix}${path.replaceAll(".", "%2E")}${query && `?${query}`}`;
    checkTargetLength(target, info);
    const hasBody = method !== "GET" && operation.parameters !== undefined;
    return {
      info,
      request: {
        origin: home.origin,
        method,
        target,
        headers: hasBody ? this.#headersWithBody : this.#headers,
        body: hasBody ? JSON.stringify(checked) : undefined,
      },
      operation,
      ...(operation.explain && { explain: operation.explain }),
      ...(operation.isUrgent === true && { isUrgent: true }),
      isRepeatable: method === "GET" || (this.settings.repeatWrites && isRepeatable(operation)),
      signals: [this.settings.signal, signal].filter((each) => each !== undefined),
    };
  }

  /** Returns a sender that records changes instead of sending them. */
  rehearsing(rehearse: (change: RehearsedChange) => void): OperationSender {
    return new OperationSender(this.settings, this.delivery, rehearse);
  }

  /** Sends a prepared request and returns a successful response. */
  async send(prepared: Prepared): Promise<HttpResponse> {
    try {
      const answer = await this.delivery.send(prepared);
      expectSuccess(prepared.operation, answer, prepared.info);
      this.#isApiConfirmed = true;
      this.settings.tokenCheck?.answered();
      return answer;
    } catch (problem) {
      this.settings.tokenCheck?.answered(problem);
      if (!(problem instanceof StatusError)) throw problem;
      await this.#checkApi(problem);
      const ask = (operation: Operation, given: Arguments) =>
        this.send(this.prepare(operation, given, {}, { per_page: 1 }));
      throw (await prepared.explain?.(problem, ask)) ?? problem;
    }
  }

  /** Requests the token's user. The request does not wait for the token check. @throws ApiError */
  async askForUser(): Promise<void> {
    await this.delivery.send({ ...this.prepare(PROBE, { path: {} }, {}), isUnheld: true });
  }

  /**
   * Checks the address after an unspecific 404 to the first request for a project, group or user. A wrong path in
   * base_url can cause a 404 for every request. The check requests the token's user, which every token may read. If the
   * response to the check is also 404, the address has no API.
   *
   * @throws StatusError `no_api`
   */
  async #checkApi({ status, code, path = "", serviceMessage = "" }: StatusError): Promise<void> {
    const isSpecific = code === "not_found" && /\w+ not found$/i.test(serviceMessage.replace(/^404 /, ""));
    if (status !== 404 || isSpecific) this.#isApiConfirmed = true;
    if (this.#isApiConfirmed || path.split("/").length > 3) return;
    this.#probe ??=
      path === PROBE.path
        ? Promise.resolve(false)
        : this.delivery.send(this.prepare(PROBE, { path: {} }, {})).then(
            () => true,
            (problem: unknown) => !(problem instanceof StatusError && problem.status === 404),
          );
    this.#isApiConfirmed = await this.#probe;
    if (this.#isApiConfirmed) return;
    const { origin, prefix } = this.settings.home;
    throw new StatusError({
      code: "no_api",
      what: `No API at ${origin}${prefix} (404 for /user)`,
      status: 404,
    });
  }
}
