import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The response of the service, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** One request on its way through a proxy. */
export class Passage {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly #send: (body: Buffer) => Promise<Answer>;
  #body: Promise<Buffer> | undefined;
  /** Called with the service's response before the client can see it. */
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

  /** The body of the request. */
  body(): Promise<Buffer> {
    this.#body ??= bytesOf(this.incoming);
    return this.#body;
  }

  /** Sends the request to the service, for any response to the client. */
  async forward(): Promise<Answer> {
    const answer = await this.#send(await this.body());
    await this.onAnswer?.(answer);
    return answer;
  }

  /** Responds to the client; `onSent` is called after the write. */
  answer({ status, headers, body }: Answer, onSent?: () => void): void {
    this.outgoing.writeHead(status, headers).end(body, onSent);
  }

  /** Responds instead of the service. */
  refuse(status: number, message: string, headers: Answer["headers"] = {}): void {
    const type = { "content-type": "application/json" };
    this.answer({ status, headers: { ...type, ...headers }, body: Buffer.from(JSON.stringify({ message })) });
  }

  /** Cuts the connection. */
  cut(): void {
    this.incoming.socket.destroy();
  }
}

/** A proxy on loopback between a client and a service; `pass` decides about each request. */
export class HttpProxy {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server;
  readonly #target: string;

  constructor(target: string, pass: (passage: Passage) => Promise<void> | void) {
    this.#target = target;
    this.#server = createServer((incoming, outgoing) => {
      const passage = new Passage(incoming, outgoing, (body) => this.#forward(incoming, body));
      // The client went away, or the service did.
      Promise.resolve(pass(passage)).catch(() => outgoing.destroy());
    });
  }

  /** Listens, and returns its address. */
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
    // The path goes on as it came: URL would take an encoded `..` for a step up.
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
