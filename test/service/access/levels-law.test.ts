import { type FixtureInput, type Service, startService } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { client } from "../client";
import { tokenOf } from "../company";

// The law: a call of a user without administrator rights never raises the user's own level in any place. A call never
// changes people above the level of its user. No object is more visible than its group.

const USERS = ["ann", "ben", "cleo", "dan"] as const;
const LEVELS = [10, 30, 40, 50] as const;
const ROLES = { 10: "guest", 30: "developer", 40: "maintainer", 50: "owner" } as const;
const VISIBILITIES = ["private", "internal", "public"] as const;
type Visibility = (typeof VISIBILITIES)[number];

/** The groups by path, each with its parent group. */
const GROUPS = { top: undefined, "top/sub": "top", other: undefined, lent: undefined } as const;
type GroupPath = keyof typeof GROUPS;
const GROUP_PATHS = Object.keys(GROUPS) as GroupPath[];
const PROJECTS = ["top/one", "top/sub/two", "other/three"] as const;
const PLACES = [...GROUP_PATHS.map((path) => `/groups/${encodeURIComponent(path)}`)].concat(
  PROJECTS.map((path) => `/projects/${encodeURIComponent(path)}`),
);

const level = fc.constantFrom(...LEVELS);
const user = fc.nat(USERS.length - 1);
const group = fc.constantFrom(...GROUP_PATHS);
const visibility = fc.constantFrom(...VISIBILITIES);

/** Generates the members, shares and invitations of each place. */
const world = fc.record({
  members: fc.uniqueArray(fc.record({ place: fc.constantFrom(...GROUP_PATHS, ...PROJECTS), user, level }), {
    minLength: 3,
    maxLength: 12,
    selector: ({ place, user: who }) => `${place} ${who}`,
  }),
  shares: fc.uniqueArray(fc.record({ place: fc.constantFrom(...GROUP_PATHS, ...PROJECTS), group, level }), {
    maxLength: 5,
    selector: ({ place, group: to }) => `${place} ${to}`,
  }),
  invitations: fc.uniqueArray(fc.record({ place: fc.constantFrom(...GROUP_PATHS, ...PROJECTS), level }), {
    maxLength: 4,
    selector: ({ place }) => place,
  }),
  visibility: fc.record({ top: visibility, other: visibility }),
  // The Owners of `lent` come only from a share, and `lent` is itself shared with another place. Few random worlds have
  // this case, so it is generated here.
  lending: fc.option(fc.record({ place: fc.constantFrom("top", "other/three"), level }), { freq: 2 }),
});
type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

function fixtureOf(one: World): FixtureInput {
  const { invitations, visibility: seen, lending } = one;
  const members = lending
    ? [
        ...one.members.filter(({ place: at }) => at !== "top/sub"),
        { place: "top/sub", user: 1, level: 50 as const },
      ]
    : one.members;
  const shares = lending
    ? [
        ...one.shares.filter(({ place: at, group: to }) => at !== "lent" && to !== "lent"),
        { place: "lent", group: "top/sub" as const, level: 50 as const },
        { ...lending, group: "lent" as const },
      ]
    : one.shares;
  const of = (path: string) => ({
    path,
    members: members
      .filter(({ place }) => place === path)
      .map((held) => ({ user: USERS[held.user]!, role: ROLES[held.level] })),
    shared_with: shares
      .filter(({ place, group: to }) => place === path && to !== path)
      .map((held) => ({ group: held.group, role: ROLES[held.level] })),
    invitations: invitations
      .filter(({ place }) => place === path)
      .map((held) => ({ email: "pending@example.org", role: ROLES[held.level] })),
  });
  return {
    users: USERS.map((username, index) => ({ username, id: 11 + index, token: tokenOf(username) })),
    groups: GROUP_PATHS.map((path, index) => ({
      ...of(path),
      id: 100 + index,
      visibility: path === "top" || path === "other" ? seen[path] : "private",
    })),
    projects: PROJECTS.map((path, index) => ({ ...of(path), id: 1 + index })),
  };
}

const place = fc.constantFrom(...PLACES);
const request = (method: string, path: fc.Arbitrary<string>, json?: fc.Arbitrary<object>) =>
  fc.record({ method: fc.constant(method), path, json: json ?? fc.constant(undefined) });
const userId = user.map((index) => 11 + index);
const groupId = group.map((path) => 100 + GROUP_PATHS.indexOf(path));
const invitationOf = place.map((one) => `${one}/invitations/pending%40example.org`);
const project = fc.constantFrom(...PLACES.filter((one) => one.startsWith("/projects")));

const requests = fc.oneof(
  request(
    "POST",
    place.map((one) => `${one}/members`),
    fc.record({ user_id: userId, access_level: level }),
  ),
  request(
    "DELETE",
    fc.tuple(place, userId).map(([one, id]) => `${one}/members/${id}`),
  ),
  request(
    "POST",
    place.map((one) => `${one}/invitations`),
    fc.record({ user_id: userId, access_level: level }),
  ),
  request(
    "POST",
    place.map((one) => `${one}/invitations`),
    fc.record({ email: fc.constantFrom("pending@example.org", "ben@example.com"), access_level: level }),
  ),
  request("PUT", invitationOf, fc.record({ access_level: level }, { requiredKeys: [] })),
  request("DELETE", invitationOf),
  request(
    "POST",
    project.map((one) => `${one}/share`),
    fc.record({ group_id: groupId, group_access: level }),
  ),
  request(
    "PUT",
    project,
    fc.record({ visibility, path: fc.constant(undefined) }, { requiredKeys: ["visibility"] }),
  ),
  request(
    "POST",
    fc.constant("/projects"),
    fc.record({ path: fc.constantFrom("new", "newer"), namespace_id: groupId, visibility }),
  ),
  request(
    "POST",
    fc.constant("/groups"),
    fc.record({ name: fc.constant("N"), path: fc.constantFrom("n", "m"), parent_id: groupId, visibility }),
  ),
  request("DELETE", place),
  request(
    "POST",
    fc.constant("/users/14/personal_access_tokens"),
    fc.constant({ name: "x", scopes: ["api"] }),
  ),
  request("POST", fc.constant("/_steward/invitations/1/accept")),
  request(
    "PUT",
    fc.constant("/application/settings"),
    fc.constant({ enable_member_promotion_management: false }),
  ),
);
const lendingRequests = fc.oneof(
  request("POST", fc.constant("/groups/lent/members"), fc.record({ user_id: userId, access_level: level })),
  request(
    "DELETE",
    userId.map((id) => `/groups/lent/members/${id}`),
  ),
  request("DELETE", fc.constant("/groups/lent")),
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ caller: user, request: requests }) },
  { weight: 1, arbitrary: fc.record({ caller: fc.constant(1), request: lendingRequests }) },
);

type Levels = ReadonlyMap<string, ReadonlyMap<number, number>>;

/**
 * Returns each user's level in each place, and the pending invitations, as an administrator sees them. Deleted places
 * are missing.
 */
async function look(send: ReturnType<typeof client>) {
  const levels = new Map<string, Map<number, number>>();
  const invited = new Map<string, number>();
  for (const one of PLACES) {
    const members = await send("GET", `${one}/members/all?per_page=100`);
    if (members.status === 404) continue;
    const held = (members.body as { id: number; access_level: number }[]).map(
      (member) => [member.id, member.access_level] as const,
    );
    levels.set(one, new Map(held));
    const [pending] = (await send("GET", `${one}/invitations?query=pending%40example.org`)).body as {
      access_level: number;
    }[];
    if (pending) invited.set(one, pending.access_level);
  }
  return { levels: levels as Levels, invited };
}

async function visibilities(send: ReturnType<typeof client>): Promise<void> {
  const groups = (await send("GET", "/groups?per_page=100")).body as {
    id: number;
    parent_id: number | null;
    visibility: Visibility;
  }[];
  const width = new Map(groups.map(({ id, visibility: word }) => [id, VISIBILITIES.indexOf(word)]));
  for (const { id, parent_id } of groups) {
    if (parent_id !== null) expect(width.get(id)!).toBeLessThanOrEqual(width.get(parent_id)!);
  }
  const projects = (await send("GET", "/projects?per_page=100")).body as {
    visibility: Visibility;
    namespace: { id: number; kind: string };
  }[];
  for (const { namespace, visibility: word } of projects) {
    if (namespace.kind === "group") {
      expect(VISIBILITIES.indexOf(word)).toBeLessThanOrEqual(width.get(namespace.id)!);
    }
  }
}

/** Returns how a call broke the law. Returns undefined if the call broke no law. */
function breach(
  callerId: number,
  before: Awaited<ReturnType<typeof look>>,
  after: Awaited<ReturnType<typeof look>>,
): string | undefined {
  for (const [one, held] of before.levels) {
    const now = after.levels.get(one);
    const own = held.get(callerId) ?? 0;
    if (now === undefined) {
      if (own < 50) return `${one} was deleted from level ${own}`;
      continue;
    }
    if ((now.get(callerId) ?? 0) > own) return `the own level in ${one} rose from ${own}`;
    for (const [id, level_] of held) {
      if (level_ > own && now.get(id) !== level_) return `user ${id} had ${level_} in ${one}, above ${own}`;
    }
    for (const [id, level_] of now) {
      if (level_ > own && level_ > (held.get(id) ?? 0))
        return `user ${id} was given ${level_} in ${one}, above ${own}`;
    }
    const pending = before.invited.get(one);
    if (pending !== undefined && pending > own && after.invited.get(one) !== pending) {
      return `an invitation of level ${pending} in ${one} was changed from level ${own}`;
    }
    if ((after.invited.get(one) ?? 0) > Math.max(own, pending ?? 0))
      return `an invitation above ${own} in ${one}`;
  }
  return undefined;
}

const WORLDS = runs(10, 4_000);
const STEPS = 10;

test(
  `in ${WORLDS} random companies, no caller raises their own level or changes a person of a higher level`,
  async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(world, fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (one, steps) => {
        const service: Service = await startService({ fixture: fixtureOf(one) });
        try {
          const send = client(service);
          let before = await look(send);
          for (const { caller, request: asked } of steps) {
            const { status } = await send(asked.method, asked.path, {
              token: tokenOf(USERS[caller]!),
              ...(asked.json !== undefined && { json: asked.json }),
            });
            expect(status).toBeLessThan(500);
            if (status >= 300) continue;
            accepted += 1;
            const after = await look(send);
            expect({ asked, caller, breach: breach(11 + caller, before, after) }).toMatchObject({
              breach: undefined,
            });
            before = after;
          }
          await visibilities(send);
        } finally {
          await service.close();
        }
      }),
      { seed, numRuns: WORLDS, endOnFailure: false },
    );
    // The law would prove nothing if the service refused most calls.
    expect(accepted).toBeGreaterThan(WORLDS / 2);
  },
  runs(120_000, 1_800_000),
);
