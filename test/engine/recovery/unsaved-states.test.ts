import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { EngineEvent } from "../../../src/engine";
import { pendingWarning, requireRecovered } from "../../../src/engine/recovery/merge-journal";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { formatState } from "../../../src/state/format/file-format";
import { emptyState } from "../../../src/state/model/model";
import { actions, Stack, thing } from "../support/stack";

/** An apply whose final save fails. */
describe("a state that can't be saved", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = new Stack({ resource: { memory_thing: { a: thing("a") } } });
    await stack.apply();
    stack.declare({ resource: { memory_thing: { a: thing("a"), b: thing("b"), c: thing("c") } } });
  });
  afterEach(() => stack.remove());

  const codesOf = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) =>
    diagnostics.map(({ code }) => code);
  /** Runs an action after the first change. */
  const afterTheFirst = (act: () => void) => {
    let isDone = false;
    return (event: EngineEvent) => {
      if (event.kind !== "apply_complete" || isDone) return;
      isDone = true;
      act();
    };
  };

  test("because another process wrote it: it is not overwritten, and no change is lost", async () => {
    const before = (await stack.state())!;
    const other = formatState({ ...before, serial: before.serial + 7, outputs: {} });
    const onEvent = afterTheFirst(() =>
      writeFileSync(stack.stateFile, other.replace('"1.11.4"', '"1.12.0"')),
    );
    const result = await stack.apply("normal", { onEvent });
    expect(codesOf(result)).toEqual(["state_moved_on", "state_not_saved"]);
    expect(result.diagnostics[1]!.detail).toContain(`${stack.stateFile}.journal`);
    expect((await stack.state())!.terraformVersion).toBe("1.12.0");

    const plan = await stack.settleAndPlan();
    expect(actions(plan)).toEqual({});
    expect((await stack.state())!.resources.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  test("because a folder has its name: the next run recovers the changes from the journal", async () => {
    const saved = (await stack.state())!;
    const onEvent = afterTheFirst(() => {
      rmSync(stack.stateFile);
      mkdirSync(stack.stateFile);
    });
    const result = await stack.apply("normal", { onEvent });
    expect(codesOf(result)).toContain("state_not_saved");
    rmSync(stack.stateFile, { recursive: true });
    writeFileSync(stack.stateFile, formatState(saved));
    expect(actions(await stack.settleAndPlan())).toEqual({});
  });

  test("nor its journal created, in a read-only folder: no request is sent", async () => {
    if (process.getuid?.() === 0) {
      // Root may write everywhere, so a folder in place of the journal stands for the missing permission.
      mkdirSync(`${stack.stateFile}.journal`);
      await expect(stack.settleAndPlan()).rejects.toMatchObject({
        diagnostics: [{ code: "state_not_a_file" }],
      });
      return;
    }
    chmodSync(stack.folder, 0o500);
    stack.provider.asked.length = 0;
    const result = await stack.apply();
    chmodSync(stack.folder, 0o700);
    expect(codesOf(result)).toContain("state_not_permitted");
    expect(stack.provider.asked.filter((what) => what.startsWith("create"))).toEqual([]);
  });
});

describe("a journal of an interrupted run", () => {
  test("blocks manual state changes, and causes a warning where the state is only read", async () => {
    const stack = new Stack({ resource: { memory_thing: { a: thing("a") } } });
    const backend = new LocalBackend(stack.stateFile);
    await requireRecovered(backend);
    expect(await pendingWarning(backend)).toEqual([]);
    stack.provider.crashing.add("create a");
    await stack.apply();
    await expect(requireRecovered(backend)).rejects.toMatchObject({
      diagnostics: [{ code: "journal_not_settled" }],
    });
    expect(await pendingWarning(backend)).toMatchObject([
      { severity: "warning", code: "journal_not_settled" },
    ]);
    stack.remove();
  });

  test("without any entry is ignored and removed", async () => {
    const stack = new Stack({ resource: { memory_thing: { a: thing("a") } } });
    await new LocalBackend(stack.stateFile).write(emptyState());
    for (const text of ["", "3f"]) {
      writeFileSync(path.join(stack.folder, "terraform.tfstate.journal"), text);
      await stack.settleAndPlan();
      expect(existsSync(`${stack.stateFile}.journal`)).toBe(false);
    }
    expect(readdirSync(stack.folder).filter((name) => name.includes("journal"))).toEqual([]);
    stack.remove();
  });
});
