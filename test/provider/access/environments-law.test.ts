import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { hasErrors } from "../../../src/diagnostics";
import type { AccessReport, AccessRequest, ConfiguredProvider, StoredState } from "../../../src/framework";
import { runs, seed } from "../../support/capabilities";
import { withNulls } from "../support/host";
import { startWorld, type World } from "../support/world";
import { expectBriefPart } from "./brief-report";

// The law: the report and the service agree on who may deploy and approve, before and after an apply of the plan. With
// its own code, the service decides who may deploy and approve.

const USERS = ["ann", "ben", "cleo", "dan", "eve", "fay", "gil", "hal"] as const;
const GROUPS = ["top", "top/mid", "top/mid/low", "other", "other/sub"] as const;
const PROJECTS = ["top/mid/low/app", "top/lib", "other/sub/site"] as const;
const ENVIRONMENTS = ["production", "staging", "review/*"] as const;
/** The name of an environment that neither plans nor fixtures protect. */
const UNPROTECTED = "nobody protects this";
const ROLES = [
  "no_access",
  "minimal",
  "guest",
  "planner",
  "reporter",
  "developer",
  "maintainer",
  "owner",
] as const;
const LEVELS = [5, 10, 20, 30, 40, 50] as const;
const ROOT = "administrator-token";

const user = fc.constantFrom(...USERS);
const group = fc.constantFrom(...GROUPS);
const project = fc.constantFrom(...PROJECTS);
const place = fc.constantFrom(...GROUPS, ...PROJECTS);
const role = fc.constantFrom(...ROLES);
const expires_at = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  fc.constantFrom("2020-01-01", "2999-12-31"),
);

const entry = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(30, 40, 60).map((access_level) => ({ access_level })) },
  user.map((name) => ({ user: name })),
  {
    weight: 2,
    arbitrary: fc
      .tuple(group, fc.constantFrom(0, 1))
      .map(([name, group_inheritance_type]) => ({ group: name, group_inheritance_type })),
  },
);
const subject = (one: object) => JSON.stringify({ ...one, group_inheritance_type: 0, required_approvals: 0 });
const entries = fc.uniqueArray(entry, { maxLength: 4, selector: subject });
const rules = fc.uniqueArray(
  fc
    .tuple(entry, fc.integer({ min: 1, max: 3 }))
    .map(([who, required_approvals]) => ({ ...who, required_approvals })),
  { maxLength: 3, selector: subject },
);
const protection = fc.record({ deploy: entries, approve: fc.option(rules, { nil: undefined }) });

const world = fc.record({
  members: fc.uniqueArray(fc.record({ place, user, role, expires_at }), {
    minLength: 6,
    maxLength: 24,
    selector: ({ place: at, user: who }) => `${at} ${who}`,
  }),
  shares: fc.uniqueArray(fc.record({ place, group, role, expires_at }), {
    maxLength: 8,
    selector: ({ place: at, group: to }) => `${at} ${to}`,
  }),
  blocked: fc.subarray([...USERS], { maxLength: 2 }),
  live: fc.uniqueArray(fc.record({ project, name: fc.constantFrom(...ENVIRONMENTS), is: protection }), {
    maxLength: 5,
    selector: ({ project: at, name }) => `${at} ${name}`,
  }),
  planned: fc.uniqueArray(
    fc.record({ project, name: fc.constantFrom(...ENVIRONMENTS), is: fc.option(protection, { freq: 4 }) }),
    { minLength: 1, maxLength: 4, selector: ({ project: at, name }) => `${at} ${name}` },
  ),
  invited: fc.uniqueArray(fc.record({ place, user, level: fc.constantFrom(...LEVELS) }), {
    maxLength: 2,
    selector: ({ user: who }) => who,
  }),
});
type RandomWorld = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

const isGroup = (path: string): boolean => (GROUPS as readonly string[]).includes(path);

function fixtureOf({ members, shares, blocked }: RandomWorld): FixtureInput {
  const at = (path: string) => ({
    path,
    members: members
      .filter((one) => one.place === path)
      .map(({ user: who, role: is, expires_at: until }) => ({
        user: who,
        role: is,
        ...(until && { expires_at: until }),
      })),
    shared_with: shares
      .filter((one) => one.place === path && one.group !== path)
      .map(({ group: to, role: is, expires_at: until }) => ({
        group: to,
        role: is,
        ...(until && { expires_at: until }),
      })),
  });
  return {
    users: [
      { username: "root", admin: true, token: ROOT },
      ...USERS.map((username) => ({
        username,
        ...(blocked.includes(username) && { state: "blocked" as const }),
      })),
    ],
    groups: GROUPS.map(at),
    projects: PROJECTS.map(at),
  };
}

/**
 * Returns the elements that the service accepts: users with at least Guest access to the project, and groups that the
 * project is shared with.
 */
type Accepted = <T extends object>(elements: readonly T[]) => Promise<T[]>;

async function acceptedIn({ http }: World, path: string): Promise<Accepted> {
  const id = encodeURIComponent(path);
  const read = (target: string) =>
    http("GET", target, undefined, ROOT) as Promise<{ username: string; access_level: number }[]>;
  const shared = async (target: string): Promise<string[]> => {
    const record = (await http("GET", target, undefined, ROOT)) as {
      shared_with_groups: { group_full_path: string }[];
    };
    return record.shared_with_groups.map(({ group_full_path }) => group_full_path);
  };
  const members = (await read(`/projects/${id}/members/all`)).filter(
    ({ access_level }) => access_level >= 10,
  );
  const above = GROUPS.filter((name) => path.startsWith(`${name}/`)).map(
    (name) => `/groups/${encodeURIComponent(name)}`,
  );
  const groups = (await Promise.all([`/projects/${id}`, ...above].map(shared))).flat();
  return async (elements) =>
    elements.filter((element) => {
      const { user: who, group: to } = element as { user?: string; group?: string };
      if (who !== undefined) return members.some(({ username }) => username === who);
      return to === undefined || groups.includes(to);
    });
}

/** The rights of each user, by `project environment user`. */
type Access = ReadonlyMap<string, { readonly can_deploy: boolean; readonly can_approve: boolean }>;

async function accessIn({ service }: World, projects: readonly string[]): Promise<Access> {
  const ask = async (url: string) =>
    (await (await fetch(`${service.url}${url}`, { headers: { "private-token": ROOT } })).json()) as never;
  const users = new Map<string, number>();
  for (const { id, username } of (await ask("/api/v4/users?per_page=100")) as {
    id: number;
    username: string;
  }[])
    users.set(username, id);
  const access = new Map<string, { can_deploy: boolean; can_approve: boolean }>();
  for (const at of projects)
    for (const name of [...ENVIRONMENTS, UNPROTECTED])
      await Promise.all(
        USERS.map(async (who) => {
          const url = `/_steward/projects/${encodeURIComponent(at)}/environments/${encodeURIComponent(name)}/access`;
          access.set(`${at} ${name} ${who}`, await ask(`${url}?user_id=${users.get(who)}`));
        }),
      );
  return access;
}

const TYPE = "steward_protected_environment";

/** Plans changes in one run. Changes that the provider refuses are left out, as in an engine. */
async function planChanges(
  run: ConfiguredProvider,
  provider: World["provider"],
  one: RandomWorld,
  accepted: ReadonlyMap<string, Accepted>,
) {
  const requests: AccessRequest[] = [];
  const add = async (type: string, address: string, prior: StoredState | undefined, given: object | null) => {
    if (given === null) {
      requests.push({ type, address, prior, planned: undefined, config: undefined });
      return;
    }
    const config = withNulls(provider.schema.resources[type]!.attributes, given as never);
    const { planned, diagnostics } = await run.planResource({
      type,
      address,
      prior,
      config,
      existing: "tell",
    });
    if (planned !== undefined && !hasErrors(diagnostics))
      requests.push({ type, address, prior, planned, config });
  };
  for (const { project: at, name, is } of one.planned) {
    const isLive = one.live.some(
      (live) => live.project === at && live.name === name && accepted.has(`${at} ${name}`),
    );
    const prior = isLive ? (await run.importResource({ type: TYPE, id: `${at}:${name}` })).state : undefined;
    const deploy = is === null ? [] : await accepted.get(at)!(is.deploy);
    if (is !== null && deploy.length === 0) continue;
    if (is === null && prior === undefined) continue;
    const approve = is?.approve && (await accepted.get(at)!(is.approve));
    const given = is && {
      project: at,
      name,
      deploy_access_levels: deploy,
      ...(approve && { approval_rules: approve }),
    };
    await add(TYPE, `${at}:${name}`, prior, given);
  }
  for (const { place: at, user: who, level } of one.invited) {
    const kind = isGroup(at) ? "group" : "project";
    await add(`steward_${kind}_invitation`, `${at}:${who}`, undefined, {
      [kind]: at,
      user: who,
      access_level: level,
    });
  }
  return requests;
}

async function holds(one: RandomWorld): Promise<void> {
  const opened = await startWorld(fixtureOf(one));
  try {
    const accepted = new Map<string, Accepted>();
    for (const at of PROJECTS) accepted.set(at, await acceptedIn(opened, at));
    for (const { project: at, name, is } of one.live) {
      const elements = async (all: readonly object[]) =>
        Promise.all((await accepted.get(at)!(all)).map((element) => withIds(opened, element)));
      const deploy_access_levels = await elements(is.deploy);
      if (deploy_access_levels.length === 0) continue;
      const approval_rules = await elements(is.approve ?? []);
      await opened.http(
        "POST",
        `/projects/${encodeURIComponent(at)}/protected_environments`,
        { name, deploy_access_levels, approval_rules },
        ROOT,
      );
      accepted.set(`${at} ${name}`, accepted.get(at)!);
    }
    const planning = opened.connect(ROOT);
    const requests = await planChanges(planning, opened.provider, one, accepted);
    // If a group gets new members, the report covers only projects in the plan, and says so. So only these projects are
    // compared.
    const covered = PROJECTS.filter((at) => requests.some(({ address }) => address.startsWith(`${at}:`)));
    const before = await accessIn(opened, covered);
    const report = await opened.connect(ROOT).describeAccess!(requests);
    const containers = new Set(requests.map(({ address }) => address.split(":")[0])).size;
    await expectBriefPart(opened, planning, requests, report, containers);
    const whole = await opened.connect(ROOT).describeAccess!(requests, { isWhole: true });
    const run = opened.connect(ROOT);
    for (const { type, prior, planned, config } of requests) {
      const { diagnostics } = await run.applyResource({ type, prior, planned, config });
      // Ignores a plan if one of its changes cannot be applied.
      fc.pre(!hasErrors(diagnostics));
    }
    const after = await accessIn(opened, covered);
    expect([report.notCounted, whole.notCounted]).toEqual([[], []]);
    for (const at of covered)
      for (const name of [...ENVIRONMENTS, UNPROTECTED]) {
        const isProtected = accepted.has(`${at} ${name}`);
        const placeIn = ({ places }: AccessReport) => {
          const here = places.filter(({ container }) => container.name === at);
          return (
            here.find(({ target }) => target?.kind === "environment" && target.name === name) ??
            (isProtected ? undefined : here.find(({ target }) => target?.kind === "environments"))
          );
        };
        const [found, always] = [placeIn(report), placeIn(whole)];
        expect([found?.notCounted ?? [], always?.notCounted ?? []]).toEqual([[], []]);
        // Each change has a place in the whole report, even if the change has no effect.
        if (found !== undefined || isPlanned(requests, at, name)) expect(always).toBeDefined();
        for (const ability of ["deploy", "approve"] as const) {
          const can = (side: Access) =>
            USERS.filter((who) => side.get(`${at} ${name} ${who}`)![`can_${ability}`]);
          const told = found?.abilities.find((one) => one.name === ability);
          const toldAlways = always?.abilities.find((one) => one.name === ability);
          const names = (holders: readonly { name: string }[] = []) => holders.map((holder) => holder.name);
          const where = `${at} ${name} ${ability}`;
          expect(toldAlways !== undefined).toBe(always !== undefined);
          for (const one of [told, toldAlways]) {
            if (one === undefined) continue;
            expect([where, names(one.before)]).toEqual([where, can(before)]);
            expect([where, names(one.after)]).toEqual([where, can(after)]);
          }
          const gains = can(after).filter((who) => !can(before).includes(who));
          const loses = can(before).filter((who) => !can(after).includes(who));
          expect([where, names(told?.gains), names(told?.loses)]).toEqual([where, gains, loses]);
        }
      }
  } finally {
    await opened.close();
  }
}

/** Returns true if the plan contains the environment, changed or not. */
const isPlanned = (requests: readonly AccessRequest[], project: string, name: string): boolean =>
  requests.some(({ address }) => address === `${project}:${name}`);

async function withIds({ http }: World, element: object): Promise<object> {
  const { user: who, group: to, ...rest } = element as { user?: string; group?: string };
  if (who !== undefined) {
    const [found] = (await http("GET", `/users?username=${who}`, undefined, ROOT)) as { id: number }[];
    return { ...rest, user_id: found!.id };
  }
  if (to === undefined) return rest;
  const { id } = (await http("GET", `/groups/${encodeURIComponent(to)}`, undefined, ROOT)) as { id: number };
  return { ...rest, group_id: id };
}

test("the access report contains all people who can deploy or approve on the service, and no other people", async () => {
  await fc.assert(fc.asyncProperty(world, holds), { seed, numRuns: runs(6, 1000) });
}, 3_600_000);
