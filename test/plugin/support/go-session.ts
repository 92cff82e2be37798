import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import type { Method } from "../../../src/plugin/messages/codec";
import { PROVIDER_SERVICE } from "../../../src/plugin/messages/generated/tfplugin6";
import type { GoProgram } from "../../transport/support/go-program";

type Service = typeof PROVIDER_SERVICE;
type Name = keyof Service;
type Request<N extends Name> = Parameters<Service[N]["requestSerialize"]>[0];
type Response<N extends Name> = ReturnType<Service[N]["responseDeserialize"]>;

/** The end of a call: its responses, and its status in gRPC's words. */
export interface Ended<Res> {
  readonly messages: readonly Res[];
  readonly code: string;
  readonly message: string;
}

/** A connection to the provider through grpc-go, the gRPC library of Terraform and OpenTofu. */
export class GoSession {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  /** @param client the program in test/transport/go/client */
  constructor(client: GoProgram, socket: string) {
    this.#child = client.start("session", `unix:${socket}`);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Calls a procedure and collects its responses. Cancels the call after the given number of responses. */
  async call<N extends Name>(name: N, request: Request<N>, cancelAfter = 0): Promise<Ended<Response<N>>> {
    const method = PROVIDER_SERVICE[name] as unknown as Method<unknown, Response<N>>;
    const message = method.requestSerialize(request as never).toString("base64");
    this.#child.stdin.write(`${JSON.stringify({ path: method.path, message, cancelAfter })}\n`);
    const line = await this.#lines.next();
    if (line.done === true) throw new Error("The client ended before it answered.");
    const ended = JSON.parse(line.value) as Ended<string>;
    return {
      ...ended,
      messages: ended.messages.map((one) => method.responseDeserialize(Buffer.from(one, "base64"))),
    };
  }

  close(): void {
    this.#child.stdin.end();
  }
}
