import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// A small service of feature flags, which keeps its data in memory. A space has flags, and users who may change them.
// Tests make it fail on purpose: with `losesAnswers`, it drops the responses to the next writes, and with
// `expiresCursors`, cursors of pages expire early.

export interface Flag {
  readonly name: string;
  readonly enabled: boolean;
}

export interface Space {
  readonly id: number;
  readonly name: string;
  readonly flags: Map<string, Flag>;
  editors: readonly string[];
}

const PER_PAGE = 2;

export class FlagService {
  readonly spaces = new Map<number, Space>();
  /** The method and path of each received request. */
  readonly requests: string[] = [];
  /** How many of the next writes are executed without a response. */
  losesAnswers = 0;
  /** The number of coming cursors that have expired when the client uses them. */
  expiresCursors = 0;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  addSpace(name: string): Space {
    const space: Space = { id: this.spaces.size + 1, name, flags: new Map(), editors: [] };
    this.spaces.set(space.id, space);
    return space;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, "http://service");
    this.requests.push(`${request.method} ${url.pathname}`);
    let body = "";
    for await (const chunk of request) body += chunk;
    const [status, answer] = this.#answer(request.method!, url, body === "" ? {} : JSON.parse(body));
    if (request.method !== "GET" && status < 300 && this.losesAnswers > 0) {
      this.losesAnswers--;
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { "content-type": "application/json" });
    response.end(answer === undefined ? "" : JSON.stringify(answer));
  }

  #answer(method: string, url: URL, body: Partial<Flag> & { editors?: string[] }): [number, unknown?] {
    const [, , id = "", kind, key] = url.pathname.split("/").map(decodeURIComponent);
    if (id === "") {
      const name = url.searchParams.get("name");
      return [200, [...this.spaces.values()].filter((space) => space.name === name).map(shown)];
    }
    const space = this.spaces.get(Number(id));
    if (space === undefined) return [404, { message: "no such space" }];
    if (kind === undefined) return [200, shown(space)];
    if (kind === "editors") {
      if (method === "PUT") space.editors = [...new Set(body.editors)];
      return [200, { editors: space.editors }];
    }
    if (key === undefined && method === "GET") return this.#page(space, url.searchParams.get("cursor"));
    const name = key ?? body.name!;
    const flag = space.flags.get(name);
    if (method === "POST" && flag !== undefined) return [409, { message: `the flag ${name} exists` }];
    if (method !== "POST" && flag === undefined) return [404, { message: "no such flag" }];
    if (method === "DELETE") space.flags.delete(name);
    if (method === "POST" || method === "PUT")
      space.flags.set(name, { name, enabled: body.enabled === true });
    return method === "DELETE" ? [204] : [200, space.flags.get(name)];
  }

  #page({ flags }: Space, cursor: string | null): [number, unknown] {
    if (cursor !== null && this.expiresCursors > 0) {
      this.expiresCursors--;
      return [410, { message: "the cursor has expired" }];
    }
    const from = Number(cursor ?? 0);
    const all = [...flags.values()];
    const next = from + PER_PAGE < all.length ? String(from + PER_PAGE) : undefined;
    return [200, { flags: all.slice(from, from + PER_PAGE), next }];
  }
}

const shown = ({ id, name }: Space) => ({ id, name });
