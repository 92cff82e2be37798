import { once } from "node:events";
import { type ChannelCredentials, Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { decode, encode } from "@msgpack/msgpack";
import type { Method, Sent } from "../../../src/plugin/messages/codec";
import { type Messages, PROVIDER_SERVICE } from "../../../src/plugin/messages/generated/tfplugin6";

type Service = typeof PROVIDER_SERVICE;
type NamesOf<Kind> = {
  [N in keyof Service]: Service[N] extends { readonly kind: Kind } ? N : never;
}[keyof Service];
type Name = keyof Service;
type Request<N extends Name> = Parameters<Service[N]["requestSerialize"]>[0];
type Response<N extends Name> = ReturnType<Service[N]["responseDeserialize"]>;

/** A client of the plugin protocol, on a separate connection. */
export class PluginClient {
  readonly #client: Client;

  constructor(socket: string, secure: ChannelCredentials = credentials.createInsecure()) {
    this.#client = new Client(`unix:${socket}`, secure, {
      "grpc.use_local_subchannel_pool": 1,
      "grpc.ssl_target_name_override": "localhost",
      "grpc.max_receive_message_length": -1,
      "grpc.max_send_message_length": -1,
      "grpc.initial_reconnect_backoff_ms": 600_000,
    });
  }

  call<N extends NamesOf<"unary">>(name: N, request: Request<N>): Promise<Response<N>> {
    return this.send(
      PROVIDER_SERVICE[name] as unknown as Method<Request<N>, Response<N>>,
      request as Sent<Request<N>>,
    );
  }

  /** Calls any procedure. @throws ServiceError if there is no response */
  send<Req, Res>(method: Method<Req, Res>, request: Sent<Req>): Promise<Res> {
    const { path, requestSerialize, responseDeserialize } = method;
    return new Promise((resolve, reject) =>
      this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        new Metadata(),
        (problem: ServiceError | null, answer?: Res) => (problem ? reject(problem) : resolve(answer as Res)),
      ),
    );
  }

  /** Calls a procedure with a stream of responses. @throws ServiceError if the stream ends with an error */
  async stream<N extends NamesOf<"server-streaming">>(
    name: N,
    request: Request<N>,
  ): Promise<readonly Response<N>[]> {
    return (await this.#open(name, request).toArray()) as Response<N>[];
  }

  /** Calls a streaming procedure, and cancels the call after the first response. */
  async cancelAfterFirst<N extends NamesOf<"server-streaming">>(name: N, request: Request<N>): Promise<void> {
    const stream = this.#open(name, request);
    const ended = once(stream, "error");
    await once(stream, "data");
    stream.cancel();
    await ended;
  }

  #open<N extends NamesOf<"server-streaming">>(name: N, request: Request<N>) {
    const { path, requestSerialize, responseDeserialize } = PROVIDER_SERVICE[name] as unknown as Method<
      Request<N>,
      Response<N>
    >;
    return this.#client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request as Sent<Request<N>>,
    );
  }

  close(): void {
    this.#client.close();
  }
}

/** Encodes a value as Terraform does. */
export const dynamic = (value: unknown): { msgpack: Uint8Array } => ({ msgpack: encode(value) });

/** Decodes a value as Terraform does; null if the message has no value. */
export const plain = (value: Messages["DynamicValue"] | undefined): unknown =>
  value === undefined ? null : decode(value.msgpack);

/** No object. */
export const NONE = dynamic(null);

type Value = Messages["DynamicValue"] | { msgpack: Uint8Array };
type Planned = Request<"PlanResourceChange">;

/** Plans an object with this declaration. The state has no object unless `more` contains one. */
export const plan = (client: PluginClient, typeName: string, config: Value, more: Planned = {}) =>
  client.call("PlanResourceChange", {
    typeName,
    priorState: NONE,
    proposedNewState: config,
    config,
    ...more,
  });

/** Plans an object, and creates it with the declared values. */
export async function make(client: PluginClient, typeName: string, config: Value) {
  const { plannedState, plannedPrivate, plannedIdentity, diagnostics } = await plan(client, typeName, config);
  expect([diagnostics, plannedIdentity]).toEqual([[], undefined]);
  const planned = { plannedState: plannedState!, plannedPrivate };
  return client.call("ApplyResourceChange", { typeName, priorState: NONE, config, ...planned });
}
