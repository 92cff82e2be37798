import { createProvider } from "../../src/provider";
import type { ResourceDefinition } from "../../src/provider/define";
import type { ValueObject } from "../../src/schema";
import { pathOf } from "../support/path-of";
import { Host } from "./support/host";
import { type Notice, noticeOn } from "./support/notice";
import { FIXTURE, useWorld } from "./support/world";

// The service accepts a write, but then shows another value. The error names the difference. Without this error, each
// plan would show the same change again.

const board = new Map<string, Notice>();
const honest = noticeOn(board, []);

/**
 * A resource whose service accepts every write, but drops the first tag, adds another tag and changes text to upper
 * case.
 */
const careless: ResourceDefinition = {
  ...honest,
  async create(scope, declared) {
    const { title, text, tags } = declared as unknown as Notice;
    const made = await honest.create(scope, declared);
    const kept = {
      ...(made as unknown as Notice),
      text: text.toUpperCase(),
      tags: [...tags.slice(1), "sponsored"],
    };
    board.set(title, kept);
    return kept as unknown as Awaited<ReturnType<ResourceDefinition["create"]>>;
  },
};

const world = useWorld(FIXTURE, createProvider([careless], []));
const config = { project: "acme/web", title: "moving", text: "We move.", tags: ["a", "b"] };

beforeEach(() => board.clear());

test("if the stored values differ from the sent values, the provider reports an error for each different attribute or element", async () => {
  const host = new Host(world(), "steward_notice");
  const { state, diagnostics } = await host.apply(await host.plan(undefined, config));
  expect(diagnostics.map(({ code, attribute, detail }) => [code, attribute, detail])).toEqual([
    ["inconsistent_result", ["text"], expect.stringMatching(/"We move\.".*returns "WE MOVE\."/)],
    [
      "inconsistent_result",
      pathOf('tags["a"]'),
      expect.stringMatching(/^The service accepted `tags\["a"\]`, but does not return it/),
    ],
    [
      "inconsistent_result",
      ["tags"],
      expect.stringContaining('returns "sponsored" in `tags`, but Steward did not send this entry'),
    ],
  ]);
  expect(state!.attributes).toMatchObject({ id: "1:moving", text: "WE MOVE.", tags: ["b", "sponsored"] });
});

test("the provider reports inconsistent_result for no attribute that the service never returns or that the configuration omits", async () => {
  const host = new Host(world(), "steward_notice");
  const quiet = { ...config, text: "WE MOVE.", reason: "audit", tags: ["sponsored"] };
  const { diagnostics } = await host.apply(
    await host.plan(undefined, { ...quiet, tags: ["x", "sponsored"] }),
  );
  expect(diagnostics.map(({ attribute }) => attribute)).toEqual([pathOf('tags["x"]')]);
});

describe("the replacement of a failed create under Terraform", () => {
  /**
   * Destroys a tainted object with the plan's private data, as Terraform does. Then plans and creates the object
   * again.
   */
  async function replaceTainted(given: ValueObject) {
    const host = new Host(world(), "steward_notice");
    const connect = () => world().connect(undefined, { host: "terraform" });
    const first = connect();
    const { state } = await host.apply(await host.plan(undefined, config, first), first);
    const planned = await host.plan(undefined, given, connect());
    const run = connect();
    const ended = await host.destroy({ ...state!, private: planned.planned!.private! }, run);
    const left = [...board.keys()];
    return { ended, left, made: await host.apply(await host.plan(undefined, given, run), run) };
  }

  test("the delete sends no request, and the create updates the existing object in place", async () => {
    const { ended, left, made } = await replaceTainted(config);
    expect(ended).toEqual({ diagnostics: [] });
    expect(left).toEqual(["moving"]);
    expect(made).toMatchObject({
      state: { attributes: { id: "1:moving", text: "We move." } },
      diagnostics: [],
    });
  });

  test("if the user requested a replacement, the delete removes the object from the service", async () => {
    const host = new Host(world(), "steward_notice");
    const state = await host.bring(undefined, { ...config, text: "WE MOVE.", tags: ["sponsored"] });
    const run = world().connect(undefined, { host: "terraform" });
    const full = host.config(config);
    const same = await run.planResource({ type: "steward_notice", prior: state, config: full });
    const plannedBefore = same.planned!.private!;
    const again = await run.planResource({
      type: "steward_notice",
      prior: undefined,
      config: full,
      plannedBefore,
    });
    await host.destroy({ ...state, private: again.planned!.private! }, run);
    expect([...board.keys()]).toEqual([]);
  });

  test("if a replacement has another key, the delete removes the object with the earlier key", async () => {
    const { left } = await replaceTainted({ ...config, title: "moved" });
    expect(left).toEqual([]);
  });
});
