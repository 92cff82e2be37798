import * as fc from "fast-check";
import {
  type DeclaredEntry,
  changes as entryChanges,
} from "../../../../src/provider/resources/parts/access-entries";
import { runs, seed } from "../../../support/capabilities";

// An entry matches a record with the same user, group or level. The tests apply the sent elements one by one, as the
// service does.

/** An entry that names exactly one user, group or level. */
interface Entry {
  readonly user_id?: number;
  readonly group_id?: number;
  readonly access_level?: number;
  readonly group_inheritance_type?: number;
  readonly required_approvals?: number;
}
interface EntryChange extends Entry {
  readonly id?: number;
  readonly _destroy?: true;
}

const declared = ({ user_id, group_id, access_level, ...rest }: Entry): DeclaredEntry => ({
  user: user_id === undefined ? null : { id: user_id },
  group: group_id === undefined ? null : { id: group_id },
  access_level: access_level ?? null,
  group_inheritance_type: null,
  ...rest,
});
const changes = (live: readonly Record[], wanted: readonly Entry[]): readonly EntryChange[] =>
  entryChanges(live, wanted.map(declared)).map(({ element }) => element);

interface Record {
  readonly id: number;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly access_level: number | null;
  readonly group_inheritance_type: number;
  readonly required_approvals: number;
}

const who = fc.oneof(
  fc.record({ user_id: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ group_id: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ access_level: fc.constantFrom(30, 40, 60) }),
);
const nameOf = (entry: { user_id?: number | null; group_id?: number | null; access_level?: number | null }) =>
  JSON.stringify([entry.user_id ?? null, entry.group_id ?? null, entry.access_level ?? null]);

const entry: fc.Arbitrary<Entry> = fc
  .tuple(who, fc.constantFrom(0, 1), fc.integer({ min: 1, max: 3 }))
  .map(([named, group_inheritance_type, required_approvals]) => ({
    ...named,
    ...("group_id" in named && { group_inheritance_type }),
    required_approvals,
  }));
const wanted = fc.uniqueArray(entry, { selector: nameOf, maxLength: 6 });
const live = fc
  .array(entry, { maxLength: 6 })
  .map((entries) => entries.map((one, index) => toRecord(one, index + 100)));

const toRecord = (one: Entry, id: number): Record => ({
  id,
  user_id: one.user_id ?? null,
  group_id: one.group_id ?? null,
  access_level: one.access_level ?? null,
  group_inheritance_type: one.group_inheritance_type ?? 0,
  required_approvals: one.required_approvals ?? 1,
});

/** Returns the records after each sent element; the service applies the elements in this order. */
function play(records: readonly Record[], sent: readonly EntryChange[]): Record[][] {
  const states = [[...records]];
  sent.forEach(({ id, _destroy, ...change }, index) => {
    const now = states.at(-1)!;
    if (_destroy) states.push(now.filter((record) => record.id !== id));
    else if (id === undefined) states.push([...now, toRecord(change, 1000 + index)]);
    else
      states.push(now.map((record) => (record.id === id ? { ...record, ...toRecord(change, id) } : record)));
  });
  return states;
}

const saysOf = (records: readonly Record[]) =>
  records.map(({ id: _, ...rest }) => JSON.stringify(rest)).sort();
const law = (name: string, property: fc.IProperty<[Record[], Entry[]]>) =>
  test(name, () => fc.assert(property, { seed, numRuns: runs(200, 5000) }));

law(
  "after the changes are sent, the service has exactly the wanted entries",
  fc.property(live, wanted, (records, entries) => {
    const after = play(records, changes(records, entries)).at(-1)!;
    expect(saysOf(after)).toEqual(saysOf(entries.map((one) => toRecord(one, 0))));
  }),
);

law(
  "after the changes are sent, no further change is necessary",
  fc.property(live, wanted, (records, entries) => {
    const after = play(records, changes(records, entries)).at(-1)!;
    expect(changes(after, entries)).toEqual([]);
  }),
);

law(
  "if only the order of live and wanted entries differs, no change is necessary",
  fc.property(live, wanted, (records, entries) => {
    const after = play(records, changes(records, entries)).at(-1)!;
    expect(changes([...after].reverse(), [...entries].reverse())).toEqual([]);
  }),
);

law(
  "if there are entries before and after the changes, the service has an entry after each single change",
  fc.property(
    live.filter((records) => records.length > 0),
    wanted.filter((entries) => entries.length > 0),
    (records, entries) => {
      for (const state of play(records, changes(records, entries))) expect(state).not.toEqual([]);
    },
  ),
);

law(
  "an entry that already has the wanted values is not changed",
  fc.property(live, wanted, (records, entries) => {
    const touched = new Set(changes(records, entries).map(({ id }) => id));
    const names = records.map((record) => nameOf(record));
    const isOnly = (record: Record) => names.indexOf(nameOf(record)) === names.lastIndexOf(nameOf(record));
    const says = new Set(saysOf(entries.map((one) => toRecord(one, 0))));
    for (const record of records) {
      if (isOnly(record) && says.has(saysOf([record])[0]!)) expect(touched).not.toContain(record.id);
    }
  }),
);
