import { createProvider } from "../../src/provider";
import { Host } from "./support/host";
import { type Notice, noticeOn } from "./support/notice";
import { FIXTURE, useWorld } from "./support/world";

// What it means to leave an attribute out, class by class, on a resource that has one attribute of each.

const board = new Map<string, Notice>();
const writes: string[] = [];
const world = useWorld(FIXTURE, createProvider([noticeOn(board, writes)], []));
const minimal = { project: "acme/web", title: "moving", text: "We move." };
const full = {
  ...minimal,
  colour: "red",
  channel: "ops",
  tags: ["a", "b"],
  reason: "audit",
  keep_on_destroy: false,
};

let host: Host;
beforeEach(() => {
  board.clear();
  writes.length = 0;
  host = new Host(world(), "steward_notice");
});
const live = () => board.get("moving")!;

describe("R, required", () => {
  test("left out, it is an error that names it", () => {
    expect(host.validate({ project: "acme/web", title: "moving" })).toMatchObject([
      { code: "missing_attribute", attribute: ["text"] },
    ]);
  });
});

describe("L, left alone", () => {
  test("left out, its live value is shown, and no change of it is drift", async () => {
    const state = await host.bring(undefined, minimal);
    expect(state.attributes["channel"]).toBe("general");
    live().channel = "changed by hand";
    expect((await host.refresh(state))!.attributes["channel"]).toBe("changed by hand");
    expect(await host.drift(state, minimal)).toEqual([]);
  });

  test("taken out of the code, it stays as it is and nothing is sent", async () => {
    const state = await host.bring(undefined, { ...minimal, channel: "ops" });
    expect((await host.plan(state, minimal)).action).toBe("none");
    expect(live().channel).toBe("ops");
  });

  test("declared, a change by hand is drift", async () => {
    const state = await host.bring(undefined, full);
    live().channel = "other";
    expect(await host.drift(state, full)).toEqual(["channel", "views"]);
  });
});

describe("U, unset", () => {
  test("left out, a live value is drift and is cleared", async () => {
    const state = await host.bring(undefined, minimal);
    live().colour = "blue";
    const found = await host.refresh(state);
    const plan = await host.plan(found, minimal);
    // `views` moves with every update, so it can't be known.
    expect(plan.changed).toEqual(["colour", "views"]);
    expect((await host.apply(plan)).state!.attributes["colour"]).toBeNull();
    expect(live().colour).toBeNull();
  });

  test("taken out of the code, it is cleared", async () => {
    const state = await host.bring(undefined, full);
    const { colour: _, ...without } = full;
    expect((await host.plan(state, without)).changed).toEqual(["colour", "views"]);
    await host.bring(state, without);
    expect(live().colour).toBeNull();
  });
});

describe("M, managed or not", () => {
  test("left out, it is null in the state whatever is live, and an update leaves it alone", async () => {
    const state = await host.bring(undefined, minimal);
    live().tags = ["by hand"];
    expect((await host.refresh(state))!.attributes["tags"]).toBeNull();
    await host.bring(state, { ...minimal, text: "We moved." });
    expect(live()).toMatchObject({ text: "We moved.", tags: ["by hand"] });
  });

  test("an import fills it", async () => {
    await host.bring(undefined, full);
    expect((await host.import("1:moving")).attributes["tags"]).toEqual(["a", "b"]);
  });

  test("taken out, the plan is null, and the entries stay", async () => {
    const state = await host.bring(undefined, full);
    const { tags: _, ...without } = full;
    const plan = await host.plan(state, without);
    expect(plan.planned!.attributes["tags"]).toBeNull();
    const { state: after } = await host.apply(plan);
    expect(after!.attributes["tags"]).toBeNull();
    expect(live().tags).toEqual(["a", "b"]);
  });

  test("[] empties it, and stays [] in the state", async () => {
    const state = await host.bring(undefined, full);
    const emptied = await host.bring(state, { ...full, tags: [] });
    expect(emptied.attributes["tags"]).toEqual([]);
    expect(live().tags).toEqual([]);
    expect(await host.drift(emptied, { ...full, tags: [] })).toEqual([]);
  });
});

describe("K, known to the code alone", () => {
  test("it is never compared with the service", async () => {
    const state = await host.bring(undefined, full);
    expect((await host.refresh(state))!.attributes).toMatchObject({
      reason: "audit",
      keep_on_destroy: false,
    });
  });

  test("a null in the state never replaces, a known value does", async () => {
    const state = await host.bring(undefined, full);
    const imported = await host.import("1:moving");
    expect(imported.attributes["reason"]).toBeNull();
    const learning = await host.plan(imported, full);
    expect(learning.requiresReplace).toEqual([]);
    expect(learning.changed).toContain("reason");
    expect((await host.plan(state, { ...full, reason: "other" })).requiresReplace).toEqual([["reason"]]);
  });

  test("it is stored without a request", async () => {
    const state = await host.bring(undefined, minimal);
    writes.length = 0;
    const stored = await host.bring(state, { ...minimal, keep_on_destroy: true });
    expect(stored.attributes["keep_on_destroy"]).toBe(true);
    expect(writes).toEqual([]);
  });

  test("destroying goes by what the state holds", async () => {
    const state = await host.bring(undefined, { ...minimal, keep_on_destroy: true });
    await host.destroy(state);
    expect(live().title).toBe("moving");
  });
});

describe("C, computed", () => {
  test("it can't be set", () => {
    expect(host.validate({ ...minimal, views: 3 })).toMatchObject([
      { code: "read_only_attribute", attribute: ["views"] },
    ]);
  });

  test("it moves by itself without a plan, and is unknown only where an update may move it", async () => {
    const state = await host.bring(undefined, minimal);
    live().views = 40;
    expect((await host.refresh(state))!.attributes["views"]).toBe(40);
    expect(await host.drift(state, minimal)).toEqual([]);
    expect((await host.plan(state, { ...minimal, text: "Other." })).changed).toEqual(["text", "views"]);
  });
});
