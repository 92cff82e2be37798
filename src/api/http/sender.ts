import type { Dispatcher } from "undici";
import type { $ZodType, output } from "zod/v4/core";
import type { RequestFacts } from "../errors";
import { checkParameters, decodeAnswer } from "./decode";
import { checkTargetLength, encodeParameters, encodePath, type Parameters } from "./encoding";
import type { EventListener } from "./events";
import { connectionError } from "./failures";
import type { Arguments, CallOptions, Operation } from "./operation";
import { isSuccess, refusal } from "./statuses";
import { exchange, type HttpAnswer, type HttpRequest, TransportFailure } from "./transport";

export interface SenderSettings {
  /** The path that every operation's path follows; it ends with `/api/v4`. */
  readonly prefix: string;
  readonly requestTimeout: number;
  readonly maxAnswerBytes: number;
  /** Names and values in turn: the token's header, or none. */
  readonly authentication: readonly string[];
  /** Takes the token out of a text that the service wrote. */
  readonly redact: (text: string) => string;
  readonly open: () => Dispatcher;
  readonly signal: AbortSignal | undefined;
  readonly onEvent: EventListener | undefined;
}

/** A request that is ready to go, and what is the same for every try of it. */
export interface Prepared {
  readonly facts: RequestFacts;
  readonly request: HttpRequest;
  readonly signals: readonly AbortSignal[];
}

/** Sends operations: the one way out of the client. */
export class Sender {
  readonly #settings: SenderSettings;
  readonly #headers: readonly string[];
  readonly #headersWithBody: readonly string[];
  #dispatcher: Dispatcher | undefined;

  constructor(settings: SenderSettings) {
    this.#settings = settings;
    this.#headers = [
      ...settings.authentication,
      "accept",
      "application/json",
      "user-agent",
      "cdktf-provider-steward",
    ];
    this.#headersWithBody = [...this.#headers, "content-type", "application/json"];
  }

  /**
   * Sends an operation and gives its answer in the declared shape; undefined where it has none.
   *
   * @throws ApiError
   */
  async call<Template extends string, Params extends $ZodType, Answer extends $ZodType>(
    operation: Operation<Template, Params, Answer>,
    given: Arguments<Template, Params>,
    options: CallOptions = {},
  ): Promise<output<Answer>> {
    const prepared = this.prepare(operation, given, options);
    return this.decode(operation.answer, await this.send(prepared), prepared.facts);
  }

  /** Checks and encodes a call; `extra` joins the parameters of a list's page. */
  prepare<Template extends string, Params extends $ZodType>(
    operation: Operation<Template, Params>,
    given: Arguments<Template, Params>,
    { signal }: CallOptions,
    extra?: Parameters,
  ): Prepared {
    const { method, name } = operation;
    const path = encodePath(operation.path, given.path);
    const facts = { operation: name, method, path };
    const checked = operation.parameters
      ? (checkParameters(operation.parameters, given.parameters ?? {}, facts) as Parameters)
      : {};
    const query = method === "GET" ? encodeParameters({ ...checked, ...extra }) : "";
    const target = `${this.#settings.prefix}${path}${query && `?${query}`}`;
    checkTargetLength(target, facts);
    const hasBody = method !== "GET" && operation.parameters !== undefined;
    return {
      facts,
      request: {
        method,
        target,
        headers: hasBody ? this.#headersWithBody : this.#headers,
        body: hasBody ? JSON.stringify(checked) : undefined,
      },
      signals: [this.#settings.signal, signal].filter((each) => each !== undefined),
    };
  }

  /** Sends a prepared request and gives the answer when it is a success. */
  async send(prepared: Prepared): Promise<HttpAnswer> {
    this.#dispatcher ??= this.#settings.open();
    const answer = await this.#exchange(this.#dispatcher, prepared);
    if (isSuccess(answer.status)) return answer;
    throw refusal(answer, prepared.facts, this.#settings.redact);
  }

  decode<Answer extends $ZodType>(
    schema: Answer | undefined,
    answer: HttpAnswer,
    facts: RequestFacts,
  ): output<Answer> {
    if (!schema) return undefined as output<Answer>;
    return decodeAnswer(schema, answer, facts, this.#settings.redact);
  }

  /** Closes the connections once the calls under way have ended. */
  async close(): Promise<void> {
    await this.#dispatcher?.close();
    this.#dispatcher = undefined;
  }

  async #exchange(dispatcher: Dispatcher, { request, facts, signals }: Prepared): Promise<HttpAnswer> {
    const { requestTimeout, maxAnswerBytes, onEvent } = this.#settings;
    const event = { ...facts, attempt: 1 };
    const start = performance.now();
    onEvent?.({ ...event, type: "request" });
    try {
      const answer = await exchange(dispatcher, request, {
        timeout: requestTimeout,
        maxAnswerBytes,
        signals,
      });
      const milliseconds = performance.now() - start;
      onEvent?.({ ...event, type: "answer", status: answer.status, milliseconds });
      return answer;
    } catch (error) {
      if (error instanceof TransportFailure) throw connectionError(error, facts);
      throw error;
    }
  }
}
