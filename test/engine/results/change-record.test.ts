import * as fc from "fast-check";
import type { ResourceChange } from "../../../src/engine";
import { changeOf, objectOf, originOf, recordOf } from "../../../src/engine/results/change-record";
import { ACTION_REASONS, ACTIONS } from "../../../src/engine/results/plan";
import type { Attributes } from "../../../src/schema";
import { runs, seed } from "../../support/capabilities";

const ATTRIBUTES: Attributes = {};
const MARKS = { markOf: () => 1 };

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const values = fc.record({ name: fc.string(), size: fc.integer() });
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
const changes: fc.Arbitrary<ResourceChange> = fc
  .tuple(
    objects,
    fc.record(optionals),
    fc.record({
      action: fc.constantFrom(...ACTIONS),
      before: fc.option(values, { nil: null }),
      after: fc.option(values, { nil: null }),
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

test("a change that is written as a record and read back equals the original change", () => {
  fc.assert(
    fc.property(changes, (change) => {
      const record = { ...recordOf(change, MARKS), ...originOf(change) };
      const read = changeOf(JSON.parse(JSON.stringify(record)), () => ATTRIBUTES);
      expect(read).toEqual(change);
      expect(recordOf(read, MARKS)).toEqual(recordOf(change, MARKS));
    }),
    { numRuns: runs(200, 5000), seed },
  );
});

test("the record of a change contains no sensitive value, not even in the import ID", () => {
  const change: ResourceChange = {
    address: "acme_thing.web",
    mode: "managed",
    type: "acme_thing",
    name: "web",
    provider: "example.com/acme/acme",
    action: "update",
    importing: { id: "7:hunter2" },
    before: null,
    after: { id: "7:hunter2", secret: "hunter2" },
    afterIdentity: { secret: "hunter2" },
    beforeSensitive: [],
    afterSensitive: [["secret"]],
    replacePaths: [],
    replaced: { live: { secret: "hunter2" } },
    attributes: ATTRIBUTES,
  };
  const record = recordOf(change, MARKS, { hidden: (_, paths) => [...paths, ["id"]] });
  expect(JSON.stringify(record)).not.toContain("hunter2");
  expect(record.after).toEqual({ id: { $sensitive: 1 }, secret: { $sensitive: 1 } });
  expect(record.after_sensitive).toEqual([["secret"]]);
});

test.each([
  ["acme_thing.web", "acme_other"],
  ["module.a.acme_thing.web", "acme_other"],
  ["module.a", "acme_thing"],
  ["web", "web"],
  ["", ""],
])("the address %j is rejected for the type %j", (address, type) => {
  expect(objectOf({ address, type })).toBeUndefined();
});

test("the type, the name and the key of an object are read from the object's address in a module", () => {
  const address = 'module.team["eu"].module.web.acme_thing.old[0]';
  expect(objectOf({ address, type: "acme_thing" })).toEqual({
    ...{ mode: "managed", type: "acme_thing", name: "old", indexKey: 0 },
  });
});
