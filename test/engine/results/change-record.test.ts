import * as fc from "fast-check";
import type { ResourceChange } from "../../../src/engine";
import { changeOf, objectOf, originOf, recordOf } from "../../../src/engine/results/change-record";
import { runs, seed } from "../../support/capabilities";
import { ATTRIBUTES, anyChange, MARKS } from "./support/any-change";

test("a change that is written as a record and read back equals the original change", () => {
  fc.assert(
    fc.property(anyChange, (change) => {
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
