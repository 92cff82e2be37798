import fc from "fast-check";
import { ConfigurationSource } from "../../../src/adopt";
import { createProvider } from "../../../src/provider";

// `drift --accept` writes a live value into JSON, and changes only the bytes that differ.

const TYPE = "steward_protected_environment";
const { attributes } = createProvider().schema.resources[TYPE]!;
const schema = attributes["deploy_access_levels"]!;

type Entry = Readonly<Record<string, string | number>>;
const level = (access_level: number): Entry => ({ access_level });
const user = (name: string): Entry => ({ user: name });
/** Returns an entry as the service returns it: with all attributes. Most attributes have their default value. */
const live = (entry: Entry) => ({
  ...{ user: null, group: null, access_level: null, group_inheritance_type: 0 },
  ...entry,
});

const around = (list: string) =>
  `{"resource":{"${TYPE}":{"production":{"project":"acme/shop","deploy_access_levels":${list},"name":"production"}}}}`;

function accepted(source: string, declared: readonly Entry[], now: readonly Entry[]): string {
  const file = new ConfigurationSource(source, "main.tf.json");
  const left = file.accept({
    ...{ type: TYPE, name: "production", attribute: "deploy_access_levels", schema },
    ...{ declared: declared.map(live), live: now.map(live) },
  });
  expect(left).toBeUndefined();
  return file.text;
}

test.each([
  [
    "a changed value",
    '[{"access_level":40},{"user":"maya"}]',
    '[{"access_level":30},{"user":"maya"}]',
    [30, "maya"],
  ],
  [
    "spaces",
    '[{ "access_level": 40 }, { "user": "maya" }]',
    '[{ "access_level": 30 }, { "user": "maya" }]',
    [30, "maya"],
  ],
  ["an added entry", '[{"access_level":40}]', '[{"access_level":40},{"user":"maya"}]', [40, "maya"]],
  [
    "an added entry after spaces",
    '[{ "access_level": 40 }]',
    '[{ "access_level": 40 },{ "user": "maya" }]',
    [40, "maya"],
  ],
  ["a removed last entry", '[{"access_level":40}, {"user":"maya"}]', '[{"access_level":40}]', [40]],
  ["a removed first entry", '[{"user":"maya"}, {"access_level":40}]', '[{"access_level":40}]', [40]],
  ["no entry left", '[{"user":"maya"}, {"access_level":40}]', "[]", []],
  [
    "an entry on each line",
    '[\n    {"access_level": 40},\n    {"user": "maya"}\n  ]',
    '[\n    {"access_level": 40},\n    {"user": "devon"},\n    {"access_level": 30}\n  ]',
    [40, "devon", 30],
  ],
  [
    "the last of several lines",
    '[\n    {"access_level": 40},\n    {"user": "maya"}\n  ]',
    '[\n    {"access_level": 40}\n  ]',
    [40],
  ],
  [
    "objects on several lines",
    '[\n\t{\n\t\t"access_level": 40\n\t}\n]',
    '[\n\t{\n\t\t"access_level": 30\n\t}\n]',
    [30],
  ],
] as const)("drift --accept does not change the layout of a JSON file: %s", (_, before, after, now) => {
  const declared = JSON.parse(before) as Entry[];
  const entries = now.map((one) => (typeof one === "number" ? level(one) : user(one)));
  expect(accepted(around(before), declared, entries)).toBe(around(after));
});

test("if a live entry has an undeclared attribute with its default value, drift --accept does not write the attribute", () => {
  const before = [level(40)];
  const now = [level(40), { group: "acme/release", group_inheritance_type: 1 }, { group: "acme/ops" }];
  expect(accepted(around(JSON.stringify(before)), before, now)).toBe(around(JSON.stringify(now)));
  const declared = [{ group: "acme/release", group_inheritance_type: 1 }];
  expect(accepted(around(JSON.stringify(declared)), declared, [{ group: "acme/release" }])).toBe(
    around('[{"group":"acme/release","group_inheritance_type":0}]'),
  );
});

const entry = fc.oneof(
  fc.constantFrom(30, 40, 60).map(level),
  fc.constantFrom("maya", "devon", "ana").map(user),
);
const entries = fc.uniqueArray(entry, { maxLength: 4, selector: (one) => JSON.stringify(one) });
const layouts: readonly ((list: readonly Entry[]) => string)[] = [
  (list) => JSON.stringify(list),
  (list) => JSON.stringify(list, undefined, 2),
  (list) => JSON.stringify(list, undefined, "\t"),
  (list) => `[ ${list.map((one) => JSON.stringify(one)).join(" , ")} ]`,
  (list) => `[\n  ${list.map((one) => JSON.stringify(one)).join(",\n  ")}\n]`,
];

test("drift --accept writes valid JSON that contains the live entries and no others", () => {
  fc.assert(
    fc.property(entries, entries, fc.constantFrom(...layouts), (before, now, layout) => {
      const source = around(layout(before));
      const text = accepted(source, before, now);
      const { resource } = JSON.parse(text) as {
        resource: Record<string, Record<string, { deploy_access_levels: Entry[]; name: string }>>;
      };
      const { deploy_access_levels: found, name } = resource[TYPE]!["production"]!;
      const sorted = (list: readonly Entry[]) => list.map((one) => JSON.stringify(one)).sort();
      expect(sorted(found)).toEqual(sorted(now));
      expect(name).toBe("production");
      if (sorted(before).join() === sorted(now).join()) expect(text).toBe(source);
    }),
    { numRuns: 300 },
  );
});
