import { once } from "node:events";
import { connect } from "node:net";
import { type Service, type ServiceOptions, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
const start = async (options: ServiceOptions = {}): Promise<void> => {
  service = await startService({ fixture: company(), ...options });
  send = client(service);
};
afterEach(() => service.close());

/** Writes texts to a connection. Returns the text that the service sent until one side closed the connection. */
async function exchange(
  texts: readonly string[],
  enough: (answered: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let answered = "";
  socket.on("data", (chunk) => {
    answered += chunk.toString("latin1");
    if (enough(answered)) socket.destroy();
  });
  socket.on("error", () => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  for (const text of texts) socket.write(text);
  await closed;
  return answered;
}

const head = (method: string, path: string, ...headers: readonly string[]): string =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    ...headers,
    "",
    "",
  ].join("\r\n");
const STATE = "/api/v4/projects/1/terraform/state/production";
const JSON_TYPE = { "content-type": "application/json" };
const isAnswered = (text: string) => text.includes("\r\n\r\n");
const as = (username: string) => `PRIVATE-TOKEN: ${tokenOf(username)}`;

describe("the service responds before it reads the request's body", () => {
  // The client never sends these bodies. A response shows that the service did not wait for the bodies.
  test.each([
    ["no token", "POST", STATE, [], 401],
    ["an unknown token", "POST", STATE, ["PRIVATE-TOKEN: unknown"], 401],
    ["a hidden project", "POST", STATE, [as("outsider")], 404],
    ["a role that is too low", "POST", STATE, [as("developer")], 403],
    ["an administrator's endpoint", "POST", "/api/v4/users", [as("owner")], 403],
    ["an unknown address", "POST", "/api/v4/nothing", [], 404],
    ["a body of a DELETE", "DELETE", "/api/v4/projects/1/pages", [as("owner")], 403],
    ["a project that moved", "PUT", "/api/v4/projects/acme%2Fplatform%2Fold-images", [as("owner")], 307],
    ["a query that is too long", "POST", `${STATE}?q=${"a".repeat(8_200)}`, [], 414],
  ])(
    "the service returns the expected status before it reads the body: %s",
    async (_, method, path, headers, status) => {
      await start();
      for (const length of ["Content-Length: 1000000", "Transfer-Encoding: chunked"]) {
        const answered = await exchange([head(method, path, ...headers, length)], isAnswered);
        expect(answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      }
    },
  );

  test("after a POST without a token gets 401, the same connection can send the next request", async () => {
    await start();
    const refused = `${head("POST", STATE, "Content-Length: 200000")}${"x".repeat(200_000)}`;
    const next = head("GET", "/_steward/health", "Connection: close");
    const answered = await exchange([refused, next]);
    expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
  });

  test("if Content-Length exceeds bodyLimit, the service returns 413 before it reads the body", async () => {
    await start({ settings: { bodyLimit: 1_000 } });
    for (const path of ["/api/v4/projects", `${STATE}/lock`]) {
      const answered = await exchange([head("POST", path, as("owner"), "Content-Length: 2000")], isAnswered);
      expect(answered).toMatch(/^HTTP\/1\.1 413 /);
    }
  });
});

describe("large states that are posted at the same time", () => {
  const WHOLE = head("POST", STATE, as("maintainer"), "Content-Length: 268435456", "Expect: 100-continue");

  test("while the service receives a 256 MB state, it saves small states, but no second large state", async () => {
    await start();
    const { hostname, port } = new URL(service.url);
    const first = connect(Number(port), hostname);
    first.write(WHOLE);
    await once(first, "data");
    const address = `${service.url}/api/v4/projects/1/terraform/state`;
    const headers = { "private-token": tokenOf("maintainer"), "content-type": "application/json" };
    const post = (name: string, content: string) =>
      fetch(`${address}/${name}`, { method: "POST", headers, body: JSON.stringify({ version: 4, content }) });
    let answered = false;
    const large = post("large", "x".repeat(2_000_000)).then(({ status }) => {
      answered = true;
      return status;
    });
    for (let count = 0; count < 50; count += 1) expect((await post("small", "x")).status).toBe(200);
    expect(answered).toBe(false);
    first.destroy();
    expect(await large).toBe(200);
  });

  test("if two clients disconnect before their large states are complete, the service saves the next large state", async () => {
    await start();
    const { hostname, port } = new URL(service.url);
    const [first, second] = [connect(Number(port), hostname), connect(Number(port), hostname)];
    for (const socket of [first, second]) {
      socket.write(WHOLE);
      await once(socket, "data");
    }
    second.destroy();
    first.destroy();
    const text = `{"version":4,"content":"${"x".repeat(2_000_000)}"}`;
    expect(
      (await send("POST", "/projects/1/terraform/state/large", { form: text, headers: JSON_TYPE })).status,
    ).toBe(200);
    expect((await send("GET", "/projects/1/terraform/state/large")).body).toEqual(JSON.parse(text));
  });

  test.each([
    ["a list", "[", "]", 400],
    ["broken", '{"x":', "", 400],
    ["an object with something after it", "{}\0", "", 400],
    ["an object", '{"x":', "}", 200],
  ])(
    "the service accepts a large state only if the state is a JSON object: %s",
    async (_, before, after, status) => {
      await start();
      const form = `${before}[${"{},".repeat(500_000)}{}]${after}`;
      expect(
        (await send("POST", "/projects/1/terraform/state/large", { form, headers: JSON_TYPE })).status,
      ).toBe(status);
    },
  );
});

describe("requests that are incomplete after the time limit", () => {
  test.each([
    ["a body", head("POST", "/api/v4/projects", as("owner"), "Content-Length: 10")],
    ["headers", "GET / HTTP/1.1\r\nHost: localhost\r\n"],
    ["a first line", "GET /"],
  ])("the service returns 408 if a part of the request is incomplete: %s", async (_, text) => {
    await start({ settings: { requestTimeout: 0.1 } });
    expect(await exchange([text])).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("if the body of a request without a token never arrives, the service sends 401 and no second response", async () => {
    await start({ settings: { requestTimeout: 0.1 } });
    const answered = await exchange([head("POST", STATE, "Content-Length: 10")]);
    expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
  });

  test("if maxConnections is 1, the service closes a second connection without a response", async () => {
    await start({ settings: { maxConnections: 1 } });
    const { hostname, port } = new URL(service.url);
    const first = connect(Number(port), hostname);
    await once(first, "connect");
    expect(await exchange([head("GET", "/_steward/health", "Connection: close")])).toBe("");
    first.destroy();
  });
});

describe("pipelined requests", () => {
  test("pipelined requests get their responses in the order of the requests, even if the first request is slow", async () => {
    await start({ faults: [{ route: "/_steward/health", delay: 20 }] });
    const paths = ["/_steward/health", "/api/v4/user", "/api/v4/projects/4"];
    const answered = await exchange([
      ...paths.map((path) => head("GET", path)),
      head("GET", "/nothing", "Connection: close"),
    ]);
    expect(answered.match(/HTTP\/1\.1 \d+/g)!.map((line) => line.slice(9))).toEqual([
      "200",
      "401",
      "200",
      "404",
    ]);
  });

  test("if one connection sends 1,000 requests at once, the service closes the connection after fewer than 100 responses", async () => {
    await start();
    const answered = await exchange([head("GET", "/api/v4/user").repeat(1_000)]);
    expect((answered.match(/HTTP\/1\.1 401/g) ?? []).length).toBeLessThan(100);
  });
});

describe("unusual bodies and queries", () => {
  const put = (form: string, headers?: Record<string, string>) =>
    send("PUT", "/projects/2", { form, ...(headers && { headers }) });

  test("the service returns 400 for a JSON body with 100 or more nested levels", async () => {
    await start();
    const nested = (depth: number) => `{"x":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect((await put(nested(99), JSON_TYPE)).status).toBe(200);
    expect((await put(nested(100), JSON_TYPE)).status).toBe(400);
    expect((await put(nested(500_000), JSON_TYPE)).status).toBe(400);
    expect((await put(`{"x":"${"[".repeat(500)}"}`, JSON_TYPE)).status).toBe(200);
  });

  test("the service accepts a state with 200,000 nested levels of JSON", async () => {
    await start();
    const state = "/projects/1/terraform/state/deep";
    const text = `{"ID":"one","x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect((await send("POST", state, { form: text, headers: JSON_TYPE })).status).toBe(200);
    expect((await send("POST", `${state}/lock`, { form: text, headers: JSON_TYPE })).status).toBe(400);
  });

  test.each([
    ["nested keys", `a${"[b]".repeat(300_000)}=c`],
    ["lists in lists", `a${"[]".repeat(400_000)}=c`],
    ["many fields", "a=&".repeat(300_000)],
    ["many elements", "topics[]=a&".repeat(90_000)],
  ])("the service returns 400 for a form with %s", async (_, form) => {
    await start();
    expect((await put(form)).status).toBe(400);
  });

  test("for a query with several topics, the service returns the projects that have all these topics", async () => {
    await start();
    await send("PUT", "/projects/4", { json: { topics: ["l", "m"] } });
    const found = await send("GET", `/projects?topic=${Array(1_200).fill("L").join(",")}`);
    expect(found).toMatchObject({ status: 200, body: [{ id: 4 }] });
    expect((await send("GET", "/projects?topic=m,l")).body).toHaveLength(1);
    expect((await send("GET", "/projects?topic=l,other")).body).toEqual([]);
  });

  test.each([8_193, 20_000, 60_000, 66_000, 100_000])(
    "the service returns 414 for a query of %i bytes, even if the query arrives in two parts",
    async (length) => {
      await start();
      const request = head("GET", `/api/v4/user?${"q".repeat(length)}`);
      expect(await exchange([request], isAnswered)).toMatch(/^HTTP\/1\.1 414 /);
      expect(await exchange([request.slice(0, 8_000), request.slice(8_000)], isAnswered)).toMatch(
        /^HTTP\/1\.1 414 /,
      );
    },
  );

  test("the service returns 431 for headers longer than 64 KiB", async () => {
    await start();
    const headers = Array.from({ length: 20 }, (_, index) => `x-${index}: ${"a".repeat(8_000)}`);
    expect(await exchange([head("GET", "/api/v4/user", ...headers)], isAnswered)).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe("the rate limit", () => {
  test("requests with invalid tokens from one IP address share one rate limit", async () => {
    await start({ settings: { rateLimit: { requests: 2, period: 3600 } } });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      statuses.push((await send("GET", "/user", { token: `guess-${index}` })).status);
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
    expect((await send("GET", "/user")).status).toBe(200);
  });

  test("a token that is sent as a Basic password shares the rate limit with the same token in a header", async () => {
    await start({ settings: { rateLimit: { requests: 2, period: 3600 } } });
    const authorization = `Basic ${Buffer.from(`ann:${tokenOf("maintainer")}`).toString("base64")}`;
    const state = () =>
      send("GET", "/projects/1/terraform/state/none", { token: null, headers: { authorization } });
    expect([(await state()).status, (await state()).status, (await state()).status]).toEqual([404, 404, 429]);
    expect((await send("GET", "/user", { token: tokenOf("maintainer") })).status).toBe(429);
  });
});
