// Measures the processor time of the access report without the time of its requests. There are 1,000 projects, each
// with a changed environment and 60 members.
import type { AccessChange } from "../src/framework";
import { describeAccess } from "../src/provider/access";
import type { AccessScope } from "../src/provider/access/reads";
import { protectedEnvironment } from "../src/provider/resources/protected-environment";
import { median, print } from "./figures";

const MEMBERS = 60;
const LEVELS = [10, 20, 30, 30, 40, 50];

/** Returns a scope whose reads return at once, so that only the report's own work is measured. */
function scopeOf(): AccessScope {
  const members = new Map(
    Array.from({ length: MEMBERS }, (_, id) => [
      id,
      {
        id,
        username: `user-${id}`,
        access_level: LEVELS[id % LEVELS.length]!,
        expires_at: null,
        email: null,
        state: "active",
        member_role: null,
      },
    ]),
  );
  const level = {
    id: 1,
    access_level: 40,
    user_id: null,
    group_id: null,
    group_inheritance_type: 0,
    access_level_description: null,
  };
  const live = {
    name: "production",
    deploy_access_levels: [level],
    approval_rules: [],
    required_approval_count: 0,
  };
  const collection = (_container: number, { name }: { readonly name: string }) => {
    if (name === "protected environments")
      return { all: async () => new Map([["production", live]]), get: async () => live };
    return { allWithin: async () => members, get: async (id: number) => members.get(id) };
  };
  return {
    api: {},
    collection,
    nameOf: async (kind: string, id: number) => `${kind}-${id}`,
    reasonOf: (problem: unknown) => String(problem),
  } as unknown as AccessScope;
}

const changesOf = (projects: number): AccessChange[] =>
  Array.from({ length: projects }, (_, at) => {
    const project = at + 1;
    const sideOf = (access_level: number) => ({
      container: project,
      declared: {
        name: "production",
        deploy_access_levels: [
          { user: null, group: null, access_level, group_inheritance_type: 0 },
          { user: null, group: { id: 7 }, access_level: null, group_inheritance_type: 0 },
        ],
        approval_rules: [
          { user: null, group: null, access_level, group_inheritance_type: 0, required_approvals: 1 },
        ],
      },
      attributes: { id: `${project}:production`, project: `acme/p-${project}`, name: "production" },
    });
    const address = `steward_protected_environment.p${project}`;
    const definition = protectedEnvironment as AccessChange["definition"];
    return {
      type: "protected_environment",
      definition,
      address,
      before: sideOf(40),
      after: sideOf(30),
      unknown: [],
      configured: new Set(["deploy_access_levels", "approval_rules"]),
      isUnchanged: false,
      isKept: () => false,
    };
  });

async function secondsFor(projects: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run++) {
    const changes = changesOf(projects);
    const start = process.cpuUsage();
    const { places } = await describeAccess(scopeOf(), changes);
    const { user, system } = process.cpuUsage(start);
    if (places.length !== projects) throw new Error(`${places.length} places instead of ${projects}`);
    times.push((user + system) / 1e6);
  }
  return median(times);
}

async function main(): Promise<void> {
  const [few, many] = [await secondsFor(100), await secondsFor(1_000)];
  print({ name: "access report of 1,000 projects, without requests", value: many, unit: "s", atMost: 2 });
  print({ name: "the same, as often as for 100 projects", value: many / few, unit: "times", atMost: 15 });
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
