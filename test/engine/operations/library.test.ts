import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { App, TerraformStack } from "cdktf";
import { JobTokenAllowlistProject, JobTokenScope, StewardProvider } from "cdktf-provider-steward";
import {
  apply,
  drift,
  type EngineOptions,
  importObject,
  type PlannedStack,
  plan,
  type Run,
  type RunEvent,
  type StackSource,
  validate,
} from "cdktf-provider-steward/engine";
import { createProvider } from "cdktf-provider-steward/provider";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { reconcile } from "../../../examples/engine-library/reconcile";

// The engine as another program uses it: only through the package's entries, against a service on loopback.

const SOURCE = "registry.steward.example/steward/steward";
const PROJECTS = ["acme/web", "acme/docs", "acme/tools"] as const;

let folder: string;
let service: Service;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-library-"));
  service = await serviceWith("token-of-maya");
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const serviceWith = (token: string) =>
  startService({
    fixture: {
      users: [{ username: "maya", token }],
      groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" }] }],
      projects: PROJECTS.map((project) => ({ path: project, job_token_scope: { inbound_enabled: false } })),
    },
  });

const optionsFor = (more: Partial<EngineOptions> = {}): EngineOptions => ({
  providers: [createProvider()],
  folder,
  env: { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: "token-of-maya" },
  ...more,
});

const terraform = { required_providers: { steward: { source: SOURCE } } };
const scope = (project: string, more: object = {}) => ({ project, inbound_enabled: true, ...more });

/** A configuration with these scopes. */
const configurationOf = (scopes: Readonly<Record<string, object>>, more: object = {}): StackSource => ({
  configuration: {
    terraform,
    provider: { steward: {} },
    resource: { steward_job_token_scope: scopes },
    ...more,
  },
});
const WEB = configurationOf({ web: scope("acme/web") });

/** The same in a file, with the state beside it. */
function declared(scopes: Readonly<Record<string, object>>): string {
  const file = path.join(folder, "main.tf.json");
  writeFileSync(file, JSON.stringify((configurationOf(scopes) as { configuration: object }).configuration));
  return file;
}

/** Two objects; the second depends on the first. */
const CHAIN = configurationOf({
  first: scope("acme/web"),
  second: scope("acme/docs", { depends_on: ["steward_job_token_scope.first"] }),
});

const stateIn = (place = folder) =>
  JSON.parse(readFileSync(path.join(place, "terraform.tfstate"), "utf8")) as {
    resources: { name: string; instances: { attributes: Record<string, unknown> }[] }[];
  };
const inState = () => stateIn().resources.map(({ name }) => name);

const isLimited = async (project: string, { url }: Service = service, token = "token-of-maya") => {
  const answer = await fetch(`${url}/api/v4/projects/${encodeURIComponent(project)}/job_token_scope`, {
    headers: { "PRIVATE-TOKEN": token },
  });
  return ((await answer.json()) as { inbound_enabled: boolean }).inbound_enabled;
};
const writes = ({ requests }: Service = service) => requests.all.filter(({ method }) => method !== "GET");

/** All events of an ended run, and its result. */
async function followed<Result>(run: Run<RunEvent, Result>) {
  const events: RunEvent[] = [];
  for await (const event of run.events) events.push(event);
  return { events, result: await run.result };
}

const summaryOf = ([stack]: readonly PlannedStack[]) => stack!.plan!.summary;
const codesOf = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
  diagnostics.map(({ code }) => code);

describe("the engine as a library", () => {
  test("plans, applies, finds drift and imports, with typed results and events", async () => {
    const planned = await followed(plan(WEB, optionsFor()));
    expect(planned.result.succeeded).toBe(true);
    expect(summaryOf(planned.result.stacks)).toMatchObject({ add: 1, change: 0 });
    expect(writes()).toEqual([]);

    const applied = await followed(apply(WEB, optionsFor()));
    expect(applied.result.stacks).toMatchObject([{ stack: undefined, succeeded: true, done: { add: 1 } }]);
    expect(applied.events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["stack", "request", "apply_start", "apply_complete", "progress"]),
    );
    expect(await isLimited("acme/web")).toBe(true);
    expect((await drift(WEB, optionsFor()).result).hasDrift).toBe(false);

    await fetch(`${service.url}/api/v4/projects/acme%2Fweb/job_token_scope`, {
      method: "PATCH",
      headers: { "PRIVATE-TOKEN": "token-of-maya", "content-type": "application/json" },
      body: JSON.stringify({ enabled: false }),
    });
    const found = await drift(WEB, optionsFor()).result;
    expect(found).toMatchObject({ succeeded: true, hasDrift: true });
    expect(found.stacks[0]!.report!.drifted).toMatchObject([
      { kind: "changed", attributes: ["inbound_enabled"] },
    ]);

    const both = configurationOf({ web: scope("acme/web"), docs: scope("acme/docs") });
    const address = "steward_job_token_scope.docs";
    const imported = await importObject(both, { ...optionsFor(), address, id: "acme/docs" }).result;
    expect(imported.stacks).toMatchObject([{ succeeded: true, id: "2" }]);
    expect(inState().sort()).toEqual(["docs", "web"]);

    const destroyed = await apply(both, { ...optionsFor(), mode: "destroy" }).result;
    expect(destroyed.stacks).toMatchObject([{ done: { remove: 2 } }]);
    expect(inState()).toEqual([]);
  });

  test("accepts an app object, a synthesized folder, a command, a file and a configuration object", async () => {
    const outdir = path.join(folder, "out");
    const app = new App({ outdir });
    for (const name of ["base", "web"]) {
      const stack = new TerraformStack(app, name);
      new StewardProvider(stack, "steward");
      if (name === "base") new JobTokenScope(stack, "limit", { project: "acme/web", inboundEnabled: true });
      else new JobTokenAllowlistProject(stack, "tools", { project: "acme/web", targetProject: "acme/tools" });
    }
    const names = async (source: StackSource, more: Partial<EngineOptions> = {}) => {
      const { succeeded, stacks, diagnostics } = await plan(source, optionsFor(more)).result;
      expect(diagnostics).toEqual([]);
      expect([succeeded, ...stacks.map((one) => one.plan?.summary.add)]).toEqual([
        true,
        ...stacks.map(() => 1),
      ]);
      return stacks.map(({ stack }) => stack);
    };
    expect(await names(app)).toEqual(["base", "web"]);
    expect(await names({ manifest: "out" })).toEqual(["base", "web"]);
    expect(await names({ manifest: "out" }, { stacks: ["web"] })).toEqual(["web"]);
    expect(await names({ app: 'cp -R out/. "$CDKTF_OUTDIR"', output: "again" }, { env: withPath() })).toEqual(
      ["base", "web"],
    );
    expect(await names({ configuration: "out/stacks/web" })).toEqual([undefined]);
    expect(await names(WEB)).toEqual([undefined]);
  });

  const withPath = () => ({ ...optionsFor().env, PATH: process.env["PATH"] });

  test("runs an app without the stack traces of the library, unless the caller's environment has them", async () => {
    const app = 'printf "$CDKTN_DISABLE_CREATION_STACK" >seen; exit 1';
    const seen = async (env: Record<string, string> = {}) => {
      await plan({ app, output: "out" }, optionsFor({ env: { ...withPath(), ...env } })).result;
      return readFileSync(path.join(folder, "seen"), "utf8");
    };
    expect(await seen()).toBe("true");
    expect(await seen({ CDKTN_DISABLE_CREATION_STACK: "false" })).toBe("false");
  });

  test("reports an invalid source or configuration as diagnostics of the result", async () => {
    const missing = await plan({ configuration: "nowhere" }, optionsFor()).result;
    expect([missing.succeeded, missing.stacks, codesOf(missing)]).toEqual([
      false,
      [],
      ["configuration_not_found"],
    ]);
    const wrong = configurationOf({ web: { project: "acme/web", inbound: true } });
    const checked = await followed(validate(wrong, optionsFor()));
    expect(checked.result.succeeded).toBe(false);
    expect(codesOf(checked.result)).toContain("unknown_attribute");
    expect(checked.events.filter(({ kind }) => kind === "diagnostics")).toHaveLength(1);
    expect(service.requests.all).toEqual([]);
  });

  test("applies only approved plans", async () => {
    const asked: unknown[] = [];
    const approve = (one: { readonly summary: object }, stack: string | undefined) => {
      asked.push([one.summary, stack]);
      return false;
    };
    const refused = await apply(WEB, { ...optionsFor(), approve }).result;
    expect(refused).toMatchObject({ succeeded: true, stacks: [{ done: undefined }] });
    expect(asked).toEqual([[expect.objectContaining({ add: 1 }), undefined]]);
    expect(writes()).toEqual([]);
  });

  test("takes variables as values, and redacts sensitive ones in events", async () => {
    const variable = {
      on: { type: "bool" },
      hidden: { type: "string", sensitive: true, default: "acme/web" },
    };
    const source = configurationOf(
      { web: { project: "${var.hidden}", inbound_enabled: "${var.on}" } },
      { variable, output: { on: { value: "${var.on}" } } },
    );
    const { events, result } = await followed(apply(source, optionsFor({ variables: { on: true } })));
    expect(result.stacks).toMatchObject([{ succeeded: true, outputs: { on: { value: true } } }]);
    expect(JSON.stringify(events)).not.toContain("acme%2Fweb");
  });

  test("prints nothing, adds no signal handlers and leaves the process unchanged", async () => {
    const printed: unknown[] = [];
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, "write").mockImplementation((text) => {
        printed.push(text);
        return true;
      }),
    );
    const signals = [
      "SIGINT",
      "SIGTERM",
      "SIGHUP",
      "exit",
      "uncaughtException",
      "unhandledRejection",
    ] as const;
    const before = [process.cwd(), { ...process.env }, process.exitCode];
    const listeners = signals.map((signal) => process.listenerCount(signal));
    const during: number[][] = [];
    for (const run of [apply(WEB, optionsFor()), plan({ configuration: "nowhere" }, optionsFor())])
      for await (const _ of run.events) during.push(signals.map((signal) => process.listenerCount(signal)));
    await reconcile(
      { configuration: declared({ web: scope("acme/web") }) },
      { env: optionsFor().env!, log: () => undefined },
    );
    for (const spy of spies) spy.mockRestore();
    expect(printed).toEqual([]);
    expect(during.filter((counts) => String(counts) !== String(listeners))).toEqual([]);
    expect([process.cwd(), { ...process.env }, process.exitCode]).toEqual(before);
  });

  test("returns and tells nothing that shows the token, however deep one prints it", async () => {
    const printed = async <Result>(run: Run<RunEvent, Result>) => {
      const handle = inspect(run, { depth: null });
      const { events, result } = await followed(run);
      return [
        handle,
        inspect(run, { depth: null }),
        inspect(events, { depth: null }),
        inspect(result, { depth: null }),
      ];
    };
    const provider = createProvider();
    const texts = [
      ...(await printed(validate(WEB, optionsFor()))),
      ...(await printed(plan(WEB, optionsFor({ providers: [provider] })))),
      ...(await printed(apply(WEB, optionsFor()))),
      ...(await printed(drift(WEB, optionsFor()))),
      inspect(provider, { depth: null }),
    ];
    expect(texts.filter((text) => text.includes("token-of-maya"))).toEqual([]);
  });

  test("supports two runs in one process, each with its own service, token, state and events", async () => {
    const other = await serviceWith("token-of-another");
    const there = mkdtempSync(path.join(tmpdir(), "steward-library-"));
    try {
      const env = { STEWARD_BASE_URL: other.url, STEWARD_TOKEN: "token-of-another" };
      const [one, two] = await Promise.all([
        followed(apply(configurationOf({ here: scope("acme/web") }), optionsFor())),
        followed(apply(configurationOf({ there: scope("acme/docs") }), optionsFor({ folder: there, env }))),
      ]);
      expect([one.result.succeeded, two.result.succeeded]).toEqual([true, true]);
      expect(await isLimited("acme/docs")).toBe(false);
      expect(await isLimited("acme/web", other, "token-of-another")).toBe(false);
      expect(stateIn().resources.map(({ name }) => name)).toEqual(["here"]);
      expect(stateIn(there).resources.map(({ name }) => name)).toEqual(["there"]);
      const addresses = ({ events }: typeof one) => [
        ...new Set(events.flatMap((event) => ("address" in event ? [event.address] : []))),
      ];
      expect(addresses(one)).toEqual(["steward_job_token_scope.here"]);
      expect(addresses(two)).toEqual(["steward_job_token_scope.there"]);
    } finally {
      await other.close();
      rmSync(there, { recursive: true, force: true });
    }
  });

  test("stops at a signal: sent requests are saved, nothing more is started, and the next run continues", async () => {
    const stop = new AbortController();
    const run = apply(CHAIN, optionsFor({ signal: stop.signal }));
    for await (const event of run.events)
      if (event.kind === "request" && event.request.type === "request" && event.request.method !== "GET")
        stop.abort();
    const { succeeded, diagnostics } = await run.result;
    expect(succeeded).toBe(false);
    expect(codesOf({ diagnostics })).toContain("interrupted");
    expect(inState()).toEqual(["first"]);
    expect([await isLimited("acme/web"), await isLimited("acme/docs")]).toEqual([true, false]);
    expect((await apply(CHAIN, optionsFor()).result).stacks).toMatchObject([{ done: { add: 1 } }]);
    expect(inState()).toEqual(["first", "second"]);
  });

  test("continues after its events are no longer consumed", async () => {
    const run = apply(CHAIN, optionsFor());
    for await (const event of run.events) if (event.kind === "apply_start") break;
    expect((await run.result).succeeded).toBe(true);
    for await (const event of run.events) throw new Error(`An ended run tells of ${event.kind}.`);
  });
});

describe("the example of the page on the library", () => {
  test("the example of the documentation stands there exactly as it runs here", () => {
    const root = path.join(__dirname, "../../..");
    const code = readFileSync(path.join(root, "examples/engine-library/reconcile.ts"), "utf8");
    expect(readFileSync(path.join(root, "docs/engine-library.md"), "utf8")).toContain(code.trim());
  });

  test("undoes drift and leaves deletes to a person", async () => {
    const source = { configuration: declared({ web: scope("acme/web"), docs: scope("acme/docs") }) };
    const log: string[] = [];
    const run = () => reconcile(source, { env: optionsFor().env!, log: (line) => log.push(line) });
    await apply(source, optionsFor()).result;
    expect(await run()).toBe(true);
    expect(log).toEqual([]);
    await fetch(`${service.url}/api/v4/projects/acme%2Fweb/job_token_scope`, {
      method: "PATCH",
      headers: { "PRIVATE-TOKEN": "token-of-maya", "content-type": "application/json" },
      body: JSON.stringify({ enabled: false }),
    });
    expect(await run()).toBe(true);
    expect(log).toEqual([
      "configuration: steward_job_token_scope.web changed",
      "steward_job_token_scope.web: update done",
    ]);
    expect(await isLimited("acme/web")).toBe(true);
  });
});
