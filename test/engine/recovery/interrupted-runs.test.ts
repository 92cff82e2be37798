import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Diagnostic, DiagnosticError } from "../../../src/diagnostics";
import type { EngineEvent } from "../../../src/engine";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { editState } from "../../../src/engine/library/states";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { formatState } from "../../../src/state/format/format-state";
import {
  formatJournal,
  type JournalEntry,
  parseJournal,
  pendingIntents,
} from "../../../src/state/journal/entries";
import { emptyState } from "../../../src/state/model/model";
import { recovered } from "../support/recovered";
import { actions, Stack, thing } from "../support/stack";

// These tests cover create-first replacements, and files that other runs left. The simulator covers all moments at which a
// run can die.

/**
 * In these tests, the provider throws in an operation ("crashes"). The run then ends without the result of the operation, as
 * a killed run does.
 */
describe("a change of an interrupted run", () => {
  let stack: Stack;
  let told: string[];
  beforeEach(() => {
    stack = new Stack({});
    told = [];
  });
  afterEach(() => stack.remove());

  const things = (declared: Record<string, object>) =>
    stack.declare({ resource: { memory_thing: declared } });
  const journal = () => `${stack.stateFile}.journal`;
  const onEvent = (event: EngineEvent) => {
    if (event.kind === "settled") told.push(`${event.action} ${event.address} ${event.outcome}`);
  };
  const names = async () => (await stack.state())!.resources.map(({ name }) => name);
  const codes = (problem: unknown): string[] =>
    (problem as DiagnosticError).diagnostics.map(({ code }) => code);
  const open = () => recovered(stack.context({ onEvent }), new LocalBackend(stack.stateFile));

  describe("with create_before_destroy", () => {
    const before = { lifecycle: { create_before_destroy: true } };
    const live = () => [...stack.provider.things.keys()];
    beforeEach(async () => {
      things({ a: thing("old", before) });
      await stack.apply();
      things({ a: thing("new", before) });
    });

    test.each([
      ["crashing", "create new", ["create memory_thing.a not-done"]],
      ["crashingAfter", "create new", ["create memory_thing.a done"]],
      ["crashing", "delete old", ["delete memory_thing.a not-done"]],
      ["crashingAfter", "delete old", ["delete memory_thing.a done"]],
    ] as const)(
      "after the fault %s in the step %s, the next run completes the replacement and leaves one object",
      async (when, what, expected) => {
        stack.provider[when].add(what);
        await stack.apply();
        stack.provider[when].clear();
        await stack.apply("normal", { onEvent });
        expect(told).toEqual(expected);
        expect(live()).toEqual(["new"]);
        expect(actions(await stack.plan())).toEqual({});
      },
    );

    test.each([
      ["its create was sent", "the old object stays deposed", "crashingAfter", "create new"],
      ["its create was committed", "the old object stays deposed", "crashing", "delete old"],
      ["the old object was deleted", "the new object is left", "crashingAfter", "delete old"],
    ] as const)(
      "a replacement is recovered if the state was not saved since %s: %s",
      async (_, left, when, what) => {
        const saved = readFileSync(stack.stateFile);
        stack.provider[when].add(what);
        await stack.apply();
        stack.provider[when].clear();
        writeFileSync(stack.stateFile, saved);
        const { state } = await open();
        const instances = state!.resources[0]!.instances;
        expect(
          instances.map(({ attributes, deposed }) => [attributes["name"], deposed !== undefined]),
        ).toEqual([["new", false], ...(left === "the new object is left" ? [] : [["old", true]])]);
        await stack.apply();
        expect(live()).toEqual(["new"]);
      },
    );
  });

  describe("a change whose outcome can't be determined", () => {
    const NOT_SETTLED = ["forbidden", "object_not_settled"];
    const errors = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) =>
      diagnostics.map(({ code, address }) => `${code} ${address}`);
    const sent = () => stack.provider.asked.filter((what) => /^(create|update|delete) /.test(what));
    const leaveOpen = async (what: string) => {
      stack.provider.crashingAfter.add(what);
      await stack.apply();
      stack.provider.crashingAfter.clear();
      stack.provider.failing.add("recover a");
      stack.provider.asked.length = 0;
    };

    test("if the outcome of a change is unknown, neither apply nor destroy deletes the changed object", async () => {
      things({ a: thing("a"), b: thing("b") });
      await stack.apply();
      things({ a: thing("a", { size: 2 }), b: thing("b") });
      await leaveOpen("update a");
      things({ b: thing("b", { size: 3 }) });
      expect(actions(await stack.settleAndPlan())).toEqual({ "memory_thing.b": "update" });
      things({ a: thing("a"), b: thing("b") });
      await stack.apply("destroy");
      expect(sent()).toEqual(["delete b"]);
      expect(await names()).toEqual(["a"]);
      stack.provider.failing.clear();
      await stack.apply("destroy");
      expect([...stack.provider.things.keys()]).toEqual([]);
      expect(existsSync(journal())).toBe(false);
    });

    test("a plan refuses to move an object whose change has an unknown outcome, because the journal names the old address", async () => {
      things({ a: thing("a") });
      await stack.apply();
      things({ a: thing("a", { size: 2 }) });
      await leaveOpen("update a");
      stack.declare({
        moved: [{ from: "memory_thing.a", to: "memory_thing.z" }],
        resource: { memory_thing: { z: thing("a", { size: 2 }) } },
      });
      const plan = await stack.settleAndPlan();
      expect(plan.applicable).toBe(false);
      expect(errors(plan)).toContain("journal_not_settled memory_thing.z");
    });

    test("applying a plan from before the interrupted run does not repeat a change with an unknown outcome", async () => {
      things({ a: thing("a"), b: thing("b") });
      const older = await stack.plan();
      await leaveOpen("create a");
      const backend = new LocalBackend(stack.stateFile);
      const { context } = await recovered(stack.context(), backend);
      const result = await applyPlan(context, older, backend);
      expect(sent()).not.toContain("create a");
      expect(errors(result)).toContain("object_not_settled memory_thing.a");
    });

    test("with --fail-fast, a change with an unknown outcome ends the next run before any change", async () => {
      things({ a: thing("a"), b: thing("b") });
      await leaveOpen("create a");
      const before = [readFileSync(journal(), "utf8"), readFileSync(stack.stateFile, "utf8")];
      const failFast = stack.context({ failFast: true });
      const problem = await recovered(failFast, new LocalBackend(stack.stateFile)).catch(
        (one: unknown) => one,
      );
      expect(codes(problem)).toEqual(NOT_SETTLED);
      expect([readFileSync(journal(), "utf8"), readFileSync(stack.stateFile, "utf8")]).toEqual(before);
    });
  });

  test("for an interrupted create, the journal contains the ids of the live objects that the provider observed during the plan", async () => {
    const noted = () =>
      pendingIntents(parseJournal(readFileSync(journal(), "utf8"), "here")!).map(
        ({ change }) => change.observed,
      );
    things({ x: thing("x") });
    await stack.apply();
    stack.provider.observed.set("a", ["x"]);
    stack.provider.crashing.add("create a");
    things({ x: thing("x"), a: thing("a") });
    await stack.apply();
    expect(noted()).toEqual([{ ids: ["x"] }]);
    things({ a: thing("a") });
    await stack.apply();
    expect(noted()).toEqual([undefined]);
  });

  test("a recovery sends the provider the time at which the interrupted change began", async () => {
    things({ a: thing("a") });
    const before = Date.now();
    stack.provider.crashing.add("create a");
    await stack.apply();
    const text = readFileSync(journal(), "utf8");
    const { head, entries } = parseJournal(text, journal())!;
    await open();
    const started = "2026-01-02T03:04:05.000Z";
    const older = entries.map((entry) => (entry.kind === "begun" ? { ...entry, at: undefined } : entry));
    writeFileSync(
      journal(),
      formatJournal({ ...head, started, states: [null] }, older as JournalEntry[]).join(""),
    );
    await open();
    const [recent, old] = stack.provider.begun;
    expect(recent).toBeGreaterThanOrEqual(before);
    expect(recent).toBeLessThanOrEqual(Date.now());
    expect(old).toBe(Date.parse(started));
  });

  test("if another process wrote the state, a recovery adds only the changes of the interrupted run to the state", async () => {
    things({ a: thing("a"), b: thing("b"), c: thing("c") });
    stack.provider.crashing.add("create c");
    await stack.apply();
    const [a] = (await stack.state())!.resources;
    const other = { ...(await stack.state())!, serial: 99, resources: [a!] };
    writeFileSync(stack.stateFile, formatState(other));
    const { diagnostics } = await open();
    expect(diagnostics.map(({ code }) => code)).toEqual(["journal_overtaken"]);
    expect(told).toEqual(["create memory_thing.b done", "create memory_thing.c not-done"]);
    expect(await names()).toEqual(["a", "b"]);
  });

  test("if the state has another object at an address, the recovery reports the object that the interrupted run created", async () => {
    things({ a: thing("a"), b: thing("b"), c: thing("c") });
    stack.provider.crashing.add("create c");
    await stack.apply();
    const text = formatState({ ...(await stack.state())!, serial: 99 });
    writeFileSync(stack.stateFile, text.replace('"id": "b"', '"id": "other"'));
    const { diagnostics } = await open();
    expect(diagnostics).toMatchObject([
      { code: "journal_overtaken", summary: "State was changed after an interrupted run" },
      {
        ...{ severity: "warning", code: "journal_overtaken", address: "memory_thing.b" },
        summary: "Object of an interrupted run is not in the state",
        detail: expect.stringContaining('created the object "b" for memory_thing.b, but'),
      },
    ]);
    expect((await stack.state())!.resources.map(({ instances }) => instances[0]!.attributes["id"])).toContain(
      "other",
    );
  });

  test("if the journal belongs to another state, the engine refuses a run and changes nothing", async () => {
    things({ a: thing("a"), b: thing("b") });
    await stack.apply();
    things({ a: thing("a"), b: thing("b", { size: 2 }) });
    stack.provider.crashing.add("update b");
    await stack.apply();
    const left = readFileSync(journal(), "utf8");
    const state = (await stack.state())!;
    writeFileSync(stack.stateFile, formatState({ ...state, lineage: "another" }));
    expect(codes(await open().catch((thrown: unknown) => thrown))).toEqual(["journal_of_another_state"]);
    writeFileSync(stack.stateFile, "");
    writeFileSync(`${stack.stateFile}.backup`, "");
    expect(codes(await open().catch((thrown: unknown) => thrown))).toEqual(["journal_without_state"]);
    expect(readFileSync(journal(), "utf8")).toBe(left);
  });

  test("if another process writes the state during an apply, the apply does not overwrite this process's state", async () => {
    things({ a: thing("a") });
    await stack.apply();
    things({ a: thing("a"), b: thing("b"), c: thing("c") });
    const before = (await stack.state())!;
    const other = formatState({ ...before, serial: before.serial + 7, terraformVersion: "1.12.0" });
    let isWritten = false;
    const result = await stack.apply("normal", {
      onEvent: ({ kind }) => {
        if (kind === "apply_complete" && !isWritten) writeFileSync(stack.stateFile, other);
        isWritten ||= kind === "apply_complete";
      },
    });
    expect(result.diagnostics.map(({ code }) => code)).toEqual(["state_moved_on", "state_not_saved"]);
    expect(result.diagnostics[1]!.detail).toContain(journal());
    expect((await stack.state())!.terraformVersion).toBe("1.12.0");
    expect(actions(await stack.settleAndPlan())).toEqual({});
    expect(await names()).toEqual(["a", "b", "c"]);
  });

  test("before the recovery of an interrupted run, an edit of the state fails with journal_not_settled", async () => {
    things({ a: thing("a") });
    stack.provider.crashing.add("create a");
    await stack.apply();
    const options = { operation: "state rm", timeoutMs: 0, onNotice: () => undefined };
    const edited = editState(new LocalBackend(stack.stateFile), options, (state) => ({ state }));
    expect(codes(await edited.catch((thrown: unknown) => thrown))).toEqual(["journal_not_settled"]);
  });

  test.each(["", "3f"])(
    "the next plan ignores and removes a journal file that contains only %j",
    async (text) => {
      things({ a: thing("a") });
      await new LocalBackend(stack.stateFile).write(emptyState());
      writeFileSync(journal(), text);
      await stack.settleAndPlan();
      expect(existsSync(journal())).toBe(false);
    },
  );
});
