import path from "node:path";
import { type FleetMembers, noteMembers } from "../../../src/cli/commands/fleet-members";

const FOLDER = path.resolve("/app");
const SCOPE = { type: "steward_job_token_scope", fleet: "acme", construct: "settings/acme/scopes" };
const LIVE = { type: "steward_protected_environment", fleet: "acme", construct: "settings/acme/live" };

type Declared = Parameters<typeof noteMembers>[1] extends {
  readonly resources: ReadonlyMap<string, infer One>;
}
  ? One
  : never;

function membersOf(...declared: readonly Declared[]): FleetMembers {
  const members: FleetMembers = new Map();
  const resources = new Map(declared.map((one) => [`${one.type}.it`, one]));
  const objects = declared.map(({ type }) => ({
    address: `${type}.it["42"]`,
    indexKey: "42",
    container: { kind: "project", name: "acme/web" } as const,
  }));
  noteMembers(members, { resources }, objects, FOLDER);
  return members;
}

const PLACE = { file: path.join(FOLDER, "main.ts"), line: 7, key: "42" };

test.each<[string, readonly Declared[], ReadonlyMap<string, string>]>([
  ["one resource", [{ ...SCOPE, position: "main.ts:7" }], new Map([[SCOPE.type, "acme/scopes"]])],
  [
    "several resources",
    [
      { ...SCOPE, position: "main.ts:7" },
      { ...LIVE, position: "main.ts:7" },
    ],
    new Map([
      [SCOPE.type, "acme/scopes"],
      [LIVE.type, "acme/live"],
    ]),
  ],
])(
  "for a project in a fleet of %s, noteMembers records the fleet's file, line and constructs",
  (_, declared, resources) => {
    expect(membersOf(...declared)).toEqual(new Map([["acme/web", { ...PLACE, resources }]]));
  },
);

test.each<[string, Declared]>([
  ["without a fleet", { type: SCOPE.type, construct: SCOPE.construct, position: "main.ts:7" }],
  ["without a recorded position", SCOPE],
])("for the project of a resource %s, noteMembers records no fleet", (_, declared) => {
  expect(membersOf(declared)).toEqual(new Map());
});
