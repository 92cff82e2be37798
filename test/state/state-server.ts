import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/**
 * A fault. The fault is a status, a sign-in page, or a closed connection; `none` means that there is no fault. The page
 * comes instead of the work, or after the work (`page after`). The connection is closed before or after the work.
 */
export type Mishap = "none" | number | "sign-in page" | "page after" | "cut before" | "cut after";

const PAGE = "<!DOCTYPE html><html><title>Sign in</title></html>";

/**
 * A server on loopback that stores a state with the protocol of Terraform's `http` backend. The state is at `/state`, the
 * lock at `/lock`, and the journal at `/state-journal`. As on the platform, the lock is also at `/state/lock`, with POST and
 * DELETE.
 */
export class StateServer {
  readonly requests: SeenRequest[] = [];
  /** The faults of the next requests, one for each request. */
  readonly mishaps: Mishap[] = [];
  state = "";
  /** The content at the address of the journal. */
  journal = "";
  lock = "";
  private readonly server: Server = createServer((request, response) => void this.serve(request, response));

  async start(): Promise<void> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
    this.requests.push(seen);
    // Reads still work: the fault waits for the next write.
    const isLater = this.mishaps[0] === "sign-in page" && method === "GET";
    const mishap = isLater ? undefined : this.mishaps.shift();
    if (mishap === "cut before") return void request.socket.destroy();
    if (mishap === "sign-in page") return void response.writeHead(200).end(PAGE);
    const [status, body] = typeof mishap === "number" ? [mishap, ""] : this.answer(seen);
    if (mishap === "cut after") return void request.socket.destroy();
    if (mishap === "page after") return void response.writeHead(status).end(PAGE);
    response.writeHead(status).end(body);
  }

  private answer({ method, url, body }: SeenRequest): [status: number, body: string] {
    const { pathname, searchParams } = new URL(url, "http://x");
    if (pathname === "/lock") return this.answerLock(method, body);
    if (pathname === "/state/lock") return this.answerLock(method === "POST" ? "LOCK" : "UNLOCK", body);
    if (pathname.endsWith("-journal")) return this.answerJournal(method, body);
    if (method === "GET") return this.state === "" ? [404, ""] : [200, this.state];
    if (this.lock !== "" && idOf(this.lock) !== searchParams.get("ID")) return [423, this.lock];
    this.state = body;
    return [200, ""];
  }

  private answerJournal(method: string, body: string): [status: number, body: string] {
    if (method === "GET") return this.journal === "" ? [404, ""] : [200, this.journal];
    this.journal = body;
    return [200, ""];
  }

  private answerLock(method: string, body: string): [status: number, body: string] {
    if (method === "LOCK" && this.lock !== "") return [423, this.lock];
    if (method === "UNLOCK" && this.lock === "") return [404, ""];
    if (method === "UNLOCK" && idOf(this.lock) !== idOf(body)) return [409, this.lock];
    this.lock = method === "LOCK" ? body : "";
    return [200, ""];
  }
}

const idOf = (lock: string): string => (JSON.parse(lock) as { ID: string }).ID;
