import type { $ZodType, output } from "zod/v4/core";
import {
  type ApiRoot,
  type HttpResponse,
  nextPageTarget,
  type PreparedRequest,
  pauseBeforeVerify,
  type RequestSender,
} from "../../http";
import { ApiError, type RequestInfo, StatusError } from "../errors";
import { checkParameters, decodeAnswer } from "./decode";
import {
  checkTargetLength,
  encodeParameters,
  encodePath,
  type Parameters,
  type PathArguments,
} from "./encoding";
import { byId, mayHaveMoved, WHERE_NOW } from "./moved-project";
import { type Arguments, type CallOptions, isRepeatable, type Operation, operation } from "./operation";

export interface SenderSettings {
  readonly home: ApiRoot;
  /** Names and values in turn: the token's header, or none. */
  readonly authentication: readonly string[];
  /** Takes the token out of a text that the service wrote. */
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal | undefined;
  /** Whether changes that are the same when sent twice are repeated after a lost answer. */
  readonly repeatWrites: boolean;
  /** Milliseconds: upper end of the first pause before a lost answer is looked for. */
  readonly retryDelay: number;
}

/** Asked for by nobody but the client itself. */
const VERSION = operation({
  name: "version.get",
  summary: "Tells which release the service runs.",
  section: "Version",
  method: "GET",
  path: "/version",
});

/** What a refusal means, where the caller can find out more than it says. */
export type Explain = (problem: StatusError) => Promise<ApiError | undefined>;

/** Makes requests of operations and records of answers: the one way out of the client. */
export class Sender {
  readonly #settings: SenderSettings;
  readonly #delivery: RequestSender;
  readonly #headers: readonly string[];
  readonly #headersWithBody: readonly string[];
  readonly #explain: Explain | undefined;
  /** Something was answered that only the API answers. */
  #isApi = false;
  #version: Promise<boolean> | undefined;

  constructor(settings: SenderSettings, delivery: RequestSender, explain?: Explain) {
    this.#settings = settings;
    this.#delivery = delivery;
    this.#explain = explain;
    const agent = ["accept", "application/json", "user-agent", "cdktf-provider-steward"];
    this.#headers = [...settings.authentication, ...agent];
    this.#headersWithBody = [...this.#headers, "content-type", "application/json"];
  }

  /**
   * Sends an operation and gives its answer in the declared shape; undefined where it has none. A write by the old path
   * of a project that moved is sent once more, by the project's id, where the service answers 405.
   *
   * @throws ApiError
   */
  async call<Template extends string, Params extends $ZodType, Answer extends $ZodType>(
    operation: Operation<Template, Params, Answer>,
    given: Arguments<Template, Params>,
    options: CallOptions = {},
  ): Promise<output<Answer>> {
    const prepared = this.prepare(operation, given, options);
    let answer: HttpResponse;
    try {
      answer = await this.send(prepared);
    } catch (problem) {
      const path = await this.#newPath(operation.path, given.path, problem, options);
      if (path === undefined) throw problem;
      answer = await this.send(this.prepare(operation, { ...given, path }, options));
    }
    if (!operation.answer) return undefined as output<Answer>;
    return this.decode(operation.answer, answer, prepared.info);
  }

  /** Where to send a write again that was refused for the old path of its project; nothing where that is not why. */
  async #newPath<Template extends string>(
    template: Template,
    given: PathArguments<Template>,
    problem: unknown,
    options: CallOptions,
  ): Promise<PathArguments<Template> | undefined> {
    const moved = mayHaveMoved(template, given, problem);
    if (moved === undefined) return undefined;
    try {
      return byId(given, moved, await this.call(WHERE_NOW, { path: { project: moved.path } }, options));
    } catch (failed) {
      // What the write was refused with says more.
      if (failed instanceof ApiError && failed.code !== "cancelled") return undefined;
      throw failed;
    }
  }

  /** Checks and encodes a call; `extra` joins the parameters of a list's page. */
  prepare<Template extends string, Params extends $ZodType>(
    operation: Operation<Template, Params>,
    given: Arguments<Template, Params>,
    { signal }: CallOptions,
    extra?: Parameters,
  ): PreparedRequest {
    const { method, name } = operation;
    const { home, redact } = this.#settings;
    const path = encodePath(operation.path, given.path);
    const info = { operation: name, method, path };
    const checked = operation.parameters
      ? (checkParameters(operation.parameters, given.parameters ?? {}, info, redact) as Parameters)
      : {};
    const query = method === "GET" ? encodeParameters({ ...checked, ...extra }) : "";
    // Services take a dot for the beginning of a format, and proxies two of them for a step up.
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
      isRepeatable: method === "GET" || (this.#settings.repeatWrites && isRepeatable(operation)),
      signals: [this.#settings.signal, signal].filter((each) => each !== undefined),
    };
  }

  /** The same, with errors that say more than the service does, where `explain` has more to say. */
  explaining(explain: Explain): Sender {
    return new Sender(this.#settings, this.#delivery, explain);
  }

  /** Sends a prepared request and gives the answer when it is a success. */
  async send(prepared: PreparedRequest): Promise<HttpResponse> {
    try {
      const answer = await this.#delivery.send(prepared);
      this.#isApi = true;
      return answer;
    } catch (problem) {
      if (!(problem instanceof StatusError)) throw problem;
      await this.#checkApi(problem);
      throw (await this.#explain?.(problem)) ?? problem;
    }
  }

  /**
   * A 404 of the first project, group or user that is asked for may be due to a wrong path in the service's address, where
   * the answer doesn't say what was not found. The version is there for every token, so without it there is no API.
   *
   * @throws StatusError `no_api`
   */
  async #checkApi({ status, path = "", serviceMessage = "" }: StatusError): Promise<void> {
    if (status !== 404 || /\w+ not found$/i.test(serviceMessage.replace(/^404 /, ""))) this.#isApi = true;
    if (this.#isApi || path.split("/").length > 3) return;
    this.#version ??= this.#delivery.send(this.prepare(VERSION, { path: {} }, {})).then(
      () => true,
      (problem: unknown) => !(problem instanceof StatusError && problem.status === 404),
    );
    this.#isApi = await this.#version;
    if (this.#isApi) return;
    const { origin, prefix } = this.#settings.home;
    throw new StatusError({
      code: "no_api",
      what: `No API at ${origin}${prefix} (404 for /version)`,
      status: 404,
    });
  }

  decode<Answer extends $ZodType>(schema: Answer, answer: HttpResponse, facts: RequestInfo): output<Answer> {
    return decodeAnswer(schema, answer, facts, this.#settings.redact);
  }

  /** The path and query of a list's next page, by the `Link` header, else `otherwise`. */
  nextTarget(
    { headers }: HttpResponse,
    facts: RequestInfo,
    otherwise: string | undefined,
  ): string | undefined {
    return nextPageTarget(headers, this.#settings.home, facts, this.#settings.redact, otherwise);
  }

  /**
   * Waits before the caller looks whether a change was done that was sent for the `attempt`th time and whose answer was
   * lost; false at once where the service asks for a pause that nobody waits out. @throws CancelledError
   */
  async pauseBeforeLook(lost: ApiError, attempt: number): Promise<boolean> {
    const { signal, retryDelay } = this.#settings;
    const milliseconds = pauseBeforeVerify(lost, attempt, { retryDelay });
    if (milliseconds === undefined) return false;
    await this.#delivery.pauseBeforeVerify(lost, milliseconds, attempt, signal ? [signal] : []);
    return true;
  }

  close(): Promise<void> {
    return this.#delivery.close();
  }
}
