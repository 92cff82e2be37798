import { readFileSync } from "node:fs";
import path from "node:path";
import type { TerraformStack } from "cdktf";
import { AccessLevel, Fleet, ProjectSettings } from "../../../src/constructs";
import { FleetPlace } from "../../cli/support/fleet-place";

// The tests use states of former releases. These releases did not record the fleets of objects. This release finds the
// objects of a fleet by fleet, key and type. If it can't find them, it asks the user.

const STATES = path.join(__dirname, "..", "..", "fixtures", "2026-11-second-version", "fleets");
const PROJECTS = ["a", "b", "c", "d", "e"];
const DEPLOYERS = { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] };
const LIMIT = { inboundEnabled: true };
const BASELINE = { ...LIMIT, protectedEnvironments: { production: DEPLOYERS } };

interface AppOptions {
  readonly topic?: string;
  readonly onLeave?: "keep" | "reset";
  readonly baseline?: typeof LIMIT;
}

type Build = (stack: TerraformStack) => void;

const fleet =
  (id: string, { topic = "service", onLeave = "keep", baseline = BASELINE }: AppOptions = {}): Build =>
  (stack) =>
    void new Fleet(stack, id, { projects: { group: "acme", topics: [topic] }, baseline, onLeave });
const shop: Build = (stack) =>
  void new ProjectSettings(stack, "shop", {
    project: "acme/e",
    ...BASELINE,
    allowlist: { targetProjects: ["acme/a"] },
  });
const all =
  (...builds: readonly Build[]): Build =>
  (stack) => {
    for (const build of builds) build(stack);
  };
const tools = (id: string) => fleet(id, { topic: "tool" });

/** The apps for which a former release wrote these states, by the name of the state. */
const BEFORE: Readonly<Record<string, Build>> = {
  one: fleet("acme"),
  two: all(fleet("acme"), tools("tools")),
  beside: all(fleet("acme"), shop),
};

let place: FleetPlace;
afterEach(() => place.close());

/** Plans with the state of a former release. Returns the planned actions and the error codes. */
async function planned(
  state: string,
  after: Build,
  leaves: readonly string[] = [],
): Promise<readonly string[]> {
  place = await FleetPlace.open(PROJECTS);
  await place.setTopics("d", ["tool"]);
  await place.setTopics("e", []);
  place.declare({ estate: BEFORE[state]! });
  await place.apply();
  place.place.write("estate.tfstate", readFileSync(path.join(STATES, `${state}.tfstate`), "utf8"));
  for (const name of leaves) await place.setTopics(name, []);
  place.declare({ estate: after });
  const { text } = await place.run("plan", "--allow-leaving", "4");
  const plain = text.replace(/_[0-9A-F]{8}/g, "");
  const found = plain.matchAll(
    /# steward_(\S+) (?:has (moved) to steward_(\S+)|will be (\w+)|will (no longer be managed))|Error: .* \[(\w+)\]/g,
  );
  return [...found].map(([, address, moved, to, action, forgotten, code]) => {
    if (code !== undefined) return `error ${code}`;
    return moved === undefined ? `${action ?? (forgotten && "forgotten")} ${address}` : `${address} -> ${to}`;
  });
}

const moves = (from: string, to: string, ids: readonly number[]): readonly string[] => [
  ...ids.map(
    (id) =>
      `job_token_scope.${from}_job-token-scope["${id}"] -> job_token_scope.${to}_job-token-scope["${id}"]`,
  ),
  ...ids.map(
    (id) =>
      `protected_environment.${from}_environments["${id}:production"] -> protected_environment.${to}_environments["${id}:production"]`,
  ),
];
const ofProject = (action: string, of: string, id: number): readonly string[] => [
  `${action} job_token_scope.${of}_job-token-scope["${id}"]`,
  `${action} protected_environment.${of}_environments["${id}:production"]`,
];

test.each<[string, string, Build, readonly string[], readonly string[]]>([
  ["nothing changes", "one", fleet("acme"), [], []],
  ["nothing changes next to a second fleet", "two", BEFORE["two"]!, [], []],
  ["nothing changes next to a ProjectSettings", "beside", BEFORE["beside"]!, [], []],
  ["a fleet has another id", "one", fleet("company"), [], moves("acme", "company", [1, 2, 3])],
  [
    "two fleets have other ids",
    "two",
    all(fleet("company"), tools("toolbox")),
    [],
    [...moves("acme", "company", [1, 2, 3]), ...moves("tools", "toolbox", [4])],
  ],
  ["a project has left", "one", fleet("acme"), ["c"], ofProject("forgotten", "acme", 3)],
  [
    "a project has left a fleet that resets it",
    "one",
    fleet("acme", { onLeave: "reset" }),
    ["c"],
    ofProject("destroyed", "acme", 3),
  ],
  [
    "a project of each of two fleets has left",
    "two",
    BEFORE["two"]!,
    ["c", "d"],
    [...ofProject("forgotten", "acme", 3), ...ofProject("forgotten", "tools", 4)],
  ],
  [
    "a project has left a fleet that has another id",
    "one",
    fleet("company"),
    ["c"],
    [...moves("acme", "company", [1, 2]), ...ofProject("forgotten", "acme", 3)],
  ],
  [
    "a ProjectSettings next to a fleet is removed",
    "beside",
    fleet("acme"),
    [],
    [
      "destroyed job_token_allowlist.shop_job-token-allowlist",
      "destroyed job_token_scope.shop_job-token-scope",
      "destroyed protected_environment.shop_environment-production",
    ],
  ],
  [
    "a fleet has another id and its baseline drops a part: the plan fails",
    "one",
    fleet("company", { baseline: LIMIT }),
    [],
    [...moves("acme", "company", [1, 2, 3]).slice(0, 3), "error fleet_not_recorded"],
  ],
  [
    "a fleet that keeps its projects is removed: the plan fails",
    "one",
    all(),
    [],
    ["error fleet_not_recorded", "error fleet_not_recorded"],
  ],
  [
    "a fleet next to a ProjectSettings is removed: the plan fails, and changes nothing else",
    "beside",
    shop,
    [],
    ["error fleet_not_recorded", "error fleet_not_recorded"],
  ],
  [
    "one of two fleets is removed: the plan fails",
    "two",
    tools("tools"),
    [],
    ["error fleet_not_recorded", "error fleet_not_recorded"],
  ],
])(
  "the plan of an old fleet has exactly the expected changes: %s",
  async (_, state, after, leaves, expected) => {
    expect([...(await planned(state, after, leaves))].sort()).toEqual([...expected].sort());
  },
);
