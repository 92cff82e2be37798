import { readFileSync } from "node:fs";
import path from "node:path";
import { App, TerraformStack } from "cdktf";
import { JobTokenAllowlistProject, JobTokenScope, StewardProvider } from "cdktf-provider-steward";
import {
  apply,
  drift,
  type EngineOptions,
  importObject,
  plan,
  type StackSource,
  validate,
} from "cdktf-provider-steward/engine";
import { reconcile } from "../../../examples/engine-library/reconcile";

import {
  codesOf,
  configurationOf,
  declared,
  followed,
  inState,
  isLimited,
  optionsFor,
  scope,
  summaryOf,
  useLibrary,
  WEB,
  writes,
} from "../support/library";

// The tests use the engine as another program would: they import only the package's entry points, and use a service on
// loopback.

const library = useLibrary();

describe("the engine as a library", () => {
  test("plan, apply, drift and import return typed results and emit typed events", async () => {
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

    await fetch(`${library.service.url}/api/v4/projects/acme%2Fweb/job_token_scope`, {
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

  test("accepts these sources: an app object, a synthesized folder, a command, a configuration folder and a configuration object", async () => {
    const outdir = path.join(library.folder, "out");
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

  test("turns off cdktf's stack traces in an app, unless an environment variable turns them on", async () => {
    const app = 'printf "$CDKTN_DISABLE_CREATION_STACK" >seen; exit 1';
    const seen = async (env: Record<string, string> = {}) => {
      await plan({ app, output: "out" }, optionsFor({ env: { ...withPath(), ...env } })).result;
      return readFileSync(path.join(library.folder, "seen"), "utf8");
    };
    expect(await seen()).toBe("true");
    expect(await seen({ CDKTN_DISABLE_CREATION_STACK: "false" })).toBe("false");
  });

  test("returns the diagnostics of an invalid source or configuration in the result", async () => {
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
    expect(library.service.requests.all).toEqual([]);
  });

  test("sends no write if the caller's function approve refuses the plan", async () => {
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

  test("accepts values for variables as an option", async () => {
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
});

describe("the example in docs/engine-library.md", () => {
  test("docs/engine-library.md contains the code of examples/engine-library/reconcile.ts", () => {
    const root = path.join(__dirname, "../../..");
    const code = readFileSync(path.join(root, "examples/engine-library/reconcile.ts"), "utf8");
    expect(readFileSync(path.join(root, "docs/engine-library.md"), "utf8")).toContain(code.trim());
  });

  test("the example reverts a manual change, and does nothing if there is no drift", async () => {
    const source = { configuration: declared({ web: scope("acme/web"), docs: scope("acme/docs") }) };
    const log: string[] = [];
    const run = () => reconcile(source, { env: optionsFor().env!, log: (line) => log.push(line) });
    await apply(source, optionsFor()).result;
    expect(await run()).toBe(true);
    expect(log).toEqual([]);
    await fetch(`${library.service.url}/api/v4/projects/acme%2Fweb/job_token_scope`, {
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
