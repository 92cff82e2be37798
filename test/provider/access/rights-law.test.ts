import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { hasErrors } from "../../../src/diagnostics";
import type { NeededRight } from "../../../src/framework";
import { runs, seed } from "../../support/capabilities";
import { withNulls } from "../support/host";
import { startWorld } from "../support/world";
import { GROUPS, PROJECTS, plan } from "./random-plans";
import { type Change, requestsOf } from "./support";

// The law: a token with exactly the rights that the report lists can apply the plan. A token that lacks one of these
// rights cannot apply the plan.

const ROOT = "administrator-token";
const WORKER = "worker-token";
/** Returns a fixture in which the user `worker` has exactly these rights. */
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
      invitations: [{ email: "boss@example.com", role: "owner" as const }],
    })),
  };
}

/** Returns true if `worker` can plan and apply all changes with these rights. */
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
    // Replaces the scope `api` by `read_api`. Without any scope, the token could not even read, and the test would
    // prove less.
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

test("a token can apply a plan if, and only if, the token has all rights that the plan lists", async () => {
  await fc.assert(fc.asyncProperty(plan, holds), { seed, numRuns: runs(5, 300) });
}, 3_600_000);
