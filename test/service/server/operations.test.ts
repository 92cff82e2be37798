import { type Service, type ServiceOptions, startService } from "cdktf-provider-steward/testing";
import { accessLogger } from "../../../src/service/server/request-log";
import { HOSTILE, takenLines } from "../../support/hostile";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
const start = async (options: ServiceOptions): Promise<void> => {
  service = await startService({ fixture: company(), ...options });
  send = client(service);
};
afterEach(() => service.close());

const scope = "/projects/1/job_token_scope";
const inbound = async () => ((await send("GET", scope)).body as { inbound_enabled: boolean }).inbound_enabled;
const limit = () => send("PATCH", scope, { json: { enabled: false } });

describe("Limits: requests per period", () => {
  test("if the rate limit is two requests, a token's third request gets 429 with rate-limit headers", async () => {
    await start({ settings: { rateLimit: { requests: 2, period: 3600 } } });
    const before = Math.floor(Date.now() / 1000);
    const first = await send("GET", "/user");
    expect(first.headers.get("ratelimit-limit")).toBe("2");
    expect(first.headers.get("ratelimit-remaining")).toBe("1");
    expect(first.headers.get("ratelimit-observed")).toBe("1");
    await send("GET", "/nothing");
    const third = await send("GET", "/user");
    expect(third).toMatchObject({ status: 429, body: { message: "429 Too Many Requests" } });
    expect(third.headers.get("ratelimit-remaining")).toBe("0");
    expect(third.headers.get("ratelimit-observed")).toBe("3");
    const after = Math.ceil(Date.now() / 1000);
    const reset = Number(third.headers.get("ratelimit-reset"));
    // The period of the rate limit began with the first request.
    expect(reset).toBeGreaterThanOrEqual(before + 3600);
    expect(reset).toBeLessThanOrEqual(after + 3600);
    const wait = Number(third.headers.get("retry-after"));
    expect(wait).toBeGreaterThanOrEqual(reset - after - 1);
    expect(wait).toBeLessThanOrEqual(3600);
    expect((await send("GET", "/user", { token: tokenOf("owner") })).status).toBe(200);
  });

  test("the rate limit does not count requests of an earlier period", async () => {
    await start({ fixture: { instance: { rate_limit: { requests: 1, period: 0.001 } } } });
    let refusals = 0;
    for (let count = 0; count < 20; count += 1) {
      if ((await send("GET", "/user")).status === 429) refusals += 1;
    }
    expect(refusals).toBeLessThan(20);
  });
});

describe("faults that a test adds to the service", () => {
  test.each([
    ["before the work", false, true],
    ["after the work", true, false],
  ])("a fault can close the connection %s of the request", async (_, after_work, kept) => {
    await start({ faults: [{ method: "PATCH", cut: true, after_work }] });
    await expect(limit()).rejects.toThrow();
    expect(await inbound()).toBe(kept);
    expect((await limit()).status).toBe(204);
  });

  test("a fault that delays one request does not block other requests", async () => {
    await start({
      faults: [
        { route: "/user", delay: 1 },
        { route: "/user", delay: 600_000 },
      ],
    });
    expect((await send("GET", "/user")).status).toBe(200);
    const delayed = send("GET", "/user").catch(() => "cut when the service closed");
    const other = send("GET", "/version").then(({ status }) => status);
    expect(await Promise.race([delayed, other])).toBe(200);
    await service.close();
    await delayed;
  });

  test("with allowFaults, only an administrator can add and remove faults over HTTP", async () => {
    await start({ allowFaults: true });
    const ask = (method: string, token: string, body?: string) =>
      fetch(`${service.url}/_steward/faults`, {
        method,
        headers: { "private-token": token, "content-type": "application/json" },
        ...(body === undefined ? {} : { body }),
      });
    const fault = JSON.stringify({ route: "/version", status: 503, always: true });
    expect((await ask("POST", tokenOf("owner"), fault)).status).toBe(403);
    expect((await ask("POST", service.adminToken, JSON.stringify({ status: 200 }))).status).toBe(400);
    expect((await ask("POST", service.adminToken, fault)).status).toBe(204);
    expect((await send("GET", "/version")).status).toBe(503);
    expect((await ask("DELETE", service.adminToken)).status).toBe(204);
    expect((await send("GET", "/version")).status).toBe(200);
  });

  test("the service returns 400 for a fault with a misspelled key", async () => {
    await start({ allowFaults: true });
    const response = await fetch(`${service.url}/_steward/faults`, {
      method: "POST",
      headers: { "private-token": service.adminToken, "content-type": "application/json" },
      body: JSON.stringify({ route: "/version", statsu: 503 }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: expect.stringMatching(/^Unknown keys: statsu\. A fault can have method, route, .*status, .*\.$/),
    });
    expect((await send("GET", "/version")).status).toBe(200);
  });

  test("adding a fault with the status 200, 399 or 600 throws an error", async () => {
    await start({});
    for (const status of [200, 399, 600]) expect(() => service.faults.add({ status })).toThrow();
  });
});

describe("the access log", () => {
  test("each line of the access log ends with the duration of the request", async () => {
    const lines: string[] = [];
    await start({ accessLog: (line) => lines.push(line), faults: [{ delay: 50 }] });
    await send("GET", "/version");
    expect(Number(/ ([\d.]+)ms$/.exec(lines[0]!)?.[1])).toBeGreaterThan(0);
  });

  test("the access log escapes control characters and line ends in the address of a request", async () => {
    const lines: string[] = [];
    await start({});
    accessLogger((line) => lines.push(line))({
      method: "GET",
      url: `/api/v4/${HOSTILE}`,
      route: undefined,
      status: 404,
      milliseconds: 1,
    });
    expect(takenLines(lines.join("\n"))).toEqual([]);
    expect(lines[0]).toMatch(/Z GET \/api\/v4\/evil\\nPWNED.* 404 1\.0ms$/);
  });

  test("the access log has one line per request, without tokens", async () => {
    const lines: string[] = [];
    await start({ accessLog: (line) => lines.push(line), faults: [{ route: "/version", cut: true }] });
    await send("GET", "/user?private_token=secret-in-address&page=1");
    await send("GET", "/nothing");
    await expect(send("GET", "/version")).rejects.toThrow();
    await service.close();
    expect(lines).toEqual([
      expect.stringMatching(
        /^\d{4}-\S+Z GET \/api\/v4\/user\?private_token=\[removed\]&page=1 200 [\d.]+ms$/,
      ),
      expect.stringMatching(/ GET \/api\/v4\/nothing 404 [\d.]+ms$/),
      expect.stringMatching(/ GET \/api\/v4\/version cut [\d.]+ms$/),
    ]);
    expect(lines.join()).not.toContain(service.adminToken);
  });
});

test("after an internal error, the service returns 500 without details", async () => {
  await start({});
  const written: string[] = [];
  const spy = jest.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const { stringify } = JSON;
  const getter = jest.spyOn(JSON, "stringify").mockImplementation((value) => {
    if (value !== null && typeof value === "object" && "revision" in value) throw new Error("inside");
    return stringify(value);
  });
  const response = await fetch(`${service.url}/api/v4/version`, {
    headers: { "private-token": service.adminToken },
  });
  getter.mockRestore();
  spy.mockRestore();
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ message: "500 Internal Server Error" });
  expect(written.join()).toContain("inside");
});
