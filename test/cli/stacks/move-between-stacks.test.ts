import { existsSync } from "node:fs";
import { type Service, startService } from "../../../src/service";
import { formatLine } from "../../../src/state/journal/line-format";
import { App } from "../support/app";

const TOKEN = "maintainer-token-1";
const SCOPE = "steward_job_token_scope";
const LIVE = "steward_protected_environment";

let service: Service;
let app: App;
beforeAll(async () => {
  service = await startService({
    fixture: {
      users: [{ username: "maya", token: TOKEN }],
      groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" }] }],
      projects: [{ path: "acme/shop" }],
    },
    recordRequests: true,
  });
});
afterAll(() => service.close());

const scope = (name: string) => ({
  resource: { [SCOPE]: { [name]: { project: "acme/shop", inbound_enabled: true } } },
});
const live = (name: string, environment = "live") => ({
  resource: {
    [LIVE]: {
      [name]: { project: "acme/shop", name: environment, deploy_access_levels: [{ access_level: 40 }] },
    },
  },
});
const MOVE = ["state", "mv", "--from-stack", "web", "--to-stack", "base"];

beforeEach(async () => {
  app = new App({ base_url: service.url, token: TOKEN });
  app.declare({ base: live("live"), web: scope("limit") });
  expect(await app.run("apply", "--auto-approve", "--stack", "web")).toMatchObject({ code: 0 });
});
afterEach(() => app.remove());

test("state mv moves an object between the states of two stacks without a request to the service", async () => {
  service.requests.reset();
  const { code, out, err } = await app.run(...MOVE, `${SCOPE}.limit`);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(
    `Moved ${SCOPE}.limit of the stack web to ${SCOPE}.limit of the stack base\nSuccessfully moved 1 object.\n`,
  );
  expect(service.requests.count()).toBe(0);
  expect([await app.addresses("base"), await app.addresses("web")]).toEqual([[`${SCOPE}.limit`], []]);
  for (const stack of ["base", "web"]) expect(existsSync(`${app.stateFile(stack)}.journal`)).toBe(false);
  app.declare({ base: scope("limit"), web: {} });
  expect((await app.run("plan", "--detailed-exitcode")).code).toBe(0);
});

test("state mv between stacks can change the address, and reports the move as an event", async () => {
  const dry = await app.run(...MOVE, `${SCOPE}.limit`, `${SCOPE}.inbound`, "--dry-run");
  expect(dry.out).toBe(
    `Would move ${SCOPE}.limit of the stack web to ${SCOPE}.inbound of the stack base\nWould move 1 object.\n`,
  );
  expect(await app.addresses("base")).toEqual([]);
  const { code, out } = await app.run(...MOVE, `${SCOPE}.limit`, `${SCOPE}.inbound`, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    type: "state_moved",
    from_stack: "web",
    to_stack: "base",
    moved: [{ from: `${SCOPE}.limit`, to: `${SCOPE}.inbound` }],
  });
  expect(await app.addresses("base")).toEqual([`${SCOPE}.inbound`]);
});

test("state mv between stacks sets the provider configuration of the destination's declaration", async () => {
  const provider = { steward: [app.provider, { ...app.provider, alias: "other" }] };
  const { resource } = scope("limit");
  const limit = { ...resource[SCOPE]!["limit"], provider: "steward.other" };
  app.declare({ base: { provider, resource: { [SCOPE]: { limit } } }, web: {} });
  expect((await app.run(...MOVE, `${SCOPE}.limit`)).code).toBe(0);
  expect(app.read("terraform.base.tfstate")).toContain('steward/steward\\"].other"');
  expect((await app.run("plan", "--detailed-exitcode")).code).toBe(0);
});

test("state mv between stacks run twice reports that nothing is left to move", async () => {
  expect((await app.run(...MOVE, `${SCOPE}.limit`)).code).toBe(0);
  const { code, out } = await app.run(...MOVE, `${SCOPE}.limit`);
  expect([code, out]).toEqual([
    0,
    "Nothing to move: the object is already in the state of the stack base and not in that of web.\n",
  ]);
});

test.each([
  [
    "a single stack",
    ["state", "mv", "--from-stack", "web", `${SCOPE}.limit`],
    "takes --from-stack NAME and --to-stack NAME",
  ],
  [
    "the same stack twice",
    ["state", "mv", "--from-stack", "web", "--to-stack", "web", `${SCOPE}.limit`],
    "with two different stacks",
  ],
  [
    "an unknown stack",
    ["state", "mv", "--from-stack", "wep", "--to-stack", "base", `${SCOPE}.limit`],
    'no stack "wep"',
  ],
  ["a state file", [...MOVE, "--state", "x", `${SCOPE}.limit`], "--from-stack and --state can't be combined"],
  [
    "a missing new address within one state",
    ["state", "mv", `${SCOPE}.limit`],
    "Missing required argument 'new-address'",
  ],
  ["an object in neither state", [...MOVE, `${SCOPE}.none`], "no object at steward_job_token_scope.none"],
])("state mv between stacks refuses %s and changes nothing", async (_what, argv, message) => {
  const before = app.read("terraform.web.tfstate");
  const { code, err } = await app.run(...argv);
  expect(code).toBe(1);
  expect(err.replace(/\s+│?\s*/g, " ")).toContain(message);
  expect(app.read("terraform.web.tfstate")).toBe(before);
  expect(existsSync(app.stateFile("base"))).toBe(false);
});

test("state mv between stacks refuses an address that the destination state already has", async () => {
  app.declare({ base: live("limit"), web: scope("limit") });
  expect((await app.run("apply", "--auto-approve", "--stack", "base")).code).toBe(0);
  app.declare({ base: live("limit"), web: live("limit", "staging") });
  expect((await app.run("apply", "--auto-approve", "--stack", "web")).code).toBe(0);
  const { code, err } = await app.run(...MOVE, `${LIVE}.limit`);
  expect(code).toBe(1);
  expect(err).toContain("exists already");
  expect(await app.addresses("web")).toEqual([`${LIVE}.limit`]);
});

test("state mv finishes an interrupted move between the same stacks, and refuses other moves until then", async () => {
  app.declare({ base: {}, other: {}, web: scope("limit") });
  const side = (stack: string) => ({ stack, state: "", version: null });
  const addresses = [`${SCOPE}.limit`, `${SCOPE}.inbound`] as const;
  const objects = [{ from: addresses[0], to: addresses[1], id: "1" }];
  const move = { from: side("web"), to: side("base"), addresses, objects };
  app.write("terraform.web.tfstate.journal", formatLine({ kind: "head", format: 2, started: "", move }));

  const third = await app.run("state", "mv", "--from-stack", "web", "--to-stack", "other", `${SCOPE}.limit`);
  expect(third.code).toBe(1);
  expect(third.err).toContain(`steward ${MOVE.join(" ")} ${addresses.join(" ")}`);
  const back = ["state", "mv", "--from-stack", "base", "--to-stack", "web", ...[...addresses].reverse()];
  expect((await app.run(...back, "--dry-run")).out).toContain(
    `Would move ${addresses[0]} of the stack web to ${addresses[1]} of the stack base`,
  );
  expect(await app.addresses("base")).toEqual([]);

  expect(await app.run(...back)).toMatchObject({ code: 0, err: "" });
  expect([await app.addresses("base"), await app.addresses("web")]).toEqual([[], [`${SCOPE}.limit`]]);
  expect(existsSync(`${app.stateFile("web")}.journal`)).toBe(false);
});

describe("state mv --declared", () => {
  const ALL = [...MOVE, "--declared"];
  const both = { resource: { ...scope("limit").resource, ...live("other", "declared").resource } };
  afterEach(async () => {
    const url = `${service.url}/api/v4/projects/1/protected_environments/declared`;
    await fetch(url, { method: "DELETE", headers: { "private-token": TOKEN } });
  });
  const BASE = [`${SCOPE}.inbound`, `${LIVE}.other`];

  beforeEach(async () => {
    app.declare({ base: {}, web: both });
    expect(await app.run("apply", "--auto-approve", "--stack", "web")).toMatchObject({ code: 0 });
    // One is declared at another address and by the number of its project.
    const inbound = { project: "1", inbound_enabled: true };
    app.declare({
      base: { resource: { ...live("other", "declared").resource, [SCOPE]: { inbound } } },
      web: {},
    });
  });

  test("moves all that the other stack declares in one change, after listing it", async () => {
    const dry = await app.run(...ALL, "--dry-run");
    expect(dry.out).toContain("Would move 2 objects.\n");
    const { code, out, err } = await app.run(...ALL);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      [
        "From the state of the stack web to that of the stack base:",
        `  ${SCOPE}.limit -> ${SCOPE}.inbound`,
        `  ${LIVE}.other`,
        "Successfully moved 2 objects.\n",
      ].join("\n"),
    );
    expect([await app.addresses("base"), await app.addresses("web")]).toEqual([BASE, []]);
    expect((await app.run("plan", "--detailed-exitcode")).code).toBe(0);
    const again = await app.run(...ALL, "--json");
    expect(JSON.parse(again.out)).toMatchObject({ type: "state_moved", moved: [], to_stack: "base" });
  });

  test("finds what has the same address where no provider is configured", async () => {
    app.declare({ base: live("other", "declared"), web: {} });
    const { out } = await app.run(...ALL, "--dry-run", "--json");
    expect(JSON.parse(out)).toMatchObject({ moved: [{ from: `${LIVE}.other`, to: `${LIVE}.other` }] });
  });

  test("one error for each pair of stacks names the command, if several objects are in another state", async () => {
    const { err, code } = await app.run("plan");
    expect(code).toBe(1);
    expect(err.split("steward state mv").length - 1).toBe(1);
    expect(err).toContain(`steward ${ALL.join(" ")}\n`);
    expect(err.split("│ Error: ").length - 1).toBe(1);
  });

  test.each([
    ["with an address", [...ALL, `${SCOPE}.limit`]],
    ["within one state", ["state", "mv", "--declared"]],
    ["with patterns within one state", ["state", "mv", "a.*", "b", "c"]],
  ])("a move of all objects is refused %s", async (_, words) => {
    expect((await app.run(...words)).code).toBe(1);
  });
});

test("state mv moves what matches patterns, and nothing if nothing does", async () => {
  const { out } = await app.run(...MOVE, "steward_job_*.l*", "--json");
  expect(JSON.parse(out)).toMatchObject({ moved: [{ from: `${SCOPE}.limit` }] });
  expect(await app.run(...MOVE, "steward_job_*.l*")).toMatchObject({
    code: 0,
    out: "Nothing to move: the state of the stack web has no object that matches.\n",
  });
});
