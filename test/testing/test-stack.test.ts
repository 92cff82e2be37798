import childProcess from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { HttpBackend, TerraformOutput, TerraformStack, TerraformVariable, Testing } from "cdktf";
import { AccessLevel, JobTokenScope, ProjectInvitation, StewardProvider } from "cdktf-provider-steward";
import { startService, TestRunError, testStack } from "cdktf-provider-steward/testing";
import { PROJECTS, Shop, shop, TOKEN, useService } from "./support/shop";

const world = useService();

const temporaryFolders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`steward-test-${process.pid}-`));

/** Returns the parts of the process that a test stack must leave unchanged. */
const traces = () => ({
  env: { ...process.env },
  folder: process.cwd(),
  listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
});

describe("an app of 10 resources in a test", () => {
  it("a test stack can plan, apply, find drift after a manual change, and destroy", async () => {
    const stack = world.test(shop());
    const planned = await stack.plan();
    expect(planned.counts).toEqual({ add: 10, change: 0, destroy: 0, import: 0, move: 0 });
    expect(planned.text).toContain("Plan: 10 to add, 0 to change, 0 to destroy.");
    expect(world.service.requests.all.every(({ method }) => method === "GET")).toBe(true);

    const applied = await stack.apply();
    expect(applied.counts).toEqual(planned.counts);
    expect(applied.outputs["shop"]?.["acme-web-shop-id"]).toMatch(/^\d+$/);
    expect(await world.send("GET", "/projects/acme%2Fweb-shop/job_token_scope")).toMatchObject({
      inbound_enabled: true,
    });
    expect((await stack.plan()).hasChanges).toBe(false);
    expect((await stack.drift()).hasDrift).toBe(false);

    await world.send("PATCH", "/projects/acme%2Ftools/job_token_scope", { enabled: false });
    const drift = await stack.drift();
    expect(drift.drifted.map(({ change }) => change.address)).toEqual([
      "steward_job_token_scope.acme-tools-limit",
    ]);
    expect(drift.text).toContain("differs on the service (applied -> live)");
    expect((await stack.plan()).counts).toMatchObject({ change: 1 });

    expect((await stack.destroy()).counts).toMatchObject({ destroy: 10 });
    expect((await stack.plan()).counts).toMatchObject({ add: 10 });
  });

  it("a test stack leaves no file, listener or environment variable behind", async () => {
    const spawned = jest.spyOn(childProcess, "spawn");
    const before = traces();
    const stack = world.test(shop());
    await stack.apply();
    await stack.drift();
    expect(spawned).not.toHaveBeenCalled();
    expect(traces()).toEqual(before);
    expect(temporaryFolders()).toEqual([]);
    expect(existsSync(path.join(process.cwd(), "terraform.shop.tfstate"))).toBe(false);
  });

  it("each plan of a test stack sends at most 20 requests", async () => {
    const stack = world.test(shop());
    await stack.apply();
    const costs: number[] = [];
    for (let n = 0; n < 3; n++) {
      world.service.requests.reset();
      await stack.plan();
      costs.push(world.service.requests.all.length);
    }
    expect(new Set(costs).size).toBe(1);
    expect(costs[0]).toBeLessThanOrEqual(20);
  });
});

it("a test stack uses only the service of the test, even if the app configures another service and backend", async () => {
  const provider = { baseUrl: "https://live.example", token: "live-token", caFile: "/nowhere/ca.pem" };
  const stack = shop({ projects: ["acme/web-shop"], provider });
  new HttpBackend(stack, { address: "https://live.example/state", lockAddress: "https://live.example/lock" });
  const { counts } = await world.test(stack).apply();
  expect(counts.add).toBe(2);
});

it("in a test, a stack reads the outputs of another stack from a state in memory", async () => {
  const app = Testing.app();
  const first = new Shop(app, "first", { projects: ["acme/web-shop"] });
  const second = new TerraformStack(app, "second");
  new StewardProvider(second, "steward");
  const limit = first.node.findChild("acme-web-shop-limit") as JobTokenScope;
  new TerraformOutput(second, "project", { value: limit.id });
  new JobTokenScope(second, "limit", { project: "acme/tools", inboundEnabled: true });
  const apps = world.test(app);
  const { counts, outputs } = await apps.apply();
  expect(counts.add).toBe(3);
  expect(outputs["second"]?.["project"]).toBe(outputs["first"]?.["acme-web-shop-id"]);
  expect((await apps.plan()).text).toMatch(
    /^Stack first:\n\nNo changes\..*\n\nStack second:\n\nNo changes\./,
  );
  expect((await world.test(second).plan().catch(String)).toString()).toContain("has not been applied");
});

it("changedTo plans a second version of the app with the state of the first version", async () => {
  const stack = world.test(shop());
  await stack.apply();
  const smaller = stack.changedTo(shop({ projects: PROJECTS.slice(1) }));
  expect((await smaller.plan()).counts).toMatchObject({ add: 0, destroy: 2 });
  await smaller.apply();
  expect((await stack.plan()).counts).toMatchObject({ add: 2 });
  const renamed = stack.changedTo(shop({ limit: "renamed" }));
  expect((await renamed.plan()).counts).toMatchObject({ move: PROJECTS.length - 1, destroy: 0 });
});

it("an apply and a plan that start at the same time for one test stack run one after another", async () => {
  const stacks = PROJECTS.map((project) => world.test(shop({ projects: [project] })));
  const results = await Promise.all(stacks.flatMap((stack) => [stack.apply(), stack.plan()]));
  expect(results.map(({ counts }) => counts.add)).toEqual(PROJECTS.flatMap(() => [2, 0]));
});

it("a test sets variables with the option variables or with TF_VAR_ in env", async () => {
  const declared = shop({ projects: [] });
  const level = new TerraformVariable(declared, "level", { type: "number" });
  new ProjectInvitation(declared, "ada", {
    project: "acme/web-shop",
    email: "ada@example.com",
    accessLevel: AccessLevel.fromToken(level.numberValue),
  });
  const { service } = world;
  const planned = await testStack(declared, { service, variables: { level: 30 } }).plan();
  expect(planned.stacks[0]?.plan?.changes[0]?.after).toMatchObject({ access_level: 30 });
  const fromEnvironment = await testStack(declared, { service, env: { TF_VAR_level: "20" } }).plan();
  expect(fromEnvironment.stacks[0]?.plan?.changes[0]?.after).toMatchObject({ access_level: 20 });
});

it("after `import` of a test stack recorded a live object, the plan is empty", async () => {
  await world.send("PATCH", "/projects/acme%2Fweb-shop/job_token_scope", { enabled: true });
  const declared = new TerraformStack(Testing.app(), "shop");
  new StewardProvider(declared, "steward");
  new JobTokenScope(declared, "limit", { project: "acme/web-shop", inboundEnabled: true });
  const stack = world.test(declared);
  await stack.import("steward_job_token_scope.limit", "acme/web-shop");
  expect((await stack.plan()).hasChanges).toBe(false);
});

describe("errors of a test stack", () => {
  it("if a plan of a test stack fails, the call rejects with the texts and codes of the errors", async () => {
    const stack = world.test(shop({ projects: ["acme/missing"] }));
    const problem = await stack.plan().catch((thrown: unknown) => thrown);
    expect(problem).toBeInstanceOf(TestRunError);
    const { message, diagnostics } = problem as TestRunError;
    expect(message).toMatch(
      /^The run failed\.\n╷\n│ Error: No such project \[reference_not_found\]\n│\n│ {3}with steward_/,
    );
    expect(diagnostics.map(({ code }) => code)).toContain("reference_not_found");
  });

  it("if a validation of the app fails, a plan rejects with the message of the validation", async () => {
    const declared = shop({ projects: [] });
    declared.node.addValidation({ validate: () => ["This stack is not ready."] });
    await expect(world.test(declared).plan()).rejects.toThrow("This stack is not ready.");
  });

  it("if one change of an apply fails, the next apply makes only this change", async () => {
    const stack = world.test(shop({ projects: ["acme/web-shop"] }));
    world.service.faults.add({ method: "POST", route: "/projects/:id/protected_environments", status: 403 });
    await expect(stack.apply()).rejects.toThrow(TestRunError);
    expect((await stack.apply()).counts.add).toBe(1);
  });

  it("the error of a stack without an app suggests making the stack in an App", () => {
    const orphan = { node: { id: "lost", root: {} }, prepareStack() {} };
    return expect(world.test(orphan).plan()).rejects.toThrow(
      'The stack "lost" is in no app. Make it in an App',
    );
  });
});

it("a test without a token acts as the administrator", async () => {
  const service = await startService({
    fixture: { projects: [{ path: "acme/web-shop" }], groups: [{ path: "acme" }] },
  });
  try {
    const stack = testStack(shop({ projects: ["acme/web-shop"] }), { service });
    expect((await stack.apply()).counts.add).toBe(2);
  } finally {
    await service.close();
  }
});

it("planning an app that is already synthesized does not change the app's output folder", async () => {
  const app = Testing.app();
  new Shop(app, "shop", { projects: ["acme/web-shop"] });
  app.synth();
  const written = readdirSync(app.outdir, { recursive: true });
  expect((await testStack(app, { service: world.service, token: TOKEN }).plan()).counts.add).toBe(2);
  expect(readdirSync(app.outdir, { recursive: true })).toEqual(written);
});
