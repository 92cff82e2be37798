import { readFileSync, writeFileSync } from "node:fs";
import { drift, type EngineOptions, plan } from "../../../src/engine";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { Stack, thing } from "../support/stack";

// The tests plan without the lock, or look for drift. Another run is changing the same objects at this time, or was killed
// before.

let stack: Stack;
beforeEach(() => {
  stack = new Stack({});
  stack.provider.tellsExisting = true;
});
afterEach(() => stack.remove());

const things = (declared: Record<string, object>) => stack.declare({ resource: { memory_thing: declared } });
const options = (): EngineOptions => ({ providers: [stack.provider], folder: stack.folder });
const source = () => ({ configuration: stack.folder });
const backend = () => new LocalBackend(stack.stateFile);
const told = ({ diagnostics }: { readonly diagnostics: readonly object[] }) =>
  (diagnostics as { severity: string; code: string; summary: string; address?: string }[]).map(
    ({ severity, code, summary, address = "" }) => `${severity} ${code}: ${summary} ${address}`.trim(),
  );

async function planned() {
  const result = await plan(source(), { ...options(), lock: false }).result;
  const changes = result.stacks[0]!.plan!.changes.filter(({ action }) => action !== "no-op");
  return {
    told: told(result),
    changes: changes.map(({ action, address }) => `${action} ${address}`),
    details: result.diagnostics.map(({ detail }) => detail).join("\n"),
  };
}

async function drifted() {
  const result = await drift(source(), options()).result;
  return {
    told: told(result),
    drifted: result.stacks[0]!.report!.drifted.map(({ change }) => change.address),
  };
}

/**
 * Applies, and leaves the files as if the run was killed. The given changes have been executed, but the journal has no
 * response to them. The state file is still the file from before the run.
 */
async function killedAfter(...changes: readonly string[]): Promise<void> {
  const saved = await readFileIf(stack.stateFile);
  for (const change of changes) stack.provider.crashingAfter.add(change);
  await stack.apply();
  stack.provider.crashingAfter.clear();
  if (saved !== undefined) writeFileSync(stack.stateFile, saved);
}

const readFileIf = async (file: string) =>
  (await backend().read()) === undefined ? undefined : readFileSync(file);

const INTERRUPTED = "warning journal_not_settled: A run was interrupted";
const RUNNING = "warning journal_not_settled: Another run is in progress";
const changed = (name: string) =>
  `error object_not_settled: Another run changes this object memory_thing.${name}`;

/**
 * Leaves the files of a killed run: `b` has a commit in the journal, and the create of `c` has no response. Then declares
 * `d`.
 */
async function leaveCreates(): Promise<void> {
  things({ a: thing("a") });
  await stack.apply();
  things({ a: thing("a"), b: thing("b"), c: thing("c") });
  await killedAfter("create c");
  things({ a: thing("a"), b: thing("b"), c: thing("c"), d: thing("d") });
}

test("after a killed apply, plan --lock=false reports the unfinished change", async () => {
  await leaveCreates();
  const journal = readFileSync(`${stack.stateFile}.journal`, "utf8");
  const found = await planned();
  expect(found).toMatchObject({
    told: [INTERRUPTED, changed("c")],
    changes: ["create memory_thing.d"],
  });
  expect(found.details).toContain("A run was interrupted after it began to change this object");
  expect(readFileSync(`${stack.stateFile}.journal`, "utf8")).toBe(journal);
});

test("plan --lock=false during an apply names the process that holds the lock", async () => {
  await leaveCreates();
  const unlock = await backend().lock({ operation: "apply" });
  const found = await planned();
  await unlock();
  expect(found).toMatchObject({ told: [RUNNING, changed("c")], changes: ["create memory_thing.d"] });
  expect(found.details).toContain(`(process ${process.pid} on `);
  expect(found.details).toContain('for "apply"');
});

test("if another run creates an object during the plan, the plan reports that another run changes the object", async () => {
  things({ a: thing("a") });
  await stack.apply();
  things({ a: thing("a"), b: thing("b", { depends_on: ["memory_thing.a"] }) });
  stack.provider.during = async (what) => {
    if (what !== "read a") return;
    stack.provider.during = undefined;
    await stack.apply();
  };
  const result = await plan(source(), { ...options(), lock: false }).result;
  expect(told(result)).toEqual([changed("b")]);
  expect(result.diagnostics[0]!.detail).toContain("Another run changed this object after this command");
});

test("if an object exists on the service and no run created it, the plan reports that the object already exists", async () => {
  things({ a: thing("a") });
  await stack.apply();
  things({ a: thing("a"), b: thing("b") });
  stack.provider.things.set("b", { id: "b", name: "b" });
  expect((await planned()).told).toEqual(["error already_exists: Already exists memory_thing.b"]);
});

test("drift contains a manual change, but not the change of an interrupted run", async () => {
  things({ a: thing("a"), b: thing("b"), c: thing("c") });
  await stack.apply();
  things({ a: thing("a", { size: 2 }), b: thing("b", { size: 2 }), c: thing("c") });
  await killedAfter("update b");
  stack.provider.things.get("c")!["size"] = 7;
  expect(await drifted()).toEqual({ told: [INTERRUPTED, changed("b")], drifted: ["memory_thing.c"] });
  // The next apply recovers the killed run and completes its changes.
  await stack.apply();
  expect(await drifted()).toEqual({ told: [], drifted: [] });
});

test("if the journal is damaged, plan --lock=false uses the state without the journal", async () => {
  await leaveCreates();
  const file = `${stack.stateFile}.journal`;
  const lines = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, [lines[0], "damaged", ...lines.slice(2)].join("\n"));
  expect((await planned()).told).toEqual([
    INTERRUPTED,
    "error already_exists: Already exists memory_thing.b",
    "error already_exists: Already exists memory_thing.c",
  ]);
});
