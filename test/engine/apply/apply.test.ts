import { readFileSync } from "node:fs";
import { actions, Stack, thing } from "../support/stack";

describe("an apply", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const things = (declared: Record<string, object>, more: object = {}) =>
    stack.declare({ resource: { memory_thing: declared }, ...more });

  test("sends as many changes at once as --parallelism allows", async () => {
    things(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`t${index}`, thing(`t${index}`)])));
    await stack.apply("normal", { parallelism: 4 });
    expect(stack.provider.widest).toBe(4);
  });

  test("records each change in the journal shortly before sending it, instead of recording all changes at the start", async () => {
    things(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`t${index}`, thing(`t${index}`)])));
    const pending: number[] = [];
    const lines = (kind: string, journal: string) => journal.split(`"kind":"${kind}"`).length - 1;
    await stack.apply("normal", {
      parallelism: 4,
      onEvent: ({ kind }) => {
        if (kind !== "apply_start") return;
        const journal = readFileSync(`${stack.stateFile}.journal`, "utf8");
        pending.push(lines("begun", journal) - lines("ended", journal));
      },
    });
    expect(pending).toHaveLength(20);
    expect(Math.max(...pending)).toBeGreaterThan(4);
    expect(Math.max(...pending)).toBeLessThanOrEqual(12);
  });

  test.each([
    ["--fail-fast", { failFast: true }, "dependency_failed", []],
    ["a signal", {}, "interrupted", ["memory_thing.t"]],
  ])(
    "after %s, sends no further change, and the diagnostic names the instances that are not created",
    async (what, options, code, kept) => {
      things({ t: { count: 3, name: "t$" + "{count.index}" } });
      const stop = new AbortController();
      if (what === "--fail-fast") stack.provider.failing.add("create t0");
      const onEvent = ({ kind }: { readonly kind: string }) => {
        if (kind === "apply_start" && what === "a signal") stop.abort();
      };
      const { diagnostics } = await stack.apply("normal", {
        ...options,
        parallelism: 1,
        stop: stop.signal,
        onEvent,
      });
      const left = diagnostics.find((one) => one.code === code)!;
      expect(left.detail).toContain("memory_thing.t[1] and memory_thing.t[2]");
      expect(stack.provider.asked).toEqual(["create t0"]);
      const { resources = [] } = (await stack.state()) ?? {};
      expect(resources.map(({ type, name }) => `${type}.${name}`)).toEqual(kept);
      expect(actions(await stack.settleAndPlan())).toMatchObject({
        "memory_thing.t[1]": "create",
        "memory_thing.t[2]": "create",
      });
    },
  );

  test("updates one instance of a resource even if the delete of another instance fails", async () => {
    const each = (names: Record<string, object>) =>
      things({ t: { for_each: names, name: "$" + "{each.key}", size: "$" + "{each.value.size}" } });
    each({ kept: { size: 1 }, dropped: { size: 1 } });
    await stack.apply();
    each({ kept: { size: 2 } });
    stack.provider.failing.add("delete dropped");
    stack.provider.asked.length = 0;
    await stack.apply();
    expect(stack.provider.asked).toContain("update kept");
  });

  test("saves all completed changes after one change throws an unexpected exception", async () => {
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

  test("emits an event at the start and at the end of a change, and then a progress event", async () => {
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
