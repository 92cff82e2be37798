import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { hasErrors } from "../../../src/diagnostics";
import type { NeededRight } from "../../../src/framework";
import type { ValueObject } from "../../../src/schema";
import { runs, seed } from "../../support/capabilities";
import { withNulls } from "../support/host";
import { startWorld } from "../support/world";
import { type Change, requestsOf } from "./support";

// The law: a token with exactly the rights that the report lists applies the plan; without any one of them it does not.

const ROOT = "administrator-token";
const WORKER = "worker-token";
const GROUPS = { acme: 100, "acme/web": 101, lib: 110, open: 120 } as const;
const PROJECTS = { "acme/shop": 1, "acme/web/site": 2, "lib/core": 3, "open/docs": 4 } as const;
const LEVELS = { 10: "guest", 30: "developer", 40: "maintainer", 50: "owner" } as const;

const project = fc.constantFrom(...(Object.keys(PROJECTS) as (keyof typeof PROJECTS)[]));
const group = fc.constantFrom(...(Object.keys(GROUPS) as (keyof typeof GROUPS)[]));
const level = fc.constantFrom(10, 30, 40, 50);
const others = fc.tuple(project, project).filter(([one, other]) => one !== other);

const declare = (type: string, given: ValueObject): Change => ({ type, given });
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: project.map((at) => declare("job_token_scope", { project: at, inbound_enabled: false })),
  },
  {
    weight: 3,
    arbitrary: others.map(([at, to]) =>
      declare("job_token_allowlist_project", { project: at, target_project: to }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(project, group)
      .map(([at, to]) => declare("job_token_allowlist_group", { project: at, target_group: to })),
  },
  {
    weight: 2,
    arbitrary: others.map(([at, to]) =>
      declare("job_token_allowlist", { project: at, target_projects: [to] }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(project, group).map(([at, to]) =>
      declare("protected_environment", {
        project: at,
        name: "staging",
        deploy_access_levels: [{ group: to }],
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: project.map((at) =>
      declare("container_protection_rule", {
        project: at,
        repository_path_pattern: "x",
        minimum_access_level_for_push: "owner",
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(project, level)
      .map(([at, access_level]) =>
        declare("project_invitation", { project: at, email: "new@example.com", access_level }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(group, level)
      .map(([at, access_level]) =>
        declare("group_invitation", { group: at, email: "new@example.com", access_level }),
      ),
  },
  {
    weight: 1,
    arbitrary: project.map((at) => declare("pages_settings", { project: at, force_https: false })),
  },
  // Live objects, changed and destroyed.
  {
    weight: 3,
    arbitrary: project.map((at) => ({
      type: "protected_environment",
      id: `${PROJECTS[at]}:production`,
      given: { project: at, name: "production", deploy_access_levels: [{ access_level: 30 }] },
    })),
  },
  {
    weight: 2,
    arbitrary: project.map((at) => ({
      type: "protected_environment",
      id: `${PROJECTS[at]}:production`,
      given: null,
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(project, fc.boolean()).map(([at, isDestroyed]) => ({
      type: "project_invitation",
      id: `${PROJECTS[at]}:boss@example.com`,
      given: isDestroyed ? null : { project: at, email: "boss@example.com", access_level: 10 },
    })),
  },
  {
    weight: 1,
    arbitrary: project.map((at) => ({ type: "job_token_scope", id: String(PROJECTS[at]), given: null })),
  },
);

/** Where a change is, so that no plan changes one object twice. */
const placeOf = ({ type, given, id }: Change): string =>
  JSON.stringify([
    type.replace(/_(project|group)$/, ""),
    given?.["project"] ?? given?.["group"] ?? id?.split(":")[0],
    id,
  ]);

const plan = fc.uniqueArray(change, { minLength: 1, maxLength: 4, selector: placeOf });

/** A world in which the worker has these rights. */
function fixtureOf(rights: readonly NeededRight[]): FixtureInput {
  const roles = new Map(
    rights.flatMap(({ at, name }) => (at === undefined ? [] : [[at.name, name.toLowerCase()]])),
  );
  const membersOf = (path: string) => {
    const role = roles.get(path);
    return role === undefined ? [] : [{ user: "worker", role: role as "guest" }];
  };
  const isAdmin = rights.some(({ kind, at }) => kind === "role" && at === undefined);
  const scope = rights.find(({ kind }) => kind === "scope")?.name ?? "openid";
  return {
    users: [
      { username: "root", admin: true, token: ROOT },
      {
        username: "worker",
        admin: isAdmin,
        tokens: [{ token: WORKER, name: "worker", scopes: [scope as "api"] }],
      },
    ],
    groups: Object.entries(GROUPS).map(([path, id]) => ({
      path,
      id,
      visibility: path === "open" ? "public" : "private",
      members: membersOf(path),
    })),
    projects: Object.entries(PROJECTS).map(([path, id]) => ({
      path,
      id,
      visibility: path.startsWith("open/") ? "public" : "private",
      members: membersOf(path),
      shared_with: Object.keys(GROUPS).map((name) => ({ group: name, role: "guest" as const })),
      protected_environments: [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
      invitations: [{ email: "boss@example.com", role: LEVELS[50] }],
    })),
  };
}

/** Whether the worker, with these rights, plans and applies all changes. */
async function applies(changes: readonly Change[], rights: readonly NeededRight[]): Promise<boolean> {
  const world = await startWorld(fixtureOf(rights));
  try {
    const run = world.connect(WORKER);
    for (const { type, given, id } of changes) {
      const full = `steward_${type}`;
      const imported = id === undefined ? undefined : await run.importResource({ type: full, id });
      if (imported !== undefined && (hasErrors(imported.diagnostics) || imported.state === undefined))
        return false;
      const prior = imported?.state;
      const config =
        given === null ? undefined : withNulls(world.provider.schema.resources[full]!.attributes, given);
      const planned = config && (await run.planResource({ type: full, prior, config }));
      if (planned !== undefined && hasErrors(planned.diagnostics)) return false;
      const { diagnostics } = await run.applyResource({
        type: full,
        prior,
        planned: planned?.planned,
        config,
      });
      if (hasErrors(diagnostics)) return false;
    }
    return true;
  } finally {
    await world.close();
  }
}

async function holds(changes: readonly Change[]): Promise<void> {
  const opened = await startWorld(fixtureOf([]));
  let rights: readonly NeededRight[];
  try {
    const requests = await requestsOf(opened, changes, ROOT);
    rights = (await opened.connect(ROOT).describeRights!(requests)).rights;
  } finally {
    await opened.close();
  }
  const named = rights.map(({ name, at }) => (at === undefined ? name : `${name} in ${at.name}`));
  expect([named, await applies(changes, rights)]).toEqual([named, true]);
  for (const right of rights) {
    // A token without the scope api reads still, which is harder to tell.
    const instead = right.name === "api" ? [{ ...right, name: "read_api" }] : [];
    const without = [...rights.filter((one) => one !== right), ...instead];
    expect([named, "without", right, await applies(changes, without)]).toEqual([
      named,
      "without",
      right,
      false,
    ]);
  }
}

test("a token with exactly the rights that the report lists applies the plan, and without any one of them it does not", async () => {
  await fc.assert(fc.asyncProperty(plan, holds), { seed, numRuns: runs(10, 300) });
}, 3_600_000);
