import { writeFileSync } from "node:fs";
import path from "node:path";
import { openMove, pendingWarning, requireRecovered } from "../../../src/engine/recovery/merge-journal";
import { openState } from "../../../src/engine/recovery/open-state";
import {
  executeMove,
  type LockedStack,
  movesOfAddress,
  movesOfPatterns,
  planMove,
} from "../../../src/engine/recovery/state-move";
import type { StateBackend } from "../../../src/state/backends/backend";
import { HttpBackend } from "../../../src/state/backends/http-backend";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { formatState } from "../../../src/state/format/file-format";
import type { JournalStore } from "../../../src/state/journal/entries";
import { addressesOf } from "../../../src/state/model/edit";
import { emptyState } from "../../../src/state/model/model";
import { selectInstances } from "../../../src/state/model/select";
import { httpBackendConfig } from "../../../src/state/storage/http-config";
import { StateServer } from "../../state/state-server";
import { Stack, thing } from "../support/stack";

const ADDRESSES = ["memory_thing.each", "memory_thing.all"] as const;
const EACH = ['memory_thing.each["a"]', 'memory_thing.each["b"]'];
const ALL = ['memory_thing.all["a"]', 'memory_thing.all["b"]'];

/**
 * The states of two stacks; the first holds two things. Each call of `backend` opens a new backend, as
 * another run does.
 */
class Two {
  readonly servers = [new StateServer(), new StateServer()];
  readonly stack = new Stack({
    resource: { memory_thing: { each: { for_each: '${toset(["a", "b"])}', ...thing("${each.key}") } } },
  });
  readonly #keeping: "file" | "http";

  private constructor(keeping: "file" | "http") {
    this.#keeping = keeping;
  }

  static async open(keeping: "file" | "http"): Promise<Two> {
    const two = new Two(keeping);
    for (const server of two.servers) await server.start();
    await two.stack.apply();
    if (keeping === "http") await two.backend(0).write((await two.stack.state())!);
    return two;
  }

  backend(at: 0 | 1): StateBackend {
    const files = [this.stack.stateFile, path.join(this.stack.folder, "other.tfstate")];
    if (this.#keeping === "file") return new LocalBackend(files[at]!);
    return new HttpBackend(httpBackendConfig({ address: this.servers[at]!.url("/state"), retry_max: 0 }, {}));
  }

  async addresses(at: 0 | 1): Promise<string[]> {
    return addressesOf(selectInstances((await this.backend(at).read()) ?? emptyState()));
  }

  /** Replaces the first state while others have it open. */
  overwrite(text: string): void {
    if (this.#keeping === "file") writeFileSync(this.stack.stateFile, text);
    else this.servers[0]!.state = text;
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.stop();
    this.stack.remove();
  }
}

/** Counts the writes of both states and journals, and ends the run instead of one or right after it. */
class Fate {
  writes = 0;
  readonly #at: number;

  constructor(at = Number.POSITIVE_INFINITY) {
    this.#at = at;
  }

  async of<T>(write: () => Promise<T>): Promise<T> {
    if (++this.writes > this.#at) throw new Error("killed");
    return write();
  }

  stack(stack: string, backend: StateBackend): LockedStack {
    const { journal } = backend;
    const store: Pick<JournalStore, "description" | "read" | "replace" | "clear"> = {
      description: journal.description,
      read: () => journal.read(),
      replace: (lines) => this.of(() => journal.replace(lines)),
      clear: () => this.of(() => journal.clear()),
    };
    const watched = {
      get version() {
        return backend.version;
      },
      description: backend.description,
      journal: store as JournalStore,
      read: () => backend.read(),
      write: (state: Parameters<StateBackend["write"]>[0]) => this.of(() => backend.write(state)),
    };
    return { stack, backend: watched as StateBackend };
  }
}

const BY_ADDRESS = {
  selection: { addresses: ADDRESSES },
  choose: movesOfAddress(ADDRESSES),
  moved: ALL,
  action: { kind: "move", from: "memory_thing.each", to: "memory_thing.all" },
};
const PATTERNS = ["memory_thing.e*"];
const BY_PATTERNS = {
  selection: { patterns: PATTERNS },
  choose: movesOfPatterns(PATTERNS),
  moved: EACH,
  action: { kind: "moveAll", patterns: PATTERNS },
};

type Move = Pick<typeof BY_ADDRESS | typeof BY_PATTERNS, "selection" | "choose">;

/** What the command does under its locks: it completes an unfinished move, or starts a new one. */
async function move(two: Two, fate: Fate, { selection, choose }: Move = BY_ADDRESS): Promise<void> {
  const [source, target] = [fate.stack("web", two.backend(0)), fate.stack("base", two.backend(1))];
  const open = (await openMove(source.backend)) ?? (await openMove(target.backend));
  const planned = open ?? (await planMove(source, target, selection, choose));
  await executeMove(planned, source.backend, target.backend, (_to, provider) => provider);
}

describe.each(["file", "http"] as const)("a move between two states in a %s", (keeping) => {
  let two: Two;
  beforeEach(async () => {
    two = await Two.open(keeping);
  });
  afterEach(() => two.close());

  test("writes the intent to both journals, then the target state, then the source state", async () => {
    const fate = new Fate();
    await move(two, fate);
    expect(fate.writes).toBe(6);
    expect([await two.addresses(0), await two.addresses(1)]).toEqual([[], ALL]);
    for (const at of [0, 1] as const) await requireRecovered(two.backend(at));
  });

  test.each([
    ["one address", BY_ADDRESS],
    ["patterns", BY_PATTERNS],
  ])(
    "a move of %s rejects plans and edits of either state while it is unfinished, and names the command that completes it",
    async (_, selected) => {
      await expect(move(two, new Fate(3), selected)).rejects.toThrow("killed");
      for (const at of [0, 1] as const) {
        const backend = two.backend(at);
        for (const act of [() => openState(two.stack.context(), backend), () => requireRecovered(backend)]) {
          const action = { ...selected.action, stacks: { from: "web", to: "base" } };
          await expect(act()).rejects.toMatchObject({ diagnostics: [{ code: "state_move_open", action }] });
        }
        expect(await pendingWarning(backend)).toMatchObject([
          { severity: "warning", code: "state_move_open" },
        ]);
      }
    },
  );

  test("a move between states is rejected while an interrupted run is not recovered", async () => {
    await two.backend(1).journal.replace(["00000000 {}\n"]);
    await expect(move(two, new Fate())).rejects.toMatchObject({
      diagnostics: [{ code: "journal_not_settled", action: { kind: "plan" } }],
    });
    expect(await two.addresses(0)).toEqual(EACH);
  });

  test("a move between states is rejected if neither state holds the object any more", async () => {
    await expect(move(two, new Fate(2))).rejects.toThrow("killed");
    const source = two.backend(0);
    const state = (await source.read())!;
    await source.write({ ...state, resources: [] });
    await expect(move(two, new Fate())).rejects.toMatchObject({
      diagnostics: [{ code: "state_move_lost", action: { kind: "import" } }],
    });
  });

  test("a move between states is rejected if one of the states was replaced by another", async () => {
    await expect(move(two, new Fate(2))).rejects.toThrow("killed");
    const state = (await two.backend(0).read())!;
    two.overwrite(formatState({ ...state, lineage: "b9a5a4f0-0000-4000-8000-000000000000" }));
    await expect(move(two, new Fate())).rejects.toMatchObject({
      diagnostics: [{ code: "journal_of_another_state" }],
    });
    expect(await two.addresses(0)).toEqual(EACH);
  });
});
