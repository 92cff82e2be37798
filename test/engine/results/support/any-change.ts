import * as fc from "fast-check";
import type { ResourceChange } from "../../../../src/engine";
import { ACTION_REASONS, ACTIONS } from "../../../../src/engine/results/plan";
import { type Attributes, UNKNOWN, type Value } from "../../../../src/schema";

export const ATTRIBUTES: Attributes = {};
export const MARKS = { markOf: () => 1 };

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const values = fc.record({ name: fc.string(), size: fc.integer() });
/** Generates values with lists, objects, unknown parts, and keys that look like the marks of the codec. */
const partlyUnknown = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.constantFrom<Value>(UNKNOWN, null, true, 7), fc.string({ maxLength: 3 })),
    fc.dictionary(fc.constantFrom("a", "$unknown", "$sensitive", "$$", "$x"), tie("value"), { maxKeys: 2 }),
    fc.array(tie("value"), { maxLength: 2 }),
  ),
})).value;
const planned = fc.record({
  name: fc.string(),
  size: fc.integer(),
  parts: partlyUnknown,
});
const paths = fc.constantFrom<string[][]>([], [["size"]]);
const optionals = {
  deposed: some(fc.constant("0a1b2c3d")),
  previousAddress: some(fc.constant("acme_thing.old")),
  sameAs: some(fc.constant("acme_thing.other")),
  takesOver: some(fc.constant("acme_thing.gone")),
  importing: some(
    fc.constantFrom({ id: "7" }, { id: "7", identity: { id: "7" } }, { id: "7", existing: true as const }),
  ),
  reason: some(fc.constantFrom(...ACTION_REASONS)),
  beforeIdentity: some(values),
  afterIdentity: some(values),
  construct: some(fc.constant("app/web")),
  position: some(fc.constantFrom("main.ts:26", "C:\\app\\main.ts:1")),
  replaced: some(fc.constantFrom({ live: { size: 1 } }, { why: "403" })),
};
const objects = fc.constantFrom(
  { address: "acme_thing.web", mode: "managed" as const, name: "web" },
  { address: "data.acme_thing.web[0]", mode: "data" as const, name: "web", indexKey: 0 },
  {
    address: 'module.team["eu"].module.web.acme_thing.web[0]',
    mode: "managed" as const,
    name: "web",
    indexKey: 0,
  },
  { address: 'acme_thing.web["a\\"b"]', mode: "managed" as const, name: "web", indexKey: 'a"b' },
);
/** Generates changes of objects without a schema. None of the changed values is sensitive. */
export const anyChange: fc.Arbitrary<ResourceChange> = fc
  .tuple(
    objects,
    fc.record(optionals),
    fc.record({
      action: fc.constantFrom(...ACTIONS),
      before: fc.option(values, { nil: null }),
      after: fc.option(planned, { nil: null }),
      beforeSensitive: fc.constant<string[][]>([]),
      afterSensitive: fc.constant<string[][]>([]),
      replacePaths: paths,
    }),
  )
  .map(([object, optional, rest]) => {
    const present = Object.entries(optional).filter(([, value]) => value !== undefined);
    const facts = { type: "acme_thing", provider: "example.com/acme/acme", attributes: ATTRIBUTES };
    return { ...object, ...facts, ...Object.fromEntries(present), ...rest } as ResourceChange;
  });
