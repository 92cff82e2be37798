import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Part } from "./fields";
import { filled, without } from "./take-out";

/** A request, as the service received it. */
export interface Arrived {
  readonly method: string;
  readonly route: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A value for fields that are always null in the embedded service, although the specification gives them a type. */
export interface Filling {
  readonly route: RegExp;
  readonly field: string;
  readonly content: unknown;
}

/**
 * A proxy in front of the service. The wire removes one part of the specification from requests and responses, and
 * passes on everything else.
 */
export interface Wire {
  readonly url: string;
  /** Sets the part that the wire removes from now on. If undefined, the wire removes nothing. */
  takeOut(part: Part | undefined): void;
  /** Returns the requests to known endpoints since the last call. */
  arrived(): readonly Arrived[];
  close(): Promise<void>;
}

/** Opens a wire to the service at this address. The known endpoints are the endpoints in `parts`. */
export async function openWire(
  service: string,
  parts: readonly Part[],
  fillings: readonly Filling[],
): Promise<Wire> {
  const agent = new Agent({ keepAlive: true });
  const endpoints = parts
    .filter(({ place }) => place === "endpoint")
    .map(({ method, route }) => ({ method, route, pattern: patternOf(route) }));
  let missing: Part | undefined;
  let seen: Arrived[] = [];

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((problem: unknown) => {
      outgoing.destroy(problem as Error);
    });
  });

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url!, service);
    const method = incoming.method!;
    const endpoint = endpoints.find((one) => one.method === method && one.pattern.test(url.pathname));
    const lost =
      endpoint && missing?.route === endpoint.route && missing.method === method ? missing : undefined;
    const sent = await textOf(incoming);
    const body: unknown = sent === "" ? undefined : JSON.parse(sent);
    const left = lost?.place === "body" ? without(body, lost.field) : body;
    if (lost?.place === "query") url.searchParams.delete(lost.field);
    if (lost?.place === "path") url.pathname = emptied(url.pathname, lost);
    if (lost?.place === "endpoint") url.pathname = "/api/v4/no-such-endpoint";
    if (endpoint !== undefined) {
      seen.push({ method, route: endpoint.route, query: Object.fromEntries(url.searchParams), body: left });
    }
    const answer = await ask(incoming, url, left === undefined ? "" : JSON.stringify(left), agent);
    const text = await textOf(answer);
    // The client needs all headers about the list. The headers about the length and the connection are left out,
    // because the wire has its own headers for these.
    const {
      "content-length": _length,
      "transfer-encoding": _encoding,
      connection: _connection,
      ...headers
    } = answer.headers;
    const said = endpoint === undefined ? text : edited(text, endpoint.route, lost, fillings);
    outgoing.writeHead(answer.statusCode!, headers).end(said);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeOut(part) {
      missing = part;
    },
    arrived() {
      const all = seen;
      seen = [];
      return all;
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const patternOf = (route: string): RegExp =>
  new RegExp(`^/api/v4${route.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`);

/** Returns the path with an empty parameter, such as `/projects//pages`. */
function emptied(pathname: string, { route, field }: Part): string {
  const place = `/api/v4${route}`.split("/").indexOf(`:${field}`);
  return pathname
    .split("/")
    .map((segment, index) => (index === place ? "" : segment))
    .join("/");
}

function edited(text: string, route: string, lost: Part | undefined, fillings: readonly Filling[]): string {
  if (text === "") return text;
  const told = fillings
    .filter((filling) => filling.route.test(route))
    .reduce((value, { field, content }) => filled(value, field, content), JSON.parse(text) as unknown);
  return JSON.stringify(lost?.place === "answer" ? without(told, lost.field) : told);
}

const ask = (incoming: IncomingMessage, url: URL, body: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const {
      "content-length": _length,
      "transfer-encoding": _encoding,
      connection: _connection,
      ...headers
    } = incoming.headers;
    const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
    request(url, { method: incoming.method!, headers: { ...headers, ...length }, agent }, resolve)
      .on("error", reject)
      .end(body);
  });

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message.setEncoding("utf8")) text += chunk;
  return text;
}
