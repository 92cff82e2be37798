import * as fc from "fast-check";
import { DiagnosticError } from "../../../src/diagnostics";
import { type ExecutablePlan, type PlanMode, parsePlanFile, planJson, readRecord } from "../../../src/engine";
import { createPlan } from "../../../src/engine/plan/create-plan";
import {
  checkConfiguration,
  checkServices,
  checkState,
  checkVariables,
  contextFor,
} from "../../../src/engine/plan-file/check-basis";
import type { RunContext } from "../../../src/engine/run/context";
import { JsonNumber } from "../../../src/json";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { runs, seed } from "../../support/capabilities";
import { applySaved, planIn, planText, VERSION } from "../support/saved-plan";
import { actions, Stack, thing } from "../support/stack";

const SECRET = "hunter2-is-no-password";

let stack: Stack;
afterEach(() => stack.remove());

const schemaOf = ({ mode, type }: { mode: "managed" | "data"; type: string }) =>
  (mode === "managed" ? stack.provider.schema.resources : stack.provider.schema.dataSources)[
    type as "memory_thing" & "memory_lookup"
  ];

const codesOf = (diagnostics: readonly { code: string }[]) => diagnostics.map(({ code }) => code);

async function save(
  context: RunContext,
  mode: PlanMode = "normal",
): Promise<{ plan: ExecutablePlan; text: string }> {
  const plan = await createPlan(context, await stack.state(), mode);
  return { plan, text: await planText(context, plan) };
}

const read = planIn;

/** Applies a plan from its file alone, as another process would. */
async function applyFrom(text: string, context: RunContext) {
  const saved = read(text);
  const present = contextFor(saved, context);
  const backend = new LocalBackend(stack.stateFile);
  const state = await backend.read();
  expect(checkState(saved, state, "the state")).toEqual([]);
  expect(checkConfiguration(saved, present)).toEqual([]);
  expect(checkVariables(saved, present)).toEqual([]);
  const { refused, result } = await applySaved(saved, context, backend);
  expect(refused).toEqual([]);
  return result!;
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

const SIZE = { size: { from: "text", text: "7", origin: "--var" } } as const;

describe("a saved plan", () => {
  test("applies creates, deferred reads and expansions of values that were unknown", async () => {
    stack = new Stack(FIRST);
    const { text } = await save(stack.context({ variables: SIZE }));
    const { diagnostics, done, state } = await applyFrom(text, stack.context());
    expect({ diagnostics, done }).toEqual({ diagnostics: [], done: expect.objectContaining({ add: 4 }) });
    expect(stack.provider.things.get("one")).toMatchObject({ colour: "a" });
    expect(state.outputs).toMatchObject({ serial: { value: expect.any(Number) }, size: { value: 7 } });
    expect(actions(await stack.plan("normal", { variables: SIZE }))).toEqual({});
  });

  test("keeps given variables: null instead of a default, and long numbers digit by digit", async () => {
    stack = new Stack({
      variable: { colour: { default: "red" }, serial: { type: "number" } },
      output: { colour: { value: "${var.colour}" }, serial: { value: "${var.serial}" } },
    });
    const serial = { from: "text", text: "9007199254740993", origin: "--var" } as const;
    const colour = { from: "json", json: null, origin: "a file" } as const;
    const { text } = await save(stack.context({ variables: { colour, serial } }));
    const { diagnostics, state } = await applyFrom(text, stack.context());
    expect(diagnostics).toEqual([]);
    expect(state.outputs).toMatchObject({ serial: { value: new JsonNumber("9007199254740993") } });
    expect(contextFor(read(text), stack.context()).variables).toMatchObject({
      colour: { json: null },
      serial: { json: new JsonNumber("9007199254740993") },
    });
  });

  test("applies updates, replacements and deletes in order", async () => {
    stack = new Stack(FIRST);
    await stack.apply("normal", { variables: SIZE });
    stack.declare(SECOND);
    const { text, plan } = await save(stack.context());
    expect(actions(plan)["memory_thing.b"]).toBe("delete-then-create");
    stack.provider.asked.length = 0;
    const { done } = await applyFrom(text, stack.context());
    expect(done).toMatchObject({ add: 2, change: 1, remove: 3 });
    const { asked } = stack.provider;
    expect(asked.indexOf("delete b")).toBeLessThan(asked.indexOf("create renamed"));
    // What the plan changes is read again.
    expect(asked.filter((one) => one.startsWith("read "))).toEqual([
      "read a",
      "read b",
      "read one",
      "read two",
    ]);
    expect(actions(await stack.plan())).toEqual({});
  });

  test.each(["destroy", "refresh-only"] as const)("applies a %s", async (mode) => {
    stack = new Stack(SECOND);
    await stack.apply();
    stack.provider.things.get("c")!["colour"] = "red";
    const { text } = await save(stack.context(), mode);
    const { diagnostics, state } = await applyFrom(text, stack.context());
    expect(diagnostics).toEqual([]);
    const colour = state.resources.find(({ name }) => name === "c")?.instances[0]?.attributes["colour"];
    expect({ left: stack.provider.things.size, colour }).toEqual(
      mode === "destroy" ? { left: 0, colour: undefined } : { left: 3, colour: "red" },
    );
  });

  test("with targets applies only what was shown", async () => {
    stack = new Stack(SECOND);
    const { text } = await save(stack.context({ targets: ["memory_thing.c"] }));
    await applyFrom(text, stack.context());
    expect([...stack.provider.things.keys()]).toEqual(["c"]);
  });

  test("with exclusions leaves out what was left out", async () => {
    stack = new Stack(SECOND);
    const { text } = await save(stack.context({ excludes: ["memory_thing.c"] }));
    const { diagnostics } = await applyFrom(text, stack.context());
    expect(diagnostics).toMatchObject([{ code: "targeting_incomplete" }]);
    expect([...stack.provider.things.keys()]).not.toContain("c");
    expect(stack.provider.things.size).toBeGreaterThan(0);
  });

  test("a saved plan is refused if an object that it changes was changed meanwhile, and applied if another one was", async () => {
    stack = new Stack({ resource: { memory_thing: { a: thing("a", { size: 1 }), b: thing("b") } } });
    await stack.apply();
    stack.declare({ resource: { memory_thing: { a: thing("a", { size: 2 }), b: thing("b") } } });
    const { text } = await save(stack.context());
    stack.provider.things.get("a")!["size"] = 99;
    expect(await applySaved(planIn(text), stack.context(), new LocalBackend(stack.stateFile))).toMatchObject({
      refused: [{ code: "saved_plan_service_moved_on", address: "memory_thing.a", attribute: ["size"] }],
    });
    expect(stack.provider.things.get("a")).toMatchObject({ size: 99 });
    stack.provider.things.get("a")!["size"] = 1;
    stack.provider.things.get("b")!["size"] = 99;
    await applyFrom(text, stack.context());
    expect(stack.provider.things.get("a")).toMatchObject({ size: 2 });
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
    const { text, plan } = await save(stack.context());
    expect(readRecord(read(text).record, stack.context().providers).changes).toEqual(plan.changes);
    expect(JSON.stringify(planJson(plan, schemaOf))).toContain('"identity":{"name":"found"');
    stack.provider.asked.length = 0;
    const { diagnostics, state } = await applyFrom(text, stack.context());
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(state.resources.map(({ name }) => name).sort()).toEqual(["b", "found", "moved"]);
    const { asked } = stack.provider;
    expect(asked.indexOf("create renamed")).toBeLessThan(asked.indexOf("delete b"));
    expect([...stack.provider.things.keys()].sort()).toEqual(["a", "c", "found", "renamed"]);
  });

  test("a saved plan is shown from the file as it was when planned", async () => {
    stack = new Stack(FIRST);
    const { text, plan } = await save(stack.context({ variables: SIZE }));
    const record = readRecord(read(text).record, stack.context().providers);
    expect(record.changes).toEqual(plan.changes);
    expect(record.outputs).toEqual(plan.outputs);
    expect(planJson(record, schemaOf)).toMatchObject({
      variables: { size: { value: 7 } },
      applyable: true,
      errored: false,
    });
  });
});

describe("the basis of a saved plan", () => {
  test("the basis does not match a state that was written since", async () => {
    stack = new Stack(SECOND);
    const { text } = await save(stack.context());
    expect(codesOf(checkState(read(text), await stack.state(), "here"))).toEqual([]);
    await stack.apply();
    expect(codesOf(checkState(read(text), await stack.state(), "here"))).toEqual([
      "saved_plan_state_moved_on",
    ]);
  });

  test("the basis does not match a state of the same serial with another content", async () => {
    stack = new Stack(SECOND);
    await stack.apply();
    const { text } = await save(stack.context());
    const state = (await stack.state())!;
    const other = { ...state, outputs: {} };
    const [diagnostic] = checkState(read(text), other, "here");
    expect(diagnostic?.detail).toBe(
      `In here, serial ${state.serial} has another content now. Nothing was sent. Plan again.`,
    );
  });

  test("the basis does not match any change of the configuration, except of its backend", async () => {
    stack = new Stack(SECOND);
    const { text } = await save(stack.context());
    stack.declare({
      ...SECOND,
      terraform: {
        backend: { local: { path: "/elsewhere/x.tfstate" } },
        required_providers: { memory: { source: stack.provider.schema.source } },
      },
    });
    expect(checkConfiguration(read(text), stack.context())).toEqual([]);
    stack.declare({ ...SECOND, locals: { x: 1 } });
    expect(codesOf(checkConfiguration(read(text), stack.context()))).toEqual([
      "saved_plan_configuration_moved_on",
    ]);
  });

  test("the basis does not match a service at another address", async () => {
    stack = new Stack(SECOND);
    stack.provider.service = "https://one.example/api/v4";
    const { text } = await save(stack.context());
    expect(await checkServices(read(text), stack.context())).toEqual([]);
    stack.provider.service = "https://two.example/api/v4";
    expect(codesOf(await checkServices(read(text), stack.context()))).toEqual(["saved_plan_other_service"]);
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
const given = (text: string) => ({ secret: { from: "text", text, origin: "TF_VAR_secret" } }) as const;

describe("secrets and a saved plan", () => {
  async function allPlans(): Promise<string[]> {
    stack = new Stack(SENSITIVE);
    const context = stack.context({ variables: given(SECRET) });
    const create = await save(context);
    await applyFrom(create.text, context);
    const nothing = await save(context);
    stack.provider.things.get("kept")!["size"] = 3;
    const update = await save(context);
    const destroy = await save(context, "destroy");
    return [create.text, nothing.text, update.text, destroy.text];
  }

  test("the file contains no sensitive value and nothing derived from one", async () => {
    for (const text of await allPlans()) {
      for (const spelling of [
        SECRET,
        Buffer.from(SECRET).toString("base64"),
        Buffer.from(SECRET).toString("hex"),
      ])
        expect(text).not.toContain(spelling);
      expect(
        JSON.stringify(planJson(readRecord(read(text).record, stack.context().providers), schemaOf)),
      ).not.toContain(SECRET);
    }
  });

  test("the plan is applied only with the secret given again", async () => {
    stack = new Stack(SENSITIVE);
    const context = stack.context({ variables: given(SECRET) });
    const { text } = await save(context);
    const { diagnostics } = await applyFrom(text, context);
    expect(diagnostics).toEqual([]);
    expect(stack.provider.things.get(SECRET)).toMatchObject({ tags: [`${SECRET}-tag`] });
    expect(stack.provider.things.get("kept")).toMatchObject({ secret: SECRET });
    expect(actions(await stack.plan("normal", { variables: given(SECRET) }))).toEqual({});
  });

  test("an update and a delete take withheld values from the state", async () => {
    stack = new Stack(SENSITIVE);
    await stack.apply("normal", { variables: given(SECRET) });
    const { memory_thing } = SENSITIVE.resource;
    stack.declare({ ...SENSITIVE, resource: { memory_thing: { kept: { ...memory_thing.kept, size: 5 } } } });
    const context = stack.context({ variables: given(SECRET) });
    const { text } = await save(context);
    expect(text).not.toContain(SECRET);
    const { done } = await applyFrom(text, context);
    expect(done).toMatchObject({ change: 1, remove: 1 });
    expect([...stack.provider.things.values()]).toMatchObject([{ name: "kept", secret: SECRET, size: 5 }]);
  });

  test("a different or missing value is reported with the variable's name", async () => {
    stack = new Stack(SENSITIVE);
    const { text } = await save(stack.context({ variables: given(SECRET) }));
    const missing = checkVariables(read(text), stack.context());
    expect(missing[0]).toMatchObject({ code: "saved_plan_variable", address: "var.secret" });
    expect(missing[0]!.detail).toContain("TF_VAR_secret");
    const [wrong] = checkVariables(read(text), stack.context({ variables: given("another one") }));
    expect(wrong!.detail).toContain("not the one of the plan");
    expect(wrong!.detail).not.toContain("another one");
  });
});

describe("a file that was not written by this version", () => {
  const KNOWN = new Set(["saved_plan_invalid", "saved_plan_damaged", "saved_plan_version"]);

  function codeOf(bytes: Uint8Array): string {
    try {
      parsePlanFile(bytes, "the file", VERSION);
      return "read";
    } catch (problem) {
      return problem instanceof DiagnosticError ? problem.diagnostics[0]!.code : `thrown: ${String(problem)}`;
    }
  }

  test("a damaged file is rejected with a diagnostic after any flipped bit or truncation", async () => {
    stack = new Stack(FIRST);
    const bytes = Buffer.from((await save(stack.context({ variables: SIZE }))).text);
    const place = fc.nat(bytes.length - 1);
    fc.assert(
      fc.property(place, fc.nat(7), (at, bit) => {
        const copy = Buffer.from(bytes);
        copy[at]! ^= 1 << bit;
        expect(KNOWN).toContain(codeOf(copy));
      }),
      { numRuns: runs(300, 5000), seed },
    );
    fc.assert(
      fc.property(place, (length) => {
        expect(KNOWN).toContain(codeOf(bytes.subarray(0, length)));
      }),
      { numRuns: runs(100, 2000), seed },
    );
    expect(codeOf(bytes)).toBe("read");
  });

  test("a file is identified as another version, a newer format, a Terraform plan or no plan", async () => {
    stack = new Stack(SECOND);
    const { text } = await save(stack.context());
    expect(() => parsePlanFile(Buffer.from(text), "f", "9.9.9")).toThrow(
      "by steward 1.2.3, and this is steward 9.9.9",
    );
    expect(() =>
      parsePlanFile(Buffer.from(text.replace('"steward_plan":2', '"steward_plan":3')), "f", VERSION),
    ).toThrow("in format 3");
    expect(() =>
      parsePlanFile(Buffer.from(text.replace('"steward_plan":2', '"steward_plan":1')), "f", VERSION),
    ).toThrow("in format 1");
    expect(() => parsePlanFile(Buffer.from("PK\u0003\u0004rest"), "f", VERSION)).toThrow(
      "a plan of Terraform",
    );
    expect(codeOf(Buffer.from("{}"))).toBe("saved_plan_invalid");
    expect(codeOf(Buffer.from(""))).toBe("saved_plan_invalid");
  });
});
