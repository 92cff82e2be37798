import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The requests that the gate holds and counts. */
interface Meeting {
  readonly isOne: (method: string, url: string) => boolean;
  /** The size of a group of requests: when the gate holds this many requests, it passes all of them on. */
  readonly atOnce: number;
  /** The number of all requests. The last group may be smaller than the groups before it. */
  readonly total: number;
}

/**
 * A gate in front of the service. The gate holds requests until the expected number has arrived, and counts the highest
 * number of concurrent requests. A client that sends its requests one after the other gets no response. The gate uses no
 * clock, so the speed of the machine does not matter.
 */
export class Gate {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((incoming, outgoing) => {
    this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  readonly #target: string;
  #meeting: Meeting | undefined;
  #left = 0;
  #held: (() => void)[] = [];
  #underWay = 0;
  #most = 0;
  #seen = 0;

  private constructor(target: string) {
    this.#target = target;
  }

  static async open(target: string): Promise<Gate> {
    const gate = new Gate(target);
    gate.#server.listen(0, "127.0.0.1");
    await once(gate.#server, "listening");
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the highest number of concurrent requests and the number of all requests during a piece of work. */
  async during(meeting: Meeting, work: () => Promise<unknown>): Promise<{ most: number; seen: number }> {
    this.#meeting = meeting;
    this.#left = meeting.total;
    [this.#most, this.#seen] = [0, 0];
    try {
      await work();
    } finally {
      this.#meeting = undefined;
      for (const go of this.#held.splice(0)) go();
    }
    return { most: this.#most, seen: this.#seen };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const isMet = this.#meeting?.isOne(incoming.method!, incoming.url!) === true;
    if (isMet) await this.#meet();
    const answer = await this.#forward(incoming);
    const body = await bytesOf(answer);
    // The gate counts a request as complete before it sends the response. As soon as the client has the response, it may
    // send the next request.
    if (isMet) this.#underWay--;
    outgoing.writeHead(answer.statusCode!, answer.headers).end(body);
  }

  async #meet(): Promise<void> {
    this.#seen++;
    this.#most = Math.max(this.#most, ++this.#underWay);
    const gone = new Promise<void>((resolve) => this.#held.push(resolve));
    if (this.#held.length === Math.min(this.#meeting!.atOnce, this.#left)) {
      // Requests that the client sends at the same time arrive during this round trip, so the gate counts them too.
      await fetch(`${this.url}/api/v4/version`);
      this.#left -= this.#held.length;
      for (const go of this.#held.splice(0)) go();
    }
    return gone;
  }

  async #forward(incoming: IncomingMessage): Promise<IncomingMessage> {
    const { method = "GET", headers } = incoming;
    const onward = request(new URL(incoming.url!, this.#target), { method, headers, agent: this.#agent });
    incoming.pipe(onward);
    const [answer] = (await once(onward, "response")) as [IncomingMessage];
    return answer;
  }
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
