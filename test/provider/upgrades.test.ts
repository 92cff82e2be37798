import type { ResourceDefinition } from "../../src/framework/definition/definition";
import { createProvider } from "../../src/provider";
import type { ValueObject } from "../../src/schema";
import { type Notice, noticeOn } from "./support/notice";
import { actions, Stack } from "./support/stack";
import { FIXTURE, useWorld } from "./support/world";

// A resource whose schema changed twice. Version 0 had the text under another name, and version 1 had the tags as one
// text.

const board = new Map<string, Notice>();
const writes: string[] = [];
const grown: ResourceDefinition = {
  ...noticeOn(board, writes),
  version: 2,
  upgrades: {
    0: ({ body = null, ...others }) => ({ ...others, text: body }),
    1: ({ tags = null, ...others }) => ({
      ...others,
      tags: typeof tags === "string" ? tags.split(",") : tags,
    }),
  },
};
const provider = createProvider([grown], []);
const present = { id: "1:moving", project: "acme/web", title: "moving", text: "We move.", tags: ["a", "b"] };
const rest = { colour: null, channel: null, reason: null, keep_on_destroy: null, views: null };
const TYPE = "steward_notice";

describe("through the provider's interface", () => {
  test.each<[number, ValueObject]>([
    [0, { id: "1:moving", project: "acme/web", title: "moving", body: "We move.", tags: "a,b" }],
    [1, { id: "1:moving", project: "acme/web", title: "moving", text: "We move.", tags: "a,b" }],
    [2, present],
  ])("a state of version %d is converted to the current format", (version, stored) => {
    expect(provider.upgradeResource(TYPE, version, stored)).toEqual({
      attributes: { ...present, ...rest },
      diagnostics: [],
    });
  });

  test("the upgrade of a state drops attributes that the schema lacks, and sets missing attributes to null", () => {
    const { attributes } = provider.upgradeResource(TYPE, 2, { id: "1:moving", gone: 1 });
    expect(attributes).toEqual({
      id: "1:moving",
      project: null,
      title: null,
      text: null,
      tags: null,
      ...rest,
    });
  });

  test("the provider refuses a state if the state's schema version is newer than the resource's schema version", () => {
    const answer = provider.upgradeResource(TYPE, 3, present);
    expect(answer).toMatchObject({ diagnostics: [{ severity: "error", code: "state_schema_newer" }] });
    expect(answer.attributes).toBeUndefined();
    expect(answer.diagnostics[0]!.detail).toContain("version 3");
  });

  test("if a resource has no upgrade for an older schema version, creating the provider fails", () => {
    expect(() => createProvider([{ ...grown, version: 3 }], [])).toThrow("notice has no upgrade");
  });
});

describe("through the embedded engine, from a state file", () => {
  const world = useWorld(FIXTURE, provider);
  const declaration = { project: "acme/web", title: "moving", text: "We move.", tags: ["a", "b"] };
  let stack: Stack;

  beforeEach(async () => {
    board.clear();
    stack = new Stack(world(), { resource: { [TYPE]: { this: declaration } } });
    expect((await stack.apply()).diagnostics).toEqual([]);
    writes.length = 0;
  });
  afterEach(() => stack.remove());

  const stored = () => stack.state().resources[0]!.instances[0]!;
  const storeAs = (version: number, attributes: object) =>
    stack.rewrite(({ resources }) => {
      Object.assign(resources[0]!.instances[0]!, { schema_version: version, attributes });
    });

  test("a state with an older schema version causes no changes in the plan", async () => {
    const { text, ...others } = stored().attributes;
    storeAs(0, { ...others, body: text, tags: "a,b" });
    const plan = await stack.plan();
    expect(plan.diagnostics).toEqual([]);
    expect(actions(plan)).toEqual({});

    stack.declare({ resource: { [TYPE]: { this: { ...declaration, colour: "red" } } } });
    expect(actions(await stack.plan())).toEqual({ "steward_notice.this": "update" });
    expect((await stack.apply()).diagnostics).toEqual([]);
    expect(stored()).toMatchObject({
      schema_version: 2,
      attributes: { text: "We move.", tags: ["a", "b"], colour: "red" },
    });
    expect(stored().attributes).not.toHaveProperty("body");
    expect(writes).toEqual(["update"]);
  });

  test("the engine refuses a state with a newer schema version, and leaves the state unchanged", async () => {
    storeAs(3, { ...stored().attributes, future: true });
    const before = stack.state();
    const plan = await stack.plan();
    expect(plan.diagnostics).toMatchObject([
      { severity: "error", code: "state_schema_newer", address: "steward_notice.this" },
    ]);
    expect(actions(plan)).toEqual({});
    expect(stack.state()).toEqual(before);
    expect(writes).toEqual([]);
  });
});
