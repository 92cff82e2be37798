import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { fieldsOf } from "../../../src/cli/difference";
import { describeChange, describePlan } from "../../../src/cli/document/describe";
import { PLAIN } from "../../../src/cli/terminal/text";
import { renderChange, renderPlan } from "../../../src/cli/views/plan";
import { UNKNOWN, type Value, type ValueObject } from "../../../src/schema";
import { describeWith, seed } from "../../support/capabilities";
import { change, output, plan } from "../support/models";
import { textOf } from "../support/text-of";

const text = fc.stringMatching(/^[a-z]{1,6}$/);
const rule = fc.record({ user: fc.option(text), count: fc.option(fc.nat(3)) });
/** Generates objects of the schema in `support/models.ts`. */
const object = fc.record<ValueObject>({
  id: text,
  enabled: fc.option(fc.boolean()),
  level: fc.option(fc.integer()),
  targets: fc.option(fc.uniqueArray(text, { maxLength: 4 })),
  steps: fc.option(fc.array(text, { maxLength: 4 })),
  rules: fc.option(fc.uniqueArray(rule, { maxLength: 3, selector: (one) => JSON.stringify(one) })),
  note: fc.option(fc.oneof(text, fc.constant("a\nb\nc\n"), fc.constant("a\nc\n"))),
}) as fc.Arbitrary<ValueObject>;

const marks = (before: ValueObject, after: ValueObject) =>
  fieldsOf(change({ action: "update", before, after })).map(({ name, difference }) => [
    name,
    difference.mark,
  ]);

const RUNS = { seed, numRuns: 200 };

describe("a difference", () => {
  test("two equal objects have no difference, even if the elements of a set are in another order", () => {
    fc.assert(
      fc.property(object, (one) => {
        const turned = { ...one };
        for (const name of ["targets", "rules"]) {
          const set = one[name];
          if (Array.isArray(set)) turned[name] = [...set].reverse();
        }
        expect(new Set(marks(one, turned).map(([, mark]) => mark))).toEqual(new Set([" "]));
      }),
      RUNS,
    );
  });

  test("if the old and the new object are exchanged, each + in the difference becomes -, and each - becomes +", () => {
    const mirror: Record<string, string> = { "+": "-", "-": "+", "~": "~", " ": " " };
    fc.assert(
      fc.property(object, object, (one, other) => {
        const there = marks(one, other);
        expect(marks(other, one)).toEqual(there.map(([name, mark]) => [name, mirror[mark!]]));
        for (const [name, mark] of there) {
          if (JSON.stringify(one[name!] ?? null) === JSON.stringify(other[name!] ?? null))
            expect(mark).toBe(" ");
          else if (typeof one[name!] !== "object" && typeof other[name!] !== "object")
            expect(mark).not.toBe(" ");
        }
      }),
      RUNS,
    );
  });

  test("a difference shows neither the value at a sensitive path nor values below this path", () => {
    const secret = "TOPSECRET";
    const hidden = fc.constantFrom<readonly [Value, readonly (string | number)[]]>(
      [secret, ["note"]],
      [[secret], ["steps"]],
      [
        ["open", secret],
        ["steps", 1],
      ],
      [
        [secret, "open"],
        ["targets", 0],
      ],
      [[{ user: secret, count: 1 }], ["rules", 0, "user"]],
    );
    fc.assert(
      fc.property(object, fc.option(hidden), fc.option(hidden), (one, before, after) => {
        const put = (part: typeof before): ValueObject =>
          part ? { ...one, [part[1][0] as string]: part[0] } : one;
        const shown = textOf(
          renderChange(
            [
              describeChange(
                change({
                  action: "update",
                  before: put(before),
                  after: put(after),
                  beforeSensitive: before ? [before[1]] : [],
                  afterSensitive: after ? [after[1]] : [],
                }),
              ),
            ],
            PLAIN,
          ),
        );
        expect(shown).not.toContain(secret);
      }),
      RUNS,
    );
  });
});

/**
 * Generates values that an app may output. Values that change contain no lists, because engines show changed lists in
 * different ways.
 */
const outputValue = (lists: boolean): fc.Arbitrary<Value> =>
  fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constantFrom("two\nlines\n", "two\nother\nlines\n")),
      fc.dictionary(fc.stringMatching(/^([a-z]|[a-z] [a-z])$/), tie("value"), { maxKeys: 3 }),
      ...(lists ? [fc.array(tie("value"), { minLength: 1, maxLength: 3 })] : []),
    ),
  })).value;

describeWith("engine", "outputs in a plan, compared with a real engine", (program) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "steward-outputs-"));
    engine({}, "init");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function engine(outputs: Record<string, Value>, ...args: string[]): string {
    const all = Object.entries({ k: 1, ...outputs }).map(([name, one]) => [name, { value: one }]);
    const configuration = { resource: { terraform_data: { one: {} } }, output: Object.fromEntries(all) };
    writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify(configuration));
    const env = { ...process.env, CHECKPOINT_DISABLE: "1" };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8", env });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  const sample = (lists: boolean, salt: number): Record<string, Value> => {
    const sized = fc.array(outputValue(lists), { minLength: 60, maxLength: 60 });
    const [values] = fc.sample(sized, { numRuns: 1, seed: seed + salt });
    return Object.fromEntries(values!.map((one, index) => [`o${index}`, one]));
  };
  const section = (shown: string) => /Changes to Outputs:\n((?: .*\n)+)/.exec(shown)?.[1];
  const ours = (outputs: ReturnType<typeof output>[]) =>
    section(
      textOf(
        renderPlan(
          describePlan(plan({ outputs: outputs.sort((one, other) => (one.name < other.name ? -1 : 1)) })),
          PLAIN,
        ),
      ),
    );

  test("the plan shows new outputs exactly as Terraform does, including unknown outputs", () => {
    const values = sample(true, 1);
    const created = Object.entries(values).map(([name, after]) => output({ name, action: "create", after }));
    const late = output({ name: "l", action: "create", after: UNKNOWN });
    const k = output({ name: "k", action: "create", after: 1 });
    const shown = engine({ ...values, l: "${terraform_data.one.id}" }, "plan", "-no-color");
    expect(ours([...created, late, k])).toBe(section(shown));
  });

  test("the plan shows changed and removed outputs exactly as Terraform does", () => {
    const before = sample(false, 2);
    const after = sample(false, 3);
    engine(before, "apply", "-auto-approve");
    const changed = Object.keys(before)
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => output({ name, action: "update", before: before[name]!, after: after[name]! }));
    expect(ours(changed)).toBe(section(engine(after, "plan", "-no-color")));
    const gone = Object.entries(before).map(([name, one]) => output({ name, action: "delete", before: one }));
    expect(ours(gone)).toBe(section(engine({}, "plan", "-no-color")));
  });
});
