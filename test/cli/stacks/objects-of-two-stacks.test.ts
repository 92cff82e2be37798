import { existsSync } from "node:fs";
import { type Service, startService } from "../../../src/service";
import { formatLine } from "../../../src/state/journal/line-format";
import { App } from "../support/app";

const TOKEN = "maintainer-token-1";
const SCOPE = "steward_job_token_scope";
const LIVE = "steward_protected_environment";
/** One for each test. */
const PROJECTS = Array.from({ length: 34 }, (_, number) => `acme/p${number}`);

let service: Service;
let app: App;
let at = 0;
let project: string;
let id: string;
beforeAll(async () => {
  service = await startService({
    fixture: {
      users: [{ username: "maya", token: TOKEN }],
      groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" }] }],
      projects: PROJECTS.map((path) => ({ path })),
    },
    recordRequests: true,
  });
});
afterAll(() => service.close());
beforeEach(() => {
  project = PROJECTS[at++]!;
  id = String(at);
  app = new App({ base_url: service.url, token: TOKEN });
});
afterEach(() => app.remove());

const declare = (type: string, name: string, attributes: object) => ({
  resource: { [type]: { [name]: attributes } },
});
const scope = (name: string, of = project) => declare(SCOPE, name, { project: of, inbound_enabled: true });
const live = (name: string, of = project) =>
  declare(LIVE, name, { project: of, name: "live", deploy_access_levels: [{ access_level: 40 }] });
const applied = async (...argv: string[]) =>
  expect(await app.run("apply", "--auto-approve", ...argv)).toMatchObject({ code: 0 });
const unframed = (text: string) => text.replace(/[│╷╵]/g, " ").replace(/\s+/g, " ");
/** Runs a command that has to fail, and returns its errors on one line. */
async function refused(...argv: string[]): Promise<string> {
  const { code, err } = await app.run(...argv);
  expect(code).toBe(1);
  return unframed(err);
}
const writes = () => service.requests.all.filter(({ method }) => method !== "GET");

describe("an object that two stacks declare", () => {
  const twice = (one: string, other: string) =>
    `${one} and ${other} declare the same object. Each would undo the other's changes.`;

  test("an object of two stacks is refused at plan and apply with both addresses and stacks, and nothing is sent", async () => {
    app.declare({ base: scope("limit"), web: scope("inbound") });
    const message = twice(`${SCOPE}.limit in the stack "base"`, `${SCOPE}.inbound in the stack "web"`);
    const plan = await refused("plan");
    expect(plan).toContain("Error: Declared in two stacks");
    expect(plan).toContain(message);
    expect(plan).toContain(
      `steward state mv --from-stack web --to-stack base ${SCOPE}.inbound ${SCOPE}.limit`,
    );
    expect(plan).toContain(
      twice(`${SCOPE}.inbound in the stack "web"`, `${SCOPE}.limit in the stack "base"`),
    );
    service.requests.reset();
    expect(await refused("apply", "--auto-approve")).toContain(message);
    expect(writes()).toEqual([]);
    expect([await app.addresses("base"), await app.addresses("web")]).toEqual([[], []]);
  });

  test("an object of two stacks is refused if one names the project by path and the other by id", async () => {
    app.declare({ base: scope("limit"), web: scope("limit", id) });
    expect(await refused("plan")).toContain(
      twice(`${SCOPE}.limit in the stack "base"`, `${SCOPE}.limit in the stack "web"`),
    );
    expect(await refused("plan", "--stack", "base")).toContain("Declared in two stacks");
    expect(await refused("apply", "--auto-approve", "--stack", "base")).toContain("Declared in two stacks");
  });

  test("an object of two stacks is found in an unselected stack without requests for it", async () => {
    app.declare({ base: live("live"), web: {} });
    await applied("--stack", "base");
    service.requests.reset();
    expect((await app.run("plan", "--stack", "base")).code).toBe(0);
    const alone = service.requests.count();
    app.declare({ base: live("live"), web: live("environment") });
    service.requests.reset();
    expect(await refused("plan", "--stack", "base")).toContain(
      twice(`${LIVE}.live in the stack "base"`, `${LIVE}.environment in the stack "web"`),
    );
    expect(service.requests.count()).toBe(alone);
  });

  test("an object is found that the other stack declares through variables, locals, for_each and state values", async () => {
    const web = {
      variable: { path: {} },
      locals: { names: ["live"] },
      data: { steward_project: { shop: { project } } },
      resource: {
        [SCOPE]: { limit: { project: "${data.steward_project.shop.id}", inbound_enabled: true } },
        [LIVE]: {
          each: {
            for_each: "${toset(local.names)}",
            project: `\${${SCOPE}.limit.project}`,
            name: "${each.key}",
            deploy_access_levels: [{ access_level: 40 }],
          },
        },
      },
    };
    app.declare({ base: {}, web });
    await applied("--stack", "web", "--target", `${SCOPE}.limit`, "--var", `path=${project}`);
    app.declare({ base: live("live"), web });
    const message = twice(`${LIVE}.live in the stack "base"`, `${LIVE}.each["live"] in the stack "web"`);
    expect(await refused("plan", "--stack", "base")).toContain(message);
  });

  test("a part of two stacks is refused too: a whole allowlist in one stack and an entry of it in the other", async () => {
    const other = PROJECTS.at(-1)!;
    const all = declare("steward_job_token_allowlist", "all", { project, target_projects: [other] });
    const entry = declare("steward_job_token_allowlist_project", "one", { project, target_project: other });
    app.declare({ base: all, web: entry });
    const message =
      'steward_job_token_allowlist.all in the stack "base" and steward_job_token_allowlist_project.one in the stack "web" ' +
      `both own part of the job token allowlist of projects of project ${id}.`;
    service.requests.reset();
    expect(await refused("apply", "--auto-approve")).toContain(message);
    expect(writes()).toEqual([]);
    expect(await refused("plan", "--stack", "base")).toContain(message);
    expect(await refused("plan", "--stack", "web")).toContain("Declared in two stacks");

    const second = declare("steward_job_token_allowlist_project", "two", {
      project,
      target_project: PROJECTS.at(-2)!,
    });
    app.declare({ base: second, web: entry });
    expect(await app.run("plan")).toMatchObject({ code: 0, err: "" });
  });

  test("an object of two stacks is allowed if they use different services", async () => {
    const elsewhere = { provider: { steward: [{ base_url: "http://127.0.0.1:9", token: TOKEN }] } };
    app.declare({ base: scope("limit"), web: { ...scope("limit"), ...elsewhere } });
    expect(await app.run("plan", "--stack", "base")).toMatchObject({ code: 0, err: "" });
  });
});

describe("an object that one stack declares and the state of another holds", () => {
  beforeEach(async () => {
    app.declare({ base: {}, web: live("live") });
    await applied("--stack", "web");
    app.declare({ base: live("environment"), web: {} });
    service.requests.reset();
  });

  const MOVE = [
    "state",
    "mv",
    "--from-stack",
    "web",
    "--to-stack",
    "base",
    `${LIVE}.live`,
    `${LIVE}.environment`,
  ];
  const command = `steward ${MOVE.join(" ")}`;
  const isLive = async () => {
    const url = `${service.url}/api/v4/projects/${id}/protected_environments/live`;
    return (await fetch(url, { headers: { "private-token": TOKEN } })).status === 200;
  };

  test("the apply that moved a declaration destroyed its object: both stacks refuse it now", async () => {
    const refusal = await refused("apply", "--auto-approve");
    expect(refusal).toContain(
      `${LIVE}.environment in the stack "base" declares the object that the state of the stack "web" holds at ${LIVE}.live`,
    );
    expect(refusal).toContain(
      `The plan would destroy ${LIVE}.live in the stack "web", and ${LIVE}.environment in the stack "base" declares the same`,
    );
    expect(refusal.split(command)).toHaveLength(3);
    expect(writes()).toEqual([]);
    expect(await isLive()).toBe(true);
  });

  test.each([
    ["base", `declares the object that the state of the stack "web" holds`],
    ["web", `in the stack "base" declares the same object`],
  ])(
    "an object of another state is refused if only the stack %s is planned, with the command that fixes it",
    async (stack, message) => {
      const refusal = await refused("apply", "--auto-approve", "--stack", stack);
      expect(refusal).toContain(message);
      expect(refusal).toContain(command);
      expect(writes()).toEqual([]);
    },
  );

  test("the suggested command moves the object, after which nothing changes", async () => {
    expect(await app.run(...MOVE)).toMatchObject({ code: 0, err: "" });
    expect(service.requests.count()).toBe(0);
    expect(await app.run("plan", "--detailed-exitcode")).toMatchObject({ code: 0, err: "" });
    await applied();
    expect(writes()).toEqual([]);
    expect(await isLive()).toBe(true);
  });

  test("an object of another state can't be imported into a second one", async () => {
    const refusal = await refused("import", "--stack", "base", `${LIVE}.environment`, `${project}:live`);
    expect(refusal).toContain("Still in the state of another stack");
    expect(refusal).toContain(command);
    expect(await app.addresses("base")).toEqual([]);
  });

  test("an object can be declared once a removed block of the other stack forgets it", async () => {
    const removed = [{ from: `${LIVE}.live`, lifecycle: { destroy: false } }];
    const taken = { ...live("environment"), import: [{ to: `${LIVE}.environment`, id: `${project}:live` }] };
    app.declare({ base: taken, web: { removed } });
    expect(await app.run("apply", "--auto-approve")).toMatchObject({ code: 0 });
    expect([await app.addresses("base"), await app.addresses("web")]).toEqual([[`${LIVE}.environment`], []]);
    expect(await isLive()).toBe(true);
  });

  test("an object has to be removed from one of two states that contain it", async () => {
    app.declare({ base: live("environment"), web: live("live") });
    const base = app
      .read("terraform.web.tfstate")
      .replace('"name": "live",\n      "provider"', '"name": "environment",\n      "provider"');
    app.write("terraform.base.tfstate", base);
    app.declare({ base: live("environment"), web: {} });
    const refusal = await refused("plan");
    expect(refusal).toContain(`steward state rm --stack web ${LIVE}.live`);
    expect((await app.run("state", "rm", "--stack", "web", `${LIVE}.live`)).code).toBe(0);
    expect(await app.run("plan", "--detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("an object is kept if only the stack with the state is destroyed, and deleted if both are", async () => {
    expect(await refused("destroy", "--auto-approve", "--stack", "web")).toContain(
      "Declared in another stack",
    );
    expect(await isLive()).toBe(true);
    expect(await app.run("destroy", "--auto-approve")).toMatchObject({ code: 0 });
    expect(await isLive()).toBe(false);
  });

  test("an object of another state does not prevent a read-only command", async () => {
    expect(await app.run("plan", "--refresh-only")).toMatchObject({ code: 0 });
  });

  test("makes an earlier saved plan inapplicable", async () => {
    expect((await app.run("state", "rm", "--stack", "web", `${LIVE}.live`)).code).toBe(0);
    app.declare({ base: scope("limit"), web: {} });
    expect((await app.run("plan", "--stack", "base", "--out", "plan.steward")).code).toBe(0);
    app.declare({ base: scope("limit"), web: scope("inbound") });
    expect(await refused("apply", "plan.steward")).toContain(
      `${SCOPE}.limit in the stack "base" and ${SCOPE}.inbound in the stack "web" declare the same object`,
    );
    expect(writes()).toEqual([]);
  });

  test("makes a saved plan inapplicable", async () => {
    await refused("plan", "--out", "plan.steward");
    expect(await refused("apply", "plan.steward")).toContain("Saved plan can't be applied");
    expect(writes()).toEqual([]);
  });
});

describe("an unknown part of an unselected stack", () => {
  const partly = 'The stack "web" is not planned here, so the service was not asked about it.';

  test("objects with a project path that can't be resolved yet are reported as not compared", async () => {
    app.declare({ base: scope("limit", id), web: scope("inbound") });
    const { code, err } = await app.run("plan", "--stack", "base");
    expect(code).toBe(0);
    expect(unframed(err)).toContain("Warning: Another stack was compared only in part");
    expect(unframed(err)).toContain(`${partly} Which objects these are is not known: ${SCOPE}.inbound.`);
    // Selected together, they are compared completely.
    expect(await refused("plan")).toContain("Declared in two stacks");
  });

  test("objects that depend on a variable without a value are reported as not compared", async () => {
    app.declare({
      base: scope("limit"),
      web: { variable: { path: {} }, ...scope("inbound", "${var.path}") },
    });
    const { code, err } = await app.run("plan", "--stack", "base");
    expect(code).toBe(0);
    expect(unframed(err)).toContain(`${partly} Which objects these are is not known: ${SCOPE}.inbound.`);
    app.declare({ base: live("live"), web: { variable: { path: {} }, ...scope("inbound", "${var.path}") } });
    expect(await app.run("plan", "--stack", "base")).toMatchObject({ code: 0, err: "" });
  });

  test("values known after apply are reported as not compared, with the number of objects", async () => {
    const later = { terraform_data: { path: { input: project } } };
    const each = {
      for_each: "${toset([terraform_data.path.output])}",
      project: "${each.key}",
      inbound_enabled: true,
    };
    app.declare({
      base: scope("limit"),
      web: {
        resource: {
          ...later,
          [SCOPE]: { each, one: { project: "${terraform_data.path.output}", inbound_enabled: true } },
        },
      },
    });
    const { code, err } = await app.run("plan", "--stack", "base");
    expect(code).toBe(0);
    expect(unframed(err)).toContain(`not known: ${SCOPE}.one, ${SCOPE}.each.`);
  });

  test("an unreachable state is reported as not compared", async () => {
    const http = { http: { address: "http://127.0.0.1:9/state", retry_max: 0 } };
    app.declare({ base: scope("limit"), web: {} }, (name) =>
      name === "web" ? http : app.localBackend(name),
    );
    const { code, err } = await app.run("plan", "--stack", "base");
    expect(code).toBe(0);
    expect(unframed(err)).toContain(`${partly} State storage does not respond: GET http://127.0.0.1:9/state`);
  });

  test("a run in progress or an interrupted one is reported as not compared", async () => {
    app.declare({ base: scope("limit"), web: {} });
    app.write("terraform.web.tfstate.journal", "00000000 {}\n");
    const { code, err } = await app.run("plan", "--stack", "base");
    expect(code).toBe(0);
    expect(unframed(err)).toContain(`${partly} A run is in progress or was interrupted:`);
  });

  test("an unreadable configuration is reported once as not compared", async () => {
    app.declare({ base: scope("limit"), web: { resource: { [SCOPE]: { limit: { project: "${" } } } } });
    const { code, err } = await app.run("plan", "--stack", "base");
    expect(code).toBe(0);
    expect(unframed(err)).toContain(partly);
    expect(unframed(err).split("Invalid expression")).toHaveLength(2);
  });

  test("a type unknown to the provider is reported as not compared, while the state is still compared", async () => {
    app.declare({ base: {}, web: scope("inbound") });
    await applied("--stack", "web");
    app.declare({ base: scope("limit"), web: { resource: { steward_nothing: { one: { project } } } } });
    const refusal = await refused("plan", "--stack", "base");
    expect(refusal).toContain("Still in the state of another stack");
    expect(refusal).toContain(`${partly} Unknown resource`);
  });

  test("nothing is reported as not compared if no object of this stack can match", async () => {
    app.declare({ base: live("live", id), web: scope("inbound") });
    expect(await app.run("plan", "--stack", "base")).toMatchObject({ code: 0, err: "" });
  });
});

describe("an unfinished move between two stacks", () => {
  const command = `steward state mv --from-stack web --to-stack base ${LIVE}.live`;

  test.each([{ noted: ["web"] }, { noted: ["base"] }, { noted: ["web", "base"] }])(
    "keeps both from being planned and applied, noted in the journal of $noted",
    async ({ noted }) => {
      app.declare({ base: scope("limit"), other: {}, web: live("live") });
      await applied();
      const side = (stack: string) => ({ stack, state: "", version: null });
      const addresses = [`${LIVE}.live`, `${LIVE}.live`] as const;
      const objects = [{ from: addresses[0], to: addresses[1], id: `${id}:live` }];
      const move = { from: side("web"), to: side("base"), addresses, objects };
      const line = formatLine({ kind: "head", format: 2, started: "", move });
      for (const stack of noted)
        if (stack !== undefined) app.write(`terraform.${stack}.tfstate.journal`, line);
      for (const stack of ["web", "base"]) {
        expect(await refused("plan", "--stack", stack)).toContain(command);
        expect(await refused("apply", "--auto-approve", "--stack", stack)).toContain(command);
      }
      expect(await app.run("plan", "--stack", "other")).toMatchObject({ code: 0 });
      const [, ...args] = command.split(" ");
      expect(await app.run(...args)).toMatchObject({ code: 0, err: "" });
      expect(await app.addresses("base")).toEqual([`${SCOPE}.limit`, `${LIVE}.live`]);
      for (const stack of noted) expect(existsSync(`${app.stateFile(stack)}.journal`)).toBe(false);
    },
  );
});
