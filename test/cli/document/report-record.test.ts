import * as fc from "fast-check";
import { describeChange } from "../../../src/cli/document/describe";
import type { ReportAttribute, ReportObject } from "../../../src/cli/document/model";
import {
  changeFacts,
  changeOrigin,
  hiddenPaths,
  isShown,
  originOf,
  type ResourceChange,
  recordOf,
} from "../../../src/engine";
import { anyChange, MARKS } from "../../engine/results/support/any-change";
import { runs, seed } from "../../support/capabilities";

const pick = (object: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
const FACTS = Object.keys({ ...changeFacts, ...changeOrigin });

/** Returns the record that an object of a report contains: the facts, the origin, and the values of the listed attributes. */
function recordOfObject(object: ReportObject) {
  const listed = object.attributes.filter(({ sensitive }) => !sensitive);
  const values = (read: (attribute: ReportAttribute) => unknown) =>
    Object.fromEntries(listed.map((one) => [one.name, read(one) ?? null]));
  return {
    ...pick(object, FACTS),
    before: values(({ before }) => before),
    after: values(({ after, unknown }) => (after === undefined && unknown ? { $unknown: true } : after)),
  };
}

/** Returns the record of a change, restricted to the attributes that differ and are not sensitive. */
function expectedRecord(change: ResourceChange) {
  const record = { ...recordOf(change, MARKS, { hidden: hiddenPaths }), ...originOf(change) };
  const secret = new Set([...change.beforeSensitive, ...change.afterSensitive].map(([name]) => name));
  // The record of an import shows all values of the object. The record of a forgotten object shows no values.
  const isOnlyImported = change.action === "no-op" && change.importing !== undefined;
  const before = isOnlyImported ? null : record.before;
  const isListed = (name: string) =>
    isShown(change) &&
    change.action !== "forget" &&
    !secret.has(name) &&
    JSON.stringify(before?.[name] ?? null) !== JSON.stringify(record.after?.[name] ?? null);
  const names = Object.keys({ ...record.before, ...record.after }).filter(isListed);
  const values = (all: typeof record.before) =>
    Object.fromEntries(names.map((name) => [name, all?.[name] ?? null]));
  return { ...pick(record, FACTS), before: values(record.before), after: values(record.after) };
}

const sensitive = fc.constantFrom<(string | number)[][]>(
  [],
  [["size"]],
  [["parts"]],
  [["parts", 0]],
  [["parts", "a"]],
);
const changes = fc
  .tuple(anyChange, sensitive, sensitive)
  .map(([change, beforeSensitive, afterSensitive]) => ({ ...change, beforeSensitive, afterSensitive }));

test("a report contains the record of a change, restricted to the attributes that differ and are not sensitive", () => {
  fc.assert(
    fc.property(changes, (change) => {
      const object: ReportObject = JSON.parse(JSON.stringify(describeChange(change)));
      expect(recordOfObject(object)).toEqual(JSON.parse(JSON.stringify(expectedRecord(change))));
      expect(JSON.stringify(object.attributes)).not.toContain('"$sensitive":1');
    }),
    { numRuns: runs(200, 10_000), seed },
  );
});
