import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { type Diagnostic, DiagnosticError } from "../../../src/diagnostics";
import { parsePlanFile, planJson, readRecord, type SavedPlan } from "../../../src/engine";
import { createPlan } from "../../../src/engine/plan/create-plan";
import {
  checkConfiguration,
  checkState,
  checkVariables,
  contextFor,
} from "../../../src/engine/plan-file/basis";
import { confirmPlan } from "../../../src/engine/plan-file/confirm-plan";
import type { RunContext } from "../../../src/engine/stack-run/context";
import type { ApplyRequest } from "../../../src/framework/protocol/protocol";
import { stringifyJson } from "../../../src/json";
import { isObject, isUnknown, type Value, type ValueObject } from "../../../src/schema";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { changedPlan } from "../../cli/support/changed-plan";
import { runs, seed } from "../../support/capabilities";
import { applySaved, planIn, planText, VERSION } from "../support/saved-plan";
import { Stack, thing } from "../support/stack";

jest.setTimeout(300_000);

const SECRET = "hunter2-is-no-password";

const BEFORE = {
  variable: { secret: { type: "string", sensitive: true } },
  resource: {
    memory_thing: {
      a: thing("a", { size: 1, secret: "${var.secret}" }),
      b: thing("b", { tags: ["x", "y"] }),
      gone: thing("gone"),
      moving: thing("moving"),
    },
  },
};
/**
 * A configuration whose plan has creates, updates, replacements, deletes, moves, drift, data sources, outputs,
 * conditions, and unknown values.
 */
const AFTER = {
  variable: {
    secret: { type: "string", sensitive: true },
    size: { type: "number", default: 7 },
    any: { default: { $odd: ["$unknown", 9007199254740993n.toString()], nested: { deep: [null, true] } } },
  },
  resource: {
    memory_thing: {
      a: thing("a", { size: "${var.size}", secret: "${var.secret}" }),
      b: thing("renamed", { tags: ["x"] }),
      moved: thing("moving"),
      made: thing("made", {
        colour: "${memory_thing.b.colour}",
        size: '${data.memory_lookup.now.name == "now" ? 3 : 4}',
      }),
      many: { for_each: { one: "red", two: "blue" }, name: "${each.key}", colour: "${each.value}" },
    },
  },
  data: { memory_lookup: { now: { name: "now" }, late: { name: "${memory_thing.made.id}" } } },
  moved: [{ from: "memory_thing.moving", to: "memory_thing.moved" }],
  check: { named: { assert: [{ condition: "${var.size > 3}", error_message: "too small" }] } },
  output: { serial: { value: "${memory_thing.made.serial}" }, any: { value: "${var.any}" } },
};

let stack: Stack;
let context: RunContext;
let text: string;
let untouched: SavedPlan;
let world: { readonly state: string; readonly things: readonly (readonly [string, Record<string, Value>])[] };

beforeAll(async () => {
  stack = new Stack(BEFORE);
  const variables = { secret: { from: "text", text: SECRET, origin: "TF_VAR_secret" } } as const;
  await stack.apply("normal", { variables });
  stack.provider.things.get("b")!["colour"] = "drifted";
  stack.declare(AFTER);
  context = stack.context({ variables });
  text = await planText(context, await createPlan(context, await stack.state()));
  untouched = planIn(text);
  const things = [...stack.provider.things].map(([id, one]) => [id, { ...one }] as const);
  world = { state: readFileSync(stack.stateFile, "utf8"), things };
});
afterAll(() => stack.remove());

function restoreWorld(): void {
  writeFileSync(stack.stateFile, world.state);
  stack.provider.things.clear();
  for (const [id, one] of world.things) stack.provider.things.set(id, { ...one });
  stack.provider.sent.length = 0;
}

const schemaOf = () => undefined;

/** The result of applying a file: the reasons for its rejection, or the shown plan and the sent requests. */
type FileResult =
  | { readonly refused: readonly Diagnostic[] }
  | { readonly shown: SavedPlan["record"]; readonly sent: readonly ApplyRequest[] };

/** Shows and applies a file in this process, like the commands. */
async function resultOf(bytes: Uint8Array): Promise<FileResult> {
  try {
    const { stacks } = parsePlanFile(bytes, "the file", VERSION);
    for (const { plan } of stacks)
      stringifyJson(planJson(readRecord(plan.record, context.providers), schemaOf));
    const saved = stacks[0]?.plan;
    if (saved === undefined) return { refused: [] };
    const present = contextFor(saved, context);
    const backend = new LocalBackend(stack.stateFile);
    const state = await backend.read();
    const found = [
      ...checkConfiguration(saved, present),
      // Unchanged hashes are left out: their check always succeeds, and scrypt is slow on purpose.
      ...checkVariables(
        isDeepStrictEqual(saved.guarded, untouched.guarded) ? { ...saved, guarded: {} } : saved,
        present,
      ),
      ...checkState(saved, state, "the state"),
    ];
    if (found.length > 0) return { refused: found };
    const { refused, result } = await applySaved(saved, context, backend);
    if (result === undefined) return { refused };
    expect(result.diagnostics.filter(({ code }) => code === "internal_error")).toEqual([]);
    return { shown: saved.record, sent: [...stack.provider.sent] };
  } catch (problem) {
    // Any other exception is a bug, and fails the test.
    if (!(problem instanceof DiagnosticError)) throw problem;
    return { refused: problem.diagnostics };
  }
}

const CODES = new Set([
  "saved_plan_invalid",
  "saved_plan_version",
  "saved_plan_damaged",
  "saved_plan_state_moved_on",
  "saved_plan_configuration_moved_on",
  "saved_plan_variable",
  "saved_plan_differs",
  "saved_plan_service_moved_on",
  "target_not_found",
  "unknown_target",
  "targeting_in_effect",
  "invalid_variable",
]);

/** Returns everything in a file that `show`, policies and reports read, except the time of the file. */
function shownOf(record: SavedPlan["record"]) {
  const plan = readRecord(record, context.providers);
  return { ...plan, basis: { ...plan.basis, timestamp: "" } };
}

/** Expects that the shown plan contains each sent request, with all values that the plan already knew. */
function expectShown(shown: SavedPlan["record"], sent: readonly ApplyRequest[]): void {
  for (const { address, prior, planned } of sent) {
    const change = shown.changes.find((one) => one.address === address)!;
    expect(change).toBeDefined();
    const verbs: Record<string, readonly string[]> = {
      create: ["create"],
      update: ["update"],
      delete: ["delete"],
      replace: ["delete", "create"],
    };
    const write = prior === undefined ? "create" : "update";
    expect(verbs[change.action]).toContain(planned === undefined ? "delete" : write);
    const record = readRecord(shown, context.providers).changes.find((one) => one.address === address)!;
    if (planned !== undefined) expectCovers(record.after!, planned.attributes);
    if (prior !== undefined) expectCovers(record.before!, prior.attributes);
  }
}

/**
 * Expects that the request contained each known value of the shown plan. For a sensitive value, which the plan hides, expects
 * the secret.
 */
function expectCovers(shown: ValueObject, sent: ValueObject): void {
  for (const [name, value] of Object.entries(shown)) {
    if (isUnknown(value)) continue;
    if (typeof value === "string" && value.startsWith("(sensitive value")) expect(sent[name]).toBe(SECRET);
    else if (isObject(value)) expectCovers(value, sent[name] as ValueObject);
    else expect(sent[name]).toEqual(value);
  }
}

const never = async (bytes: Uint8Array): Promise<FileResult> => {
  restoreWorld();
  const outcome = await resultOf(bytes);
  if ("refused" in outcome) {
    expect(outcome.refused.filter(({ code }) => !CODES.has(code))).toEqual([]);
    expect(stack.provider.sent).toEqual([]);
  } else {
    expectShown(outcome.shown, outcome.sent);
    expect(shownOf(outcome.shown)).toEqual(shownOf(untouched.record));
  }
  return outcome;
};

// biome-ignore lint/suspicious/noExplicitAny: the edits set values of wrong types at any place of the document.
type Any = any;

/** Returns all paths in a JSON document. */
function places(json: Any, at: readonly string[] = []): (readonly string[])[] {
  if (typeof json !== "object" || json === null) return [at];
  return [at, ...Object.keys(json).flatMap((key) => places(json[key], [...at, key]))];
}

const deep = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`) as unknown;
/** Values that replace a value in the file: numbers, words of plans and of JavaScript, and encoded values. */
const ODD: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], ["memory_thing.a"]],
  ...[0, -1, 1.5, 9e15, 1e308],
  ...["", "x", "made", "memory_thing.a", "memory_thing.gone", "managed", "data"],
  ...["delete", "create", "no-op", "update", "forget", "normal", "destroy", "refresh-only"],
  ...["__proto__", "constructor", "$unknown"],
  ...[{ $unknown: true }, { $unknown: false }, { $unknown: true, other: 1 }],
  ...[{ $sensitive: 1 }, { $sensitive: "1" }, { $seen: 0 }, { $more: 1 }],
  ...[JSON.parse('{"__proto__": {"app": "evil"}}'), { app: "evil" }, deep(50), deep(300)],
];
const NAMES = [
  ...["app", "command", "work", "private", "previous_address", "reason", "deposed"],
  ...["__proto__", "constructor", "toString", "$unknown", "$x"],
];

type Edit = (body: Any) => void;
const at = (body: Any, way: readonly string[]): Any => way.reduce((one, key) => one[key], body);
const put = (object: Any, key: string, value: unknown) =>
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });

function edits(body: Any): fc.Arbitrary<Edit> {
  const all = places(body).filter((way) => way.length > 0);
  const inner = all.filter((way) => typeof at(body, way) === "object" && at(body, way) !== null);
  const way = fc.constantFrom(...all);
  const held = (one: Any, [...place]: readonly string[]) => ({ key: place.pop()!, parent: at(one, place) });
  return fc.oneof(
    fc.tuple(way, fc.constantFrom(...ODD)).map(
      ([place, odd]): Edit =>
        (one) => {
          const { key, parent } = held(one, place);
          put(parent, key, odd);
        },
    ),
    fc.tuple(way, way).map(
      ([place, other]): Edit =>
        (one) => {
          const { key, parent } = held(one, place);
          put(parent, key, structuredClone(at(one, other)));
        },
    ),
    way.map(
      (place): Edit =>
        (one) => {
          const { key, parent } = held(one, place);
          if (Array.isArray(parent)) parent.splice(Number(key), 1);
          else delete parent[key];
        },
    ),
    fc.tuple(fc.constantFrom(...inner), fc.constantFrom(...NAMES), fc.constantFrom(...ODD)).map(
      ([place, name, odd]): Edit =>
        (one) => {
          const object = at(one, place);
          if (Array.isArray(object)) object.push(object.length > 0 ? structuredClone(object[0]) : odd);
          else put(object, name, odd);
        },
    ),
  );
}

describe("a saved plan that was modified", () => {
  test.each([1, 3])(
    "apply refuses a plan with up to %d changed fields, or executes the original plan",
    async (maxLength) => {
      const original = text.split("\n")[1]!;
      const body = JSON.parse(original) as Any;
      await fc.assert(
        fc.asyncProperty(fc.array(edits(body), { minLength: 1, maxLength }), async (all) => {
          const changed = changedPlan(text, (one) => {
            const json = JSON.parse(one) as Any;
            for (const edit of all) {
              // The first edit may have removed the value that the second edit changes.
              try {
                edit(json);
              } catch (problem) {
                if (!(problem instanceof TypeError)) throw problem;
              }
            }
            return JSON.stringify(json);
          });
          await never(Buffer.from(changed));
        }),
        { numRuns: runs(60, 5000), seed },
      );
    },
  );

  test("the message of an internal error does not say that the plan is damaged", async () => {
    const broken = {
      ...context,
      providers: {
        get broken(): never {
          throw new TypeError("a fault");
        },
      },
    };
    await expect(confirmPlan(planIn(text), broken as unknown as RunContext, undefined)).rejects.toThrow(
      TypeError,
    );
  });

  test.each([
    ["huge numbers", (body: string) => body.replace('"serial":', '"serial":1e999999999,"other":'), "serial"],
    [
      "numbers of more digits than anything needs",
      (body: string) => body.replace('"size":7', '"size":1e99999'),
      "Invalid value",
    ],
    [
      "deep nesting",
      (body: string) =>
        body.replace('"blocked":[]', `"blocked":${"[".repeat(200_000)}${"]".repeat(200_000)}`),
      "nested deeper",
    ],
    ["text after its end", (body: string) => `${body}{}`, "not JSON"],
    ["a bracket that nothing closes", () => "[".repeat(100_000), "nested deeper"],
    ["quotes that nothing closes", () => `"${'\\"'.repeat(100_000)}`, "it"],
  ] as const)("a plan that was modified and contains %s is rejected at once", async (_, edit, words) => {
    const outcome = await never(Buffer.from(changedPlan(text, edit)));
    expect("refused" in outcome && outcome.refused[0]).toMatchObject({
      code: "saved_plan_damaged",
      detail: expect.stringContaining(words),
    });
  });

  test("the apply of an unmodified plan sends all planned requests", async () => {
    const outcome = await never(Buffer.from(text));
    expect("sent" in outcome && outcome.sent.length).toBe(7);
    expect(text).not.toContain(SECRET);
  });
});
