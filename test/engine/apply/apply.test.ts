import { Stack, thing } from "../support/stack";

describe("an apply", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const things = (declared: Record<string, object>, more: object = {}) =>
    stack.declare({ resource: { memory_thing: declared }, ...more });

  test("runs as many requests at once as --parallelism allows", async () => {
    things(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`t${index}`, thing(`t${index}`)])));
    await stack.apply("normal", { parallelism: 4 });
    expect(stack.provider.widest).toBe(4);
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
