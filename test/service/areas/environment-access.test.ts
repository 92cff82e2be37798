import { type FixtureInput, type Service, startService } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
afterEach(() => service.close());

const start = async (fixture: FixtureInput): Promise<void> => {
  service = await startService({ fixture });
  send = client(service);
};

/** Asks as the administrator, below the API's prefix or beside it. */
const ask = async (address: string, token = service.adminToken) => {
  const response = await fetch(`${service.url}${address}`, { headers: { "private-token": token } });
  return { status: response.status, body: (await response.json()) as unknown };
};
const accessOf = (project: number | string, name: string, userId: unknown, token?: string) =>
  ask(
    `/_steward/projects/${project}/environments/${encodeURIComponent(name)}/access?user_id=${userId}`,
    token,
  );

describe("settled: who can deploy and approve", () => {
  test("Developers and above deploy to an unprotected environment, which has no approvals", async () => {
    await start(company());
    const deployers: number[] = [];
    for (const id of [11, 12, 13, 14, 15, 16, 21, 23, 24]) {
      const { body } = await accessOf("acme%2Fweb", "review/feature", id);
      expect(body).toMatchObject({ can_approve: false });
      if ((body as { can_deploy: boolean }).can_deploy) deployers.push(id);
    }
    // Developer, Maintainer, Owner, and the group that the project is shared with.
    expect(deployers).toEqual([14, 15, 16, 23]);
  });

  test("a protected environment admits users by level, by user of any level, and by group", async () => {
    await start(company());
    const deploy_access_levels = [{ access_level: 40 }, { user_id: 11 }];
    const approval_rules = [{ group_id: 102 }, { access_level: 60 }];
    const json = { name: "production", deploy_access_levels, approval_rules };
    expect((await send("POST", "/projects/1/protected_environments", { json })).status).toBe(201);
    const found = async (id: number) => (await accessOf(1, "production", id)).body;
    expect(await found(11)).toEqual({ can_deploy: true, can_approve: false });
    expect(await found(14)).toEqual({ can_deploy: false, can_approve: false });
    expect(await found(15)).toEqual({ can_deploy: true, can_approve: false });
    expect(await found(23)).toEqual({ can_deploy: false, can_approve: true });
    const { id: root } = (await send("GET", "/user")).body as { id: number };
    expect(await found(root)).toEqual({ can_deploy: true, can_approve: true });
    expect((await send("DELETE", "/projects/1/protected_environments/production")).status).toBe(204);
    expect(await found(14)).toEqual({ can_deploy: true, can_approve: false });
  });

  test("a blocked user can neither deploy nor approve", async () => {
    const fixture = company();
    fixture.groups![0]!.members!.push({ user: "blocked", role: "owner" });
    await start(fixture);
    expect((await accessOf(1, "production", 24)).body).toEqual({ can_deploy: false, can_approve: false });
  });

  test("400 without a user, 404 for one that is not there, 403 below Maintainer", async () => {
    await start(company());
    expect(await ask("/_steward/projects/1/environments/production/access")).toEqual({
      status: 400,
      body: { error: "user_id is missing" },
    });
    expect((await accessOf(1, "production", "ann")).status).toBe(400);
    expect(await accessOf(1, "production", 999)).toEqual({
      status: 404,
      body: { message: "404 User Not Found" },
    });
    expect((await accessOf(99, "production", 11)).status).toBe(404);
    expect((await accessOf(1, "production", 11, tokenOf("developer"))).status).toBe(403);
    expect((await accessOf(1, "production", 11, tokenOf("maintainer"))).status).toBe(200);
  });
});

// A model of its own: plain lists and loops over what a world declares.

const USERS = ["ann", "ben", "cleo", "dan", "eve"] as const;
const ROLES = {
  0: "no_access",
  5: "minimal",
  10: "guest",
  20: "reporter",
  30: "developer",
  40: "maintainer",
  50: "owner",
} as const;
const LEVELS = [0, 5, 10, 20, 30, 40, 50] as const;
const GROUPS = ["top", "top/sub", "top/sub/deep", "other", "other/in"] as const;
const PROJECTS = ["top/sub/app", "other/site"] as const;
const PLACES = [...GROUPS, ...PROJECTS];
const PAST = "2020-01-01";
const expires_at = fc.option(fc.constantFrom(PAST, "2999-01-01"), { nil: undefined, freq: 3 });

const memberships = fc.uniqueArray(
  fc.record({
    place: fc.constantFrom(...PLACES),
    user: fc.constantFrom(...USERS),
    level: fc.constantFrom(...LEVELS),
    expires_at,
    /** Taken away after the environments were protected. */
    leaves: fc.boolean(),
  }),
  { minLength: 4, maxLength: 16, selector: ({ place, user }) => `${place} ${user}` },
);
const shares = fc.uniqueArray(
  fc.record({
    place: fc.constantFrom(...PLACES),
    group: fc.constantFrom(...GROUPS),
    level: fc.constantFrom(...LEVELS),
    expires_at,
  }),
  { maxLength: 6, selector: ({ place, group }) => `${place} ${group}` },
);
const entry = fc.oneof(
  fc.record({ access_level: fc.constantFrom(30, 40, 60) }),
  fc.record({ user: fc.constantFrom(...USERS) }),
  fc.record({ group: fc.constantFrom(...GROUPS), group_inheritance_type: fc.constantFrom(0, 1) }),
);
const world = fc.record({
  memberships,
  shares: shares.map((all) => all.filter(({ place, group }) => place !== group)),
  administrator: fc.option(fc.constantFrom(...USERS), { nil: undefined, freq: 2 }),
  deploy: fc.array(entry, { minLength: 1, maxLength: 4 }),
  approve: fc.array(entry, { maxLength: 3 }),
});
type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;
type Entry = World["deploy"][number];

const above = (path: string): string[] =>
  path.split("/").map((_, index, parts) => parts.slice(0, parts.length - index).join("/"));

/** The levels that a user has by the memberships of one place. */
const heldAt = (one: World, place: string, user: string): number[] =>
  one.memberships
    .filter((each) => each.place === place && each.user === user && each.expires_at !== PAST)
    .map(({ level }) => level);

function roleIn(one: World, project: string, user: string): number {
  let highest = 0;
  // The project, then each group above it.
  for (const place of above(project)) {
    for (const level of heldAt(one, place, user)) highest = Math.max(highest, level);
    for (const share of one.shares) {
      if (share.place !== place || share.expires_at === PAST) continue;
      for (const group of above(share.group)) {
        for (const level of heldAt(one, group, user))
          highest = Math.max(highest, Math.min(level, share.level));
      }
    }
  }
  return highest;
}

const isShared = (one: World, project: string, group: string): boolean =>
  one.shares.some(
    (share) => share.group === group && share.expires_at !== PAST && above(project).includes(share.place),
  );

/** What the service takes when an environment is protected. */
const isTaken = (one: World, project: string, element: Entry): boolean => {
  if ("user" in element) return roleIn(one, project, element.user) >= 10;
  return "group" in element ? isShared(one, project, element.group) : true;
};

function isNamed(one: World, project: string, element: Entry, user: string): boolean {
  const role = roleIn(one, project, user);
  if ("access_level" in element) {
    return one.administrator === user || (element.access_level < 60 && role >= element.access_level);
  }
  if (role === 0) return false;
  if ("user" in element) return element.user === user;
  const groups = element.group_inheritance_type === 0 ? [element.group] : above(element.group);
  return groups.some((group) => heldAt(one, group, user).some((level) => level > 0));
}

function fixtureOf(one: World): FixtureInput {
  const of = (path: string) => ({
    path,
    members: one.memberships
      .filter(({ place }) => place === path)
      .map(({ user, level, expires_at: end }) => ({
        user,
        role: ROLES[level],
        ...(end && { expires_at: end }),
      })),
    shared_with: one.shares
      .filter(({ place }) => place === path)
      .map(({ group, level, expires_at: end }) => ({
        group,
        role: ROLES[level],
        ...(end && { expires_at: end }),
      })),
  });
  return {
    users: USERS.map((username, index) => ({
      username,
      id: 11 + index,
      admin: username === one.administrator,
    })),
    groups: GROUPS.map((path, index) => ({ ...of(path), id: 100 + index })),
    projects: PROJECTS.map((path, index) => {
      const deploy = one.deploy.filter((element) => isTaken(one, path, element));
      return {
        ...of(path),
        id: 1 + index,
        protected_environments:
          deploy.length === 0
            ? []
            : [
                {
                  name: "production",
                  deploy_access_levels: deploy,
                  approval_rules: one.approve.filter((element) => isTaken(one, path, element)),
                },
              ],
      };
    }),
  };
}

test("in random worlds of memberships and shares the service agrees with an independent model", async () => {
  let protectedOnes = 0;
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      await start(fixtureOf(one));
      try {
        for (const { place, user, leaves, expires_at: end } of one.memberships) {
          if (!leaves || end === PAST) continue;
          const kind = (PROJECTS as readonly string[]).includes(place) ? "projects" : "groups";
          const path = `/${kind}/${encodeURIComponent(place)}/members/${11 + USERS.indexOf(user)}`;
          expect((await send("DELETE", path)).status).toBe(204);
        }
        const after = { ...one, memberships: one.memberships.filter(({ leaves }) => !leaves) };
        for (const [index, project] of PROJECTS.entries()) {
          const named = (list: readonly Entry[], user: string) =>
            list.some((element) => isTaken(one, project, element) && isNamed(after, project, element, user));
          const isProtected = one.deploy.some((element) => isTaken(one, project, element));
          if (isProtected) protectedOnes += 1;
          for (const [position, user] of USERS.entries()) {
            const developer = one.administrator === user || roleIn(after, project, user) >= 30;
            expect({
              project,
              user,
              ...((await accessOf(index + 1, "production", 11 + position)).body as object),
            }).toEqual({
              project,
              user,
              can_deploy: isProtected ? named(one.deploy, user) : developer,
              can_approve: isProtected && named(one.approve, user),
            });
          }
        }
      } finally {
        await service.close();
      }
    }),
    // A smaller world would take minutes to find, with a service each.
    { seed, numRuns: runs(40, 1_000), endOnFailure: true },
  );
  expect(protectedOnes).toBeGreaterThan(20);
});
