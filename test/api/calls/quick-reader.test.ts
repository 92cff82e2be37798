import fc from "fast-check";
import * as z from "zod/mini";
import { type $ZodType, safeParse } from "zod/v4/core";
import { OPERATIONS } from "../../../src/api/areas";
import { REFUSED, readerOf } from "../../../src/api/calls/validate";

const LEAF = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    true,
    false,
    0,
    -0,
    1,
    30,
    1.5,
    2 ** 53,
    Number.POSITIVE_INFINITY,
    "",
    "a",
  ),
  fc.constant([]),
  fc.constant({}),
);

/** Generates values that mostly match a schema. Each part of a value may be missing or have a wrong type. */
function valuesOf(schema: $ZodType): fc.Arbitrary<unknown> {
  const def = schema._zod.def as {
    readonly type: string;
    readonly shape?: Readonly<Record<string, $ZodType>>;
    readonly element?: $ZodType;
    readonly innerType?: $ZodType;
    readonly in?: $ZodType;
    readonly options?: readonly $ZodType[];
  };
  const fitting = (): fc.Arbitrary<unknown> => {
    if (def.shape !== undefined)
      return fc.record(
        Object.fromEntries(Object.entries(def.shape).map(([name, one]) => [name, valuesOf(one)])),
        { requiredKeys: [], noNullPrototype: true },
      );
    if (def.element !== undefined) return fc.array(valuesOf(def.element), { maxLength: 3 });
    const inner = def.innerType ?? def.in ?? def.options?.[0];
    if (inner !== undefined) return fc.oneof(valuesOf(inner), fc.constantFrom(null, undefined));
    if (def.type === "string") return fc.string();
    if (def.type === "boolean") return fc.boolean();
    return fc.nat();
  };
  return fc.oneof({ weight: 30, arbitrary: fitting() }, { weight: 1, arbitrary: LEAF });
}

const ANSWERS = OPERATIONS.flatMap(({ name, answer }) =>
  answer === undefined ? [] : [[name, answer] as const],
);
const OTHERS: readonly (readonly [string, $ZodType])[] = [
  ["a default within an optional field", z.object({ a: z.optional(z._default(z.string(), "d")) })],
  ["a field that may be any value", z.object({ a: z.any(), b: z.unknown() })],
  ["an object without other keys", z.strictObject({ a: z.string() })],
  ["a text with a check", z.object({ a: z.string().check(z.minLength(2)) })],
  ["a list with a check", z.array(z.string()).check(z.minLength(1))],
];

describe("the fast parser of responses", () => {
  test.each([...ANSWERS, ...OTHERS])(
    "the fast parser accepts and refuses the same values as zod: %s",
    (_, schema) => {
      fc.assert(
        fc.property(valuesOf(schema), (value) => {
          const expected = safeParse(schema, value);
          const read = readerOf(schema)(value);
          expect(read).toStrictEqual(expected.success ? expected.data : REFUSED);
        }),
        { numRuns: 60 },
      );
    },
  );
});
