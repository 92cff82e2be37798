import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A complete response of the service. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** One request that passes through a proxy, and its response. */
export class Passage {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly #send: (body: Buffer) => Promise<Answer>;
  #body: Promise<Buffer> | undefined;
  /** Called with the response of the service, before the client gets it. */
  onAnswer: ((answer: Answer) => Promise<void>) | undefined;

  constructor(
    readonly incoming: IncomingMessage,
    readonly outgoing: ServerResponse,
    send: (body: Buffer) => Promise<Answer>,
  ) {
    this.method = incoming.method ?? "";
    this.url = incoming.url ?? "";
    this.#send = send;
  }

  get isWrite(): boolean {
    return this.method !== "GET";
  }

  /** Returns the body of the request. */
  body(): Promise<Buffer> {
    this.#body ??= bytesOf(this.incoming);
    return this.#body;
  }

  /** Sends the request to the service and returns the response. The caller decides what the client gets. */
  async forward(): Promise<Answer> {
    const answer = await this.#send(await this.body());
    await this.onAnswer?.(answer);
    return answer;
  }

  /** Responds to the client; `onSent` is called after the write. */
  answer({ status, headers, body }: Answer, onSent?: () => void): void {
    this.outgoing.writeHead(status, headers).end(body, onSent);
  }

  /** Sends an error to the client instead of the service's response. */
  refuse(status: number, message: string, headers: Answer["headers"] = {}): void {
    const type = { "content-type": "application/json" };
    this.answer({ status, headers: { ...type, ...headers }, body: Buffer.from(JSON.stringify({ message })) });
  }

  /** Closes the connection to the client without a response. */
  cut(): void {
    this.incoming.socket.destroy();
  }
}

/** A proxy on loopback between a client and a service. `pass` handles each request. */
export class HttpProxy {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server;
  readonly #target: string;

  constructor(target: string, pass: (passage: Passage) => Promise<void> | void) {
    this.#target = target;
    this.#server = createServer((incoming, outgoing) => {
      const passage = new Passage(incoming, outgoing, (body) => this.#forward(incoming, body));
      // `pass` fails if the client or the service has closed its connection.
      Promise.resolve(pass(passage)).catch(() => outgoing.destroy());
    });
  }

  /** Starts to listen, and returns the address of the proxy. */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  async #forward({ method, url = "", headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    // The path is passed on unchanged. A `URL` would resolve an encoded `..` to the parent folder.
    const onward = request(this.#target, { path: url, method, headers, agent: this.#agent });
    onward.end(body);
    const [answer] = (await once(onward, "response")) as [IncomingMessage];
    return { status: answer.statusCode!, headers: answer.headers, body: await bytesOf(answer) };
  }
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
