import { DiagnosticError, error, SetElement } from "../../../src/diagnostics";
import { type Plan, type PlanMode, parsePlanFile, planJson, readRecord } from "../../../src/engine";
import { createPlan } from "../../../src/engine/plan/create-plan";
import {
  checkConfiguration,
  checkState,
  checkVariables,
  contextFor,
} from "../../../src/engine/plan-file/basis";
import { confirmPlan } from "../../../src/engine/plan-file/confirm-plan";
import type { RunContext } from "../../../src/engine/run/context";
import { JsonNumber } from "../../../src/json";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { applySaved, planIn, planText, VERSION } from "../support/saved-plan";
import { actions, Stack, thing } from "../support/stack";

// What a person sees of saved plans, and what refuses them, stands in cli/transcripts/saved-plan; damaged files are targets of
// acceptance/hostile/damaged-files, and forged ones of `hostile-plan`.

const SECRET = "hunter2-is-no-password";

let stack: Stack;
afterEach(() => stack.remove());

const schemaOf = ({ mode, type }: { mode: "managed" | "data"; type: string }) =>
  (mode === "managed" ? stack.provider.schema.resources : stack.provider.schema.dataSources)[
    type as "memory_thing" & "memory_lookup"
  ];
const asked = () => stack.provider.asked.splice(0);
const recordOf = (text: string) => readRecord(planIn(text).record, stack.context().providers);

/** A plan, as it is and in its file. */
async function save(context = stack.context(), mode: PlanMode = "normal", more: Partial<Plan> = {}) {
  const plan = { ...(await createPlan(context, await stack.state(), mode)), ...more };
  const text = await planText(context, plan);
  asked();
  return { plan, text };
}

/** Applies a plan from its file alone, as another process would. */
async function apply({ text }: { readonly text: string }, context = stack.context()) {
  const saved = planIn(text);
  const present = contextFor(saved, context);
  const backend = new LocalBackend(stack.stateFile);
  const state = await backend.read();
  expect([
    ...checkState(saved, state, "the state"),
    ...checkConfiguration(saved, present),
    ...checkVariables(saved, present),
  ]).toEqual([]);
  const { refused, plan, result } = await applySaved(saved, context, backend);
  return { refused, told: plan?.diagnostics ?? [], ...result };
}

const FIRST = {
  variable: { size: { type: "number" } },
  resource: {
    memory_thing: {
      a: thing("a", { size: "${var.size}", tags: ["x", "y"] }),
      b: thing("b", { colour: "${memory_thing.a.colour}", size: "${memory_thing.a.serial}" }),
      many: {
        for_each: { one: "${memory_thing.a.id}", two: "two" },
        name: "${each.key}",
        colour: "${each.value}",
      },
    },
  },
  data: { memory_lookup: { now: { name: "now" }, late: { name: "${memory_thing.b.id}" } } },
  output: { serial: { value: "${memory_thing.b.serial}" }, size: { value: "${var.size}" } },
};
const SECOND = {
  resource: { memory_thing: { a: thing("a", { size: 2 }), b: thing("renamed"), c: thing("c") } },
  output: { serial: { value: "${memory_thing.c.serial}" } },
};
const SIZE = { variables: { size: { from: "text", text: "7", origin: "--var" } } } as const;

describe("a saved plan", () => {
  test("applies creates, deferred reads and expansions of values that were unknown, as it was shown", async () => {
    stack = new Stack(FIRST);
    const saved = await save(stack.context(SIZE));
    const record = recordOf(saved.text);
    expect([record.changes, record.outputs]).toEqual([saved.plan.changes, saved.plan.outputs]);
    expect(planJson(record, schemaOf)).toMatchObject({ variables: { size: { value: 7 } }, errored: false });
    const { diagnostics, done, state } = await apply(saved);
    expect({ diagnostics, done }).toEqual({ diagnostics: [], done: expect.objectContaining({ add: 4 }) });
    expect(stack.provider.things.get("one")).toMatchObject({ colour: "a" });
    expect(state!.outputs).toMatchObject({ serial: { value: expect.any(Number) }, size: { value: 7 } });
    expect(actions(await stack.plan("normal", SIZE))).toEqual({});
  });

  test("keeps given variables: null instead of a default, and long numbers digit by digit", async () => {
    stack = new Stack({
      variable: { colour: { default: "red" }, serial: { type: "number" } },
      output: { colour: { value: "${var.colour}" }, serial: { value: "${var.serial}" } },
    });
    const serial = { from: "text", text: "9007199254740993", origin: "--var" } as const;
    const colour = { from: "json", json: null, origin: "a file" } as const;
    const saved = await save(stack.context({ variables: { colour, serial } }));
    const { state } = await apply(saved);
    const exact = new JsonNumber("9007199254740993");
    expect(state!.outputs).toMatchObject({ serial: { value: exact } });
    expect(contextFor(planIn(saved.text), stack.context()).variables).toMatchObject({
      colour: { json: null },
      serial: { json: exact },
    });
  });

  test("applies updates, replacements and deletes in order, and reads what it changes again", async () => {
    stack = new Stack(FIRST);
    await stack.apply("normal", SIZE);
    stack.declare(SECOND);
    const saved = await save();
    expect(actions(saved.plan)["memory_thing.b"]).toBe("delete-then-create");
    expect((await apply(saved)).done).toMatchObject({ add: 2, change: 1, remove: 3 });
    const requests = asked();
    expect(requests.indexOf("delete b")).toBeLessThan(requests.indexOf("create renamed"));
    expect(requests.filter((one) => one.startsWith("read "))).toEqual(
      ["a", "b", "one", "two"].map((name) => `read ${name}`),
    );
    expect(actions(await stack.plan())).toEqual({});
  });

  test.each(["destroy", "refresh-only"] as const)("applies a %s", async (mode) => {
    stack = new Stack(SECOND);
    await stack.apply();
    stack.provider.things.get("c")!["colour"] = "red";
    const { diagnostics, state } = await apply(await save(stack.context(), mode));
    expect(diagnostics).toEqual([]);
    const colour = state!.resources.find(({ name }) => name === "c")?.instances[0]?.attributes["colour"];
    expect({ left: stack.provider.things.size, colour }).toEqual(
      mode === "destroy" ? { left: 0, colour: undefined } : { left: 3, colour: "red" },
    );
  });

  test.each([
    ["targets", ["c"]],
    ["excludes", ["a", "renamed"]],
  ])("with %s applies only what was shown", async (option, left) => {
    stack = new Stack(SECOND);
    const { diagnostics } = await apply(await save(stack.context({ [option]: ["memory_thing.c"] })));
    expect(diagnostics).toMatchObject([{ code: "targeting_incomplete" }]);
    expect([...stack.provider.things.keys()].sort()).toEqual(left);
  });

  test("moves, imports, forgets, and creates replacements before deletes", async () => {
    stack = new Stack({ resource: { memory_thing: { a: thing("a"), b: thing("b"), c: thing("c") } } });
    await stack.apply();
    stack.provider.things.set("found", { id: "found", name: "found", serial: 9, colour: "red" });
    stack.declare({
      resource: {
        memory_thing: {
          moved: thing("a"),
          b: { ...thing("renamed"), lifecycle: { create_before_destroy: true } },
          found: thing("found"),
        },
      },
      moved: [{ from: "memory_thing.a", to: "memory_thing.moved" }],
      import: [{ to: "memory_thing.found", identity: { name: "found" } }],
      removed: [{ from: "memory_thing.c", lifecycle: { destroy: false } }],
    });
    const saved = await save();
    expect(recordOf(saved.text).changes).toEqual(saved.plan.changes);
    expect(JSON.stringify(planJson(saved.plan, schemaOf))).toContain('"identity":{"name":"found"');
    const { diagnostics, state } = await apply(saved);
    expect(diagnostics!.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(state!.resources.map(({ name }) => name).sort()).toEqual(["b", "found", "moved"]);
    const requests = asked();
    expect(requests.indexOf("create renamed")).toBeLessThan(requests.indexOf("delete b"));
    expect([...stack.provider.things.keys()].sort()).toEqual(["a", "c", "found", "renamed"]);
  });

  test("a saved plan is planned again with the live values of what it changes: what could not be read must still be unreadable", async () => {
    stack = new Stack({ resource: { memory_thing: { a: thing("a"), b: thing("b") } } });
    await stack.apply();
    stack.declare({
      resource: {
        memory_thing: {
          a: thing("a", { size: 2 }),
          b: thing("b", { size: 2 }),
          c: thing("c", { colour: "${data.memory_lookup.now.found}" }),
          d: thing("d"),
        },
      },
      data: { memory_lookup: { now: { name: "now" } } },
    });
    for (const what of ["read b", "look now"]) stack.provider.failing.add(what);
    const saved = await save();
    stack.provider.failing.delete("read b");
    expect(await apply(saved)).toMatchObject({
      refused: [{ code: "saved_plan_differs", address: "memory_thing.b" }],
    });
    expect(asked().sort()).toEqual(["look now", "read a", "read b"]);
    stack.provider.failing.add("read b");
    const { done, told } = await apply(saved);
    expect(done).toMatchObject({ add: 1, change: 1, remove: 0 });
    expect(asked().sort()).toEqual(["create d", "look now", "read a", "read b", "update a"]);
    expect(told.map(({ address }) => address).sort()).toEqual(["data.memory_lookup.now", "memory_thing.b"]);
  });

  test("reads imports again, and no data sources", async () => {
    stack = new Stack({});
    const found = { id: "found", name: "found", serial: 9, colour: "red" };
    stack.provider.things.set("found", { ...found, size: null, tags: null, secret: null });
    stack.declare({
      resource: {
        memory_thing: {
          found: thing("found", { size: 3 }),
          made: thing("made", { colour: "${data.memory_lookup.now.found}" }),
        },
      },
      data: { memory_lookup: { now: { name: "now" } } },
      import: [{ to: "memory_thing.found", id: "found" }],
    });
    const { refused, done } = await apply(await save());
    expect({ refused, done }).toMatchObject({ refused: [], done: { add: 1, change: 1, import: 1 } });
    expect(asked().sort()).toEqual(["create made", "import found", "update found"]);
  });

  test("deletes a deposed object as it shows, and forgets one that was already gone", async () => {
    for (const isGone of [false, true]) {
      stack?.remove();
      stack = new Stack({ resource: { memory_thing: { a: thing("a") } } });
      await stack.apply();
      const first = { lifecycle: { create_before_destroy: true } };
      stack.declare({ resource: { memory_thing: { a: { ...thing("b"), ...first } } } });
      stack.provider.failing.add("delete a");
      await stack.apply();
      stack.provider.failing.clear();
      if (isGone) stack.provider.things.delete("a");
      const { done } = await apply(await save(stack.context(), isGone ? "refresh-only" : "normal"));
      expect([done?.remove, asked()]).toEqual(isGone ? [0, ["read a"]] : [1, ["read a", "delete a"]]);
      const { resources } = (await stack.state())!;
      expect(resources.flatMap(({ instances }) => instances.map(({ deposed }) => deposed))).toEqual([
        undefined,
      ]);
    }
  });

  test("restores a requested replacement", async () => {
    stack = new Stack({ resource: { memory_thing: { a: thing("a") } } });
    await stack.apply();
    const saved = planIn((await save(stack.context({ replace: ["memory_thing.a"] }))).text);
    const { plan } = await confirmPlan(saved, contextFor(saved, stack.context()), await stack.state());
    expect(plan!.steps.map(({ change }) => change.action)).toEqual(["delete-then-create"]);
  });
});

describe("what a file holds", () => {
  test("regression: a diagnostic about an element of a set caused an internal error when its plan was saved", async () => {
    stack = new Stack({});
    const told = error({
      code: "reference_not_found",
      summary: "No such user",
      detail: "…",
      attribute: ["levels", new SetElement(() => 'user "ada"'), "user"],
    });
    const { text } = await save(stack.context(), "normal", { diagnostics: [told] });
    expect(recordOf(text).diagnostics[0]!.attribute!.join(".")).toBe('levels.user "ada".user');
  });

  test("a value that is nested too deeply for a file is reported when the plan is saved", async () => {
    const deep = JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`) as unknown;
    stack = new Stack({ variable: { deep: {} }, output: { deep: { value: "${var.deep}" } } });
    const variables = { deep: { from: "json", json: deep, origin: "a file" } } as const;
    await expect(save(stack.context({ variables }))).rejects.toMatchObject({
      diagnostics: [{ code: "saved_plan_not_written", detail: expect.stringContaining("nested levels") }],
    });
  });

  test("values that look like the encoding of something else stay values", async () => {
    const odd = { $unknown: true, $withheld: 1, $$: [{ $unknown: true }], nested: { $withheld: 2 } };
    stack = new Stack({ variable: { odd: { default: odd } }, output: { odd: { value: "${var.odd}" } } });
    expect((await apply(await save())).refused).toEqual([]);
    const json = JSON.parse('{"__proto__":{"app":"x"},"$x":1}') as unknown;
    const variables = { odd: { from: "json", json, origin: "a file" } } as const;
    expect((await apply(await save(stack.context({ variables })))).refused).toEqual([]);
    expect((await stack.state())!.outputs["odd"]!.value).toEqual(json);
  });

  test("a file is identified as another version, a newer or older format, a Terraform plan or no plan", async () => {
    stack = new Stack(SECOND);
    const { text } = await save();
    const inFormat = (format: number) => text.replace('"steward_plan":2', `"steward_plan":${format}`);
    for (const [file, version, words] of [
      [text, "9.9.9", "by Steward 1.2.3, but this is Steward 9.9.9"],
      [inFormat(3), VERSION, "in format 3"],
      [inFormat(1), VERSION, "in format 1"],
      ["PK\u0003\u0004rest", VERSION, "a plan of Terraform"],
    ] as const)
      expect(() => parsePlanFile(Buffer.from(file), "f", version)).toThrow(words);
    for (const file of ["{}", ""])
      expect(() => parsePlanFile(Buffer.from(file), "f", VERSION)).toThrow(DiagnosticError);
  });

  test("a state of the same serial with another content is no basis, and another backend is one", async () => {
    stack = new Stack(SECOND);
    await stack.apply();
    const saved = planIn((await save()).text);
    const state = (await stack.state())!;
    expect(checkState(saved, { ...state, outputs: {} }, "here")).toMatchObject([
      {
        detail: `The content of serial ${state.serial} in here changed after the plan was saved. Nothing was sent. Plan again.`,
      },
    ]);
    const required_providers = { memory: { source: stack.provider.schema.source } };
    const backend = { local: { path: "/elsewhere/x.tfstate" } };
    stack.declare({ ...SECOND, terraform: { backend, required_providers } });
    expect(checkConfiguration(saved, stack.context())).toEqual([]);
  });
});

const SENSITIVE = {
  variable: { secret: { type: "string", sensitive: true } },
  resource: {
    memory_thing: {
      // The id of a thing is its name, so it contains the secret too.
      named: thing("${var.secret}", { tags: ["${var.secret}-tag"] }),
      kept: thing("kept", { secret: "${var.secret}" }),
    },
  },
  output: { secret: { value: "${var.secret}", sensitive: true } },
};
const given = (text: string): Partial<RunContext> => ({
  variables: { secret: { from: "text", text, origin: "TF_VAR_secret" } },
});

describe("secrets and a saved plan", () => {
  test("the file contains no sensitive value and nothing derived from one", async () => {
    stack = new Stack(SENSITIVE);
    const context = stack.context(given(SECRET));
    const texts = [(await save(context)).text];
    await apply({ text: texts[0]! }, context);
    texts.push((await save(context)).text);
    stack.provider.things.get("kept")!["secret"] = "changed-by-hand";
    texts.push((await save(context)).text, (await save(context, "destroy")).text);
    for (const text of texts) {
      for (const spelling of ["utf8", "base64", "hex"] as const)
        expect(text).not.toContain(Buffer.from(SECRET).toString(spelling));
      expect(text).not.toContain("changed-by-hand");
      expect(JSON.stringify(planJson(recordOf(text), schemaOf))).not.toContain(SECRET);
    }
  });

  test("an update and a delete take withheld values from the state and the service", async () => {
    stack = new Stack(SENSITIVE);
    await stack.apply("normal", given(SECRET));
    const { memory_thing } = SENSITIVE.resource;
    stack.declare({ ...SENSITIVE, resource: { memory_thing: { kept: { ...memory_thing.kept, size: 5 } } } });
    stack.provider.things.get("kept")!["secret"] = "changed-by-hand";
    const context = stack.context(given(SECRET));
    expect((await apply(await save(context), context)).done).toMatchObject({ change: 1, remove: 1 });
    expect([...stack.provider.things.values()]).toMatchObject([{ name: "kept", secret: SECRET, size: 5 }]);
  });

  test("a different or missing value is reported with the variable's name", async () => {
    stack = new Stack(SENSITIVE);
    const saved = planIn((await save(stack.context(given(SECRET)))).text);
    const [missing] = checkVariables(saved, stack.context());
    expect(missing).toMatchObject({ code: "saved_plan_variable", address: "var.secret" });
    expect(missing!.detail).toContain("TF_VAR_secret");
    const [wrong] = checkVariables(saved, stack.context(given("another one")));
    expect(wrong!.detail).toContain("differs from the one in the plan");
    expect(wrong!.detail).not.toContain("another one");
  });
});
