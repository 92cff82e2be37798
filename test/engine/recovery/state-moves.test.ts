import { writeFileSync } from "node:fs";
import path from "node:path";
import { openMove, requireRecovered } from "../../../src/engine/recovery/merge-journal";
import { executeMove, movesOfAddress, planMove } from "../../../src/engine/recovery/state-move";
import type { StateBackend } from "../../../src/state/backends/backend";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { formatState } from "../../../src/state/format/format-state";
import { Stack, thing } from "../support/stack";

// In these tests, a run dies while it moves an object to another state. The next run can't complete the move. The simulator
// and acceptance/kills cover the completion after a kill at any moment. The transcript `objects-of-two-stacks` checks that
// Steward refuses runs of both stacks until the move is complete.

const ADDRESSES = ["memory_thing.a", "memory_thing.b"] as const;

let stack: Stack;
beforeEach(async () => {
  stack = new Stack({ resource: { memory_thing: { a: thing("a") } } });
  await stack.apply();
});
afterEach(() => stack.remove());

const source = () => new LocalBackend(stack.stateFile);
const target = () => new LocalBackend(path.join(stack.folder, "other.tfstate"));
const held = async () => (await stack.state())!.resources.map(({ name }) => name);

/** Returns a backend whose writes fail, as if the process died instead of writing the state. */
const dying = (backend: StateBackend): StateBackend =>
  new Proxy(backend, {
    get(of, name) {
      if (name === "write") return () => Promise.reject(new Error("killed"));
      const value = Reflect.get(of, name) as unknown;
      return typeof value === "function" ? value.bind(of) : value;
    },
  });

/** Repeats the steps of the command while it holds the locks: completes an unfinished move, or starts a new move. */
async function move(from: StateBackend, to: StateBackend): Promise<void> {
  const open = (await openMove(from)) ?? (await openMove(to));
  const [one, other] = [
    { stack: "web", backend: from },
    { stack: "base", backend: to },
  ];
  const planned = open ?? (await planMove(one, other, { addresses: ADDRESSES }, movesOfAddress(ADDRESSES)));
  await executeMove(planned, from, to, (_to, provider) => provider);
}

/** Changes the state from which the move took its object. */
const overwrite = async (change: object) =>
  writeFileSync(stack.stateFile, formatState({ ...(await stack.state())!, ...change }));

test.each([
  ["neither state holds the object any more", { resources: [] }, "state_move_lost", []],
  ["one of the states was replaced by another", { lineage: "another" }, "journal_of_another_state", ["a"]],
])("an interrupted move between states can't be completed if %s", async (_, change, code, left) => {
  await expect(move(source(), dying(target()))).rejects.toThrow("killed");
  await expect(requireRecovered(source())).rejects.toMatchObject({
    diagnostics: [{ code: "state_move_open" }],
  });
  await overwrite(change);
  await expect(move(source(), target())).rejects.toMatchObject({ diagnostics: [{ code }] });
  expect(await held()).toEqual(left);
});

test("if a run was interrupted, the engine refuses a move between states until a plan has recovered the run", async () => {
  // The journal of a run that died while it wrote the first line of the journal.
  writeFileSync(target().journal.description, "00000000 {}\n");
  await expect(move(source(), target())).rejects.toMatchObject({
    diagnostics: [{ code: "journal_not_settled", action: { kind: "plan" } }],
  });
  expect(await held()).toEqual(["a"]);
});
