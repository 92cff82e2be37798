import { CODES } from "../../src/diagnostics/codes";
import type { StoredState } from "../../src/framework/protocol/protocol";
import { VirtualClock } from "../api/support/virtual-clock";
import { runs } from "../support/capabilities";
import { HttpProxy, type Passage } from "../support/http-proxy";

import { SAMPLES } from "./samples";
import { Host } from "./support/host";
import { providerConfig, startWorld, type World } from "./support/world";

// Tests responses with fields that differ from the specification. Each of these responses causes an error with the name
// of the field.

/** Returns the changed JSON of a response to a read. If the result is undefined, the response stays unchanged. */
type Change = (url: string, body: unknown) => unknown;

/** A world in which a proxy changes the responses to reads. */
class ChangedWorld {
  change: Change = () => undefined;
  readonly #proxy: HttpProxy;
  readonly world: World;

  private constructor(
    readonly direct: World,
    proxy: HttpProxy,
    url: string,
  ) {
    this.#proxy = proxy;
    this.world = {
      ...direct,
      connect: (token = "", run = {}) => {
        const given = { base_url: url, token: token || direct.service.adminToken, max_attempts: 1 };
        const config = providerConfig(direct.provider, given);
        return direct.provider.configure(config, { clock: new VirtualClock(), ...run }).provider!;
      },
    };
  }

  static async open(): Promise<ChangedWorld> {
    const direct = await startWorld();
    const pass = async (passage: Passage) => {
      const answer = await passage.forward();
      const text = answer.body.toString("utf8");
      const isJson = passage.method === "GET" && answer.status === 200 && /^[[{]/.test(text);
      const changed = isJson ? opened.change(passage.url, JSON.parse(text)) : undefined;
      if (changed === undefined) return passage.answer(answer);
      const body = Buffer.from(JSON.stringify(changed).replaceAll(`"${HUGE}"`, "1e999"));
      passage.answer({ ...answer, headers: { ...answer.headers, "content-length": `${body.length}` }, body });
    };
    const proxy = new HttpProxy(direct.service.url, pass);
    const opened: ChangedWorld = new ChangedWorld(direct, proxy, await proxy.start());
    return opened;
  }

  async close(): Promise<void> {
    this.#proxy.close();
    await this.direct.close();
  }
}

/** A text that the proxy replaces by a number which is too large for JavaScript. */
const HUGE = "HUGE-NUMBER";
const MISSING = Symbol("missing");
const VALUES: readonly unknown[] = [
  MISSING,
  null,
  "",
  "x",
  -1,
  1.5,
  HUGE,
  true,
  [],
  {},
  [null],
  "2027-13-45",
];

/** Returns the paths of all fields in a JSON value. */
function pathsIn(value: unknown, before: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  // All elements of a list are similar, so one element is enough.
  const fields = Object.entries(Array.isArray(value) ? value.slice(0, 1) : value);
  return fields.flatMap(([key, inner]) => [[...before, key], ...pathsIn(inner, [...before, key])]);
}

/** Returns a copy of a JSON value that has another value at one path. */
function withValue(value: unknown, [key, ...rest]: readonly string[], given: unknown): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  if (rest.length > 0) copy[key!] = withValue(copy[key!], rest, given);
  else if (given === MISSING) delete copy[key!];
  else copy[key!] = given;
  return Array.isArray(copy) ? copy.filter(() => true) : copy;
}

let opened: ChangedWorld;
beforeAll(async () => {
  opened = await ChangedWorld.open();
});
afterAll(() => opened.close());
afterEach(() => {
  opened.change = () => undefined;
});

describe.each(Object.keys(SAMPLES))("%s", (type) => {
  test("a response with any value in any field causes no internal error", async () => {
    const host = new Host(opened.world, type);
    const { config } = SAMPLES[type]!;
    const state = await new Host(opened.direct, type).bring(undefined, config);
    const seen = new Map<string, unknown>();
    opened.change = (url, body) => {
      seen.set(url, body);
      return undefined;
    };
    await look(host, state);
    const findings: string[] = [];
    // Gives each field every fourth value. Each field begins with another value, so that each value is tested with each
    // kind of field in some resource. The soak tests all values in all fields.
    for (const [url, body] of seen)
      for (const [at, path] of pathsIn(body).entries())
        for (const value of VALUES.filter((_, index) => runs((at + index) % 4 === 0, true))) {
          opened.change = (asked, answer) => (asked === url ? withValue(answer, path, value) : undefined);
          const said = `${url} ${path.join(".")} = ${String(value === MISSING ? "missing" : JSON.stringify(value))}`;
          try {
            for (const { code, detail, severity } of await look(host, state)) {
              if (!CODES.has(code!)) findings.push(`${said}: ${code}`);
              const isNamed = path.some((name) => !/^\d+$/.test(name) && detail.includes(name));
              if (severity === "error" && code === "unexpected_answer" && !isNamed && path.length > 1)
                findings.push(`${said}: ${detail}`);
            }
          } catch (problem) {
            findings.push(`${said}: ${String(problem)}`);
          }
        }
    opened.change = () => undefined;
    await new Host(opened.direct, type).destroy(state);
    expect(findings.slice(0, 10)).toEqual([]);
  });

  /** Reads an object and then plans it, in one run. */
  async function look(host: Host, state: StoredState) {
    const run = opened.world.connect();
    const read = await run.readResource({ type, state });
    const config = host.config(SAMPLES[type]!.config);
    const plan = await run.planResource({ type, prior: read.state ?? state, config });
    await run.close();
    return [...read.diagnostics, ...plan.diagnostics];
  }
});

describe("a value in another format", () => {
  const of = (type: string) => ({
    direct: new Host(opened.direct, `steward_${type}`),
    changed: new Host(opened.world, `steward_${type}`),
  });
  const refresh = (type: string, host: Host, state: StoredState) => {
    const run = host.connect();
    return run.readResource({ type: `steward_${type}`, state });
  };

  test.each([
    "2099-01-31T00:00:00.000+02:00",
    "2099-01-31T00:00:00-11:00",
    "2099-01-31T00:00:00.000Z",
    "2099-01-31",
  ])("if a response has the expiry %s, the provider reads the day 2099-01-31", async (expires_at) => {
    const { direct, changed } = of("project_invitation");
    const config = {
      project: "acme/web",
      email: "day@example.com",
      access_level: 25,
      expires_at: "2099-01-31",
    };
    const state = await direct.bring(undefined, config);
    opened.change = (url, body) =>
      url.includes("/invitations") && Array.isArray(body)
        ? body.map((one) => ({ ...one, expires_at }))
        : undefined;
    expect(await changed.drift(state, config)).toEqual([]);
    opened.change = () => undefined;
    await direct.destroy(state);
  });

  test.each([
    ["expires_at", "never"],
    ["access_level", "Developer"],
  ])(
    "if an invitation has %s = %s, the error names the field, and the object stays in the state",
    async (field, value) => {
      const { direct, changed } = of("project_invitation");
      const config = { project: "acme/web", email: "odd@example.com", access_level: 30 };
      const state = await direct.bring(undefined, config);
      opened.change = (url, body) =>
        url.includes("/invitations") && Array.isArray(body)
          ? body.map((one) => ({ ...one, [field]: value }))
          : undefined;
      const read = await refresh("project_invitation", changed, state);
      expect(read.diagnostics).toMatchObject([
        { severity: "error", code: "unexpected_answer", detail: expect.stringContaining(field) },
      ]);
      expect(read.state).toBeDefined();
      opened.change = () => undefined;
      await direct.destroy(state);
    },
  );

  test("if one environment's access level is a text, the read of this environment fails, and other reads succeed", async () => {
    const { direct, changed } = of("protected_environment");
    const levels = [{ access_level: 40 }];
    const states = new Map<string, StoredState>();
    for (const name of ["good", "odd"])
      states.set(
        name,
        await direct.bring(undefined, { project: "acme/web", name, deploy_access_levels: levels }),
      );
    opened.change = (url, body) => {
      if (!url.includes("protected_environments")) return undefined;
      const oddLevel = (one: { name: string; deploy_access_levels: object[] }) =>
        one.name === "odd"
          ? {
              ...one,
              deploy_access_levels: one.deploy_access_levels.map((each) => ({
                ...each,
                access_level: "maintainer",
              })),
            }
          : one;
      return Array.isArray(body) ? body.map(oddLevel) : oddLevel(body as never);
    };
    const run = changed.connect();
    changed.expectReads([...states.values()], run);
    const type = "steward_protected_environment";
    const [good, odd] = await Promise.all(
      ["good", "odd"].map((name) => run.readResource({ type, state: states.get(name)! })),
    );
    expect(good!.diagnostics).toEqual([]);
    expect(odd!.diagnostics).toMatchObject([
      { code: "unexpected_answer", detail: expect.stringContaining("access_level") },
    ]);
    opened.change = () => undefined;
    for (const state of states.values()) await direct.destroy(state);
  });
});
