import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { unmanagedInAll } from "../../src/engine";
import { containerOf, ENTRIES, type Entries } from "../provider/samples";
import { crowdOfGroups, crowdOfProjects } from "../provider/support/crowd";
import { Stack } from "../provider/support/stack";
import { FIXTURE, GROUP, PROJECT, startWorld, type World } from "../provider/support/world";
import { runs, seed } from "../support/capabilities";

/** An object that may exist in a project or group. The tests declare such an object in code, or create it by hand. */
interface Thing {
  readonly type: string;
  readonly within: "project" | "group";
  /**
   * Returns the key of the object in its project or group. `made` is the response to the request that created the object.
   */
  keyOf(made: unknown): string;
  declare(container: number): object;
  make(world: World, container: number): Promise<unknown>;
}

const thingsOf = (type: string, entries: Entries): Thing[] =>
  [0, 1].map((index) => {
    const within = containerOf(type);
    return {
      type,
      within,
      keyOf: (made) => entries.key(index, (made as { readonly id: number }).id),
      declare: (container) => ({ [within]: String(container), ...entries.config(index) }),
      make({ http }, container) {
        const [path, body] = entries.make(index);
        return http("POST", `/${within}s/${container}/${path}`, body);
      },
    };
  });

// `THINGS` contains only entries of lists, because settings that every project has are never unmanaged.
// test/cli/transcripts/undeclared.transcript covers the other rules of coverage.
const THINGS = ENTRIES.flatMap(([type, entries]) => thingsOf(type, entries));

/** A company with all users, groups and projects that `THINGS` refer to. */
const COMPANY: FixtureInput = {
  ...FIXTURE,
  groups: [...FIXTURE.groups!, ...crowdOfGroups(2)],
  projects: [...FIXTURE.projects!, ...crowdOfProjects(2)],
};

const first = (type: string): Thing => THINGS.find((thing) => thing.type === type)!;
const allowedProject = first("steward_job_token_allowlist_project");
const environment = first("steward_protected_environment");
const rule = first("steward_container_protection_rule");

/** Two places, each with one project and one group. Each thing can exist in both places. */
const PLACES = [
  { project: PROJECT.web, group: GROUP.platform },
  { project: PROJECT.webTwo, group: GROUP.approvers },
];

type Owner = "code" | "hand" | "nobody";
const estate = fc.array(fc.constantFrom<Owner>("code", "hand", "nobody"), {
  minLength: THINGS.length * PLACES.length,
  maxLength: THINGS.length * PLACES.length,
});

/**
 * Returns all things in all places, each with its container and its owner. `owners` contains the owners in the order of the
 * result.
 */
const each = (owners: readonly Owner[]) =>
  PLACES.flatMap((place, row) =>
    THINGS.map((thing, column) => ({
      container: place[thing.within],
      thing,
      owner: owners[row * THINGS.length + column]!,
    })),
  );

/** Declarations that every stack contains. Because of these declarations, coverage searches each project and group. */
const TOUCH = {
  steward_job_token_scope: Object.fromEntries(
    PLACES.map(({ project }) => [`p${project}`, { project: String(project), inbound_enabled: true }]),
  ),
  steward_group_invitation: Object.fromEntries(
    PLACES.map(({ group }) => [
      `g${group}`,
      { group: String(group), email: "touch@example.com", access_level: 30 },
    ]),
  ),
};

describe("drift with coverage", () => {
  test("drift --coverage finds exactly the live objects without a declaration", async () => {
    await fc.assert(
      fc.asyncProperty(estate, async (owners) => {
        const world = await startWorld(COMPANY);
        const resource: Record<string, Record<string, object>> = { ...TOUCH };
        const byHand: string[] = [];
        for (const [index, { container, thing, owner }] of each(owners).entries()) {
          if (owner === "code")
            resource[thing.type] = { ...resource[thing.type], [`n${index}`]: thing.declare(container) };
        }
        const stack = new Stack(world, { resource });
        try {
          expect((await stack.apply()).diagnostics).toEqual([]);
          for (const { container, thing, owner } of each(owners)) {
            if (owner !== "hand") continue;
            const made = await thing.make(world, container);
            byHand.push(`${thing.type} ${container}:${thing.keyOf(made)}`);
          }
          const report = await stack.drift({ coverage: true });
          expect(report.diagnostics).toEqual([]);
          expect(report.drifted).toEqual([]);
          expect(unmanagedInAll(report.scans).map(({ type, id }) => `${type} ${id}`)).toEqual(byHand.sort());
        } finally {
          stack.remove();
          await world.close();
        }
      }),
      { numRuns: runs(2, 100), seed },
    );
  });
});

test("if two stacks declare objects of one project, drift --coverage over both stacks lists none of these objects", async () => {
  const world = await startWorld(COMPANY);
  const one = new Stack(world, {
    resource: { steward_protected_environment: { p: environment.declare(PROJECT.web) } },
  });
  const other = new Stack(world, {
    resource: {
      steward_job_token_allowlist_project: { t: allowedProject.declare(PROJECT.web) },
    },
  });
  try {
    await one.apply();
    await other.apply();
    await rule.make(world, PROJECT.web);
    const looked = [
      ...(await one.drift({ coverage: true })).scans,
      ...(await other.drift({ coverage: true })).scans,
    ];
    expect(unmanagedInAll(looked).map(({ type }) => type)).toEqual([
      "steward_container_protection_rule",
      // Coverage reports this object, because neither stack declares the token limit of the project, and the limit is off.
      "steward_job_token_scope",
    ]);
  } finally {
    one.remove();
    other.remove();
    await world.close();
  }
});
