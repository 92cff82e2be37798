import fc from "fast-check";
import type * as z from "zod/mini";
import { reportSchema } from "../../../../src/cli/document/model";

/** The parts of zod's definitions that the report's schema uses. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly getter?: () => z.core.$ZodType;
}

/** The maximum nesting of lists and optional parts. Deeper parts are left out. */
const DEPTH = 9;

/** Generates values that a schema of zod accepts. `text` generates the texts in these values. */
function valuesOf(schema: z.core.$ZodType, text: fc.Arbitrary<string>, depth = 0): fc.Arbitrary<unknown> {
  const definition = schema._zod.def as unknown as Definition;
  const inner = (one: z.core.$ZodType) => valuesOf(one, text, depth + 1);
  const isDeep = depth > DEPTH;
  switch (definition.type) {
    case "string":
      return text;
    case "number":
      return fc.nat(9);
    case "boolean":
      return fc.boolean();
    case "unknown":
      return isDeep ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 });
    case "literal":
      return fc.constantFrom(...definition.values!);
    case "enum":
      return fc.constantFrom(...Object.values(definition.entries!));
    case "optional":
      return isDeep ? fc.constant(undefined) : fc.option(inner(definition.innerType!), { nil: undefined });
    case "nullable":
      return fc.option(inner(definition.innerType!));
    case "readonly":
      return inner(definition.innerType!);
    case "array":
      return isDeep ? fc.constant([]) : fc.array(inner(definition.element!), { maxLength: 3 });
    case "record":
      return fc.dictionary(fc.constantFrom("one", "other"), inner(definition.valueType!), { maxKeys: 2 });
    case "union":
      return fc.oneof(...(isDeep ? definition.options!.slice(0, 1) : definition.options!).map(inner));
    case "lazy":
      return inner(definition.getter!());
    case "object":
      return fc
        .record(Object.fromEntries(Object.entries(definition.shape!).map(([key, one]) => [key, inner(one)])))
        .map((value) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)));
    default:
      throw new Error(`Reports with a part of the type ${definition.type} can't be generated.`);
  }
}

/** Generates reports that Steward can read. `text` generates all free texts of the reports. */
export const anyReport = (text: fc.Arbitrary<string>): fc.Arbitrary<Record<string, unknown>> =>
  valuesOf(reportSchema, text) as fc.Arbitrary<Record<string, unknown>>;
