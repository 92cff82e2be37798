import { readFileSync, writeFileSync } from "node:fs";
import { actions, Stack, thing } from "../support/stack";

describe("an apply", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const things = (declared: Record<string, object>, more: object = {}) =>
    stack.declare({ resource: { memory_thing: declared }, ...more });
  const changes = () => stack.provider.asked.filter((what) => /^(create|update|delete)/.test(what));

  test("creates objects in the order of references and depends_on", async () => {
    things({
      c: thing("c", { depends_on: ["memory_thing.b"] }),
      b: thing("b", { size: "${memory_thing.a.serial}" }),
      a: thing("a"),
    });
    const { done } = await stack.apply();
    expect(changes()).toEqual(["create a", "create b", "create c"]);
    expect(done).toEqual({ add: 3, change: 0, remove: 0, import: 0, move: 0 });
  });

  test("regression: the word ADDRESS in a message of the service was replaced", async () => {
    things({ a: thing("ADDRESS") });
    stack.provider.failing.add("create ADDRESS");
    const { diagnostics } = await stack.apply();
    expect(diagnostics).toMatchObject([
      { address: "memory_thing.a", detail: "The test refuses to create ADDRESS." },
    ]);
  });

  test("destroys objects in the reverse order", async () => {
    things({
      c: thing("c", { depends_on: ["memory_thing.b"] }),
      b: thing("b", { size: "${memory_thing.a.serial}" }),
      a: thing("a"),
    });
    await stack.apply();
    stack.provider.asked.length = 0;
    await stack.apply("destroy");
    expect(changes()).toEqual(["delete c", "delete b", "delete a"]);
    expect((await stack.state())!.resources).toEqual([]);
  });

  test("leaves no resource without instances in the state after a failed create", async () => {
    things({ a: thing("a") }, { data: { memory_lookup: { x: { name: "x" } } } });
    await stack.apply();
    const state = JSON.parse(readFileSync(stack.stateFile, "utf8"));
    state.resources.push({ ...state.resources.at(-1), name: "failed", instances: [] });
    writeFileSync(stack.stateFile, JSON.stringify(state));
    await stack.apply("destroy");
    expect((await stack.state())!.resources).toEqual([]);
  });

  test("replaces an object after its dependents are deleted", async () => {
    things({ a: thing("a"), b: thing("b-${memory_thing.a.id}") });
    await stack.apply();
    stack.provider.asked.length = 0;
    things({ a: thing("new"), b: thing("b-${memory_thing.a.id}") });
    await stack.apply();
    expect(changes()).toEqual(["delete b-a", "delete a", "create new", "create b-new"]);
  });

  test("runs as many requests at once as --parallelism allows", async () => {
    things(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`t${index}`, thing(`t${index}`)])));
    await stack.apply("normal", { parallelism: 4 });
    expect(stack.provider.widest).toBe(4);
  });

  test("skips the dependents of a failed change, continues with everything else and reports both", async () => {
    things({ a: thing("a"), b: thing("b-${memory_thing.a.id}"), c: thing("c") });
    stack.provider.failing.add("create a");
    const { diagnostics, done } = await stack.apply();
    expect(done).toEqual({ add: 1, change: 0, remove: 0, import: 0, move: 0 });
    expect(diagnostics.map(({ code, address }) => [code, address])).toEqual([
      ["forbidden", "memory_thing.a"],
      ["dependency_failed", undefined],
    ]);
    expect(diagnostics[1]!.detail).toContain("memory_thing.b");
    stack.provider.failing.clear();
    await stack.apply();
    expect([...stack.provider.things.keys()].sort()).toEqual(["a", "b-a", "c"]);
  });

  test("writes no state if nothing was created", async () => {
    things({ a: thing("a") });
    stack.provider.failing.add("create a");
    await stack.apply();
    expect(await stack.state()).toBeUndefined();
  });

  test("keeps an object in the state if its delete was refused", async () => {
    things({ a: thing("a") });
    await stack.apply();
    stack.provider.failing.add("delete a");
    const { diagnostics } = await stack.apply("destroy");
    expect(diagnostics).toHaveLength(1);
    expect((await stack.state())!.resources).toHaveLength(1);
  });

  test("replaces an object after a failed create, unless the provider reports it as sound", async () => {
    things({ a: thing("a"), b: thing("b", { size: 1 }) });
    stack.provider.half.set("a", "unsound").set("b", "sound");
    await stack.apply();
    stack.provider.half.clear();
    things({ a: thing("a"), b: thing("b", { size: 2 }) });
    expect(actions(await stack.plan())).toEqual({
      "memory_thing.a": "delete-then-create",
      "memory_thing.b": "update",
    });
    await stack.apply();
    expect(actions(await stack.plan())).toEqual({});
  });

  test("saves everything that was done when one change throws an unexpected exception", async () => {
    things({ a: thing("a"), b: thing("b") });
    stack.provider.crashing.add("create b");
    const faults: unknown[] = [];
    const { diagnostics } = await stack.apply("normal", { onFault: (problem) => faults.push(problem) });
    expect(diagnostics.map(({ code, address }) => [code, address])).toEqual([
      ["internal_error", "memory_thing.b"],
    ]);
    expect(String(faults[0])).toContain("a fault in create b");
    expect((await stack.state())!.resources.map(({ name }) => name)).toEqual(["a"]);
  });

  test("stops at a signal, saves what was done and names what was not started", async () => {
    const stop = new AbortController();
    things({ a: thing("a"), b: thing("b-${memory_thing.a.id}") });
    const onEvent = (event: { kind: string }) => {
      if (event.kind === "apply_complete") stop.abort();
    };
    const { diagnostics } = await stack.apply("normal", { stop: stop.signal, onEvent });
    expect(diagnostics.map(({ code }) => code)).toEqual(["interrupted"]);
    expect(diagnostics[0]!.detail).toMatch(/were completed and saved\. Not begun: memory_thing\.b\. Run/);
    expect((await stack.state())!.resources.map(({ name }) => name)).toEqual(["a"]);
  });

  test("reports requests that were abandoned", async () => {
    const [stop, abort] = [new AbortController(), new AbortController()];
    things({ a: thing("a"), b: thing("b-${memory_thing.a.id}") });
    const onEvent = (event: { kind: string }) => {
      if (event.kind !== "apply_start") return;
      stop.abort();
      abort.abort();
    };
    const { diagnostics } = await stack.apply("normal", { stop: stop.signal, abort: abort.signal, onEvent });
    const { detail } = diagnostics.find(({ code }) => code === "interrupted")!;
    expect(detail).toMatch(
      /were abandoned, but the service may still have carried them out.* Not begun: memory_thing\.b\./,
    );
  });

  test("stores dependencies, sensitive paths and outputs in the state", async () => {
    stack.declare({
      variable: { key: { sensitive: true } },
      locals: { between: "${memory_thing.a.id}" },
      resource: { memory_thing: { a: thing("a"), b: thing("b-${local.between}", { tags: ["${var.key}"] }) } },
      output: { all: { value: ["${memory_thing.a.id}", 1] } },
    });
    await stack.apply("normal", { variables: { key: { from: "text", text: "k", origin: "--var" } } });
    const { resources, outputs } = (await stack.state())!;
    const b = resources.find(({ name }) => name === "b")!.instances[0]!;
    expect(b.dependencies).toEqual(["memory_thing.a"]);
    expect(b.sensitivePaths).toEqual([[{ attribute: "tags" }], [{ attribute: "secret" }]]);
    expect(outputs["all"]).toMatchObject({
      value: ["a", 1],
      type: ["tuple", ["string", "number"]],
      sensitive: false,
    });
  });

  test("emits an event when a change starts and ends, and progress events", async () => {
    things({ a: thing("a") });
    const told: string[] = [];
    await stack.apply("normal", {
      onEvent: (event) =>
        told.push(
          "address" in event
            ? `${event.kind} ${event.address}`
            : `${event.kind} ${"done" in event ? `${event.done}/${event.total}` : ""}`,
        ),
    });
    expect(told).toEqual(["apply_start memory_thing.a", "apply_complete memory_thing.a", "progress 1/1"]);
  });
});
