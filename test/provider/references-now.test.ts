import { changing, codes, environment, protectedOf, usePaths } from "./support/paths";
import type { Stack } from "./support/stack";
import { GROUP, PROJECT, USER } from "./support/world";

// Attributes contain paths and names. The provider compares the present ids of these paths and names with the ids of
// the last apply.

const { world, admin, declare, applied, writes, takePath, takeName } = usePaths();

describe("entries of an allowlist", () => {
  const allowlist = (...target_projects: readonly string[]) => ({
    steward_job_token_allowlist: { a: { project: "acme/web", target_projects } },
  });
  const live = async () =>
    (
      (await world().http("GET", `/projects/${PROJECT.web}/job_token_scope/allowlist`)) as { id: number }[]
    ).map(({ id }) => id);

  test.each(["allowlist", "entry"])(
    "if a new project takes the path of a deleted project, no apply gives the new project access: %s",
    async (form) => {
      const declared =
        form === "allowlist"
          ? allowlist("acme/tools", "acme/docs")
          : {
              steward_job_token_allowlist_project: {
                a: { project: "acme/web", target_project: "acme/tools" },
              },
            };
      const stack = await applied(declared);
      await admin("DELETE", `/projects/${PROJECT.tools}`);
      const made = (await world().http("POST", "/projects", { path: "tools", namespace_id: GROUP.acme })) as {
        id: number;
      };
      for (const _ of [1, 2]) {
        const plan = await stack.plan();
        expect(codes(plan).filter((one) => one.startsWith("error"))).toEqual([
          form === "allowlist"
            ? 'error reference_taken target_projects["acme/tools"]'
            : "error reference_taken target_project",
        ]);
        expect(changing(plan)).toEqual({});
        expect((await stack.drift()).drifted).toEqual([]);
        world().service.requests.reset();
        await stack.apply();
        expect(writes()).toEqual([]);
      }
      expect(await live()).not.toContain(made.id);
    },
  );

  test("if a project was renamed and its allowlist entry was removed manually, a repair allows the renamed project again", async () => {
    const stack = await applied(allowlist("acme/tools", "acme/docs"));
    await world().http("PUT", `/projects/${PROJECT.tools}`, { path: "instruments" });
    await world().http("DELETE", `/projects/${PROJECT.web}/job_token_scope/allowlist/${PROJECT.tools}`);
    const drift = await stack.drift();
    expect(drift.drifted.map(({ change }) => change.address)).toEqual(["steward_job_token_allowlist.a"]);
    await stack.repair();
    expect(await live()).toContain(PROJECT.tools);
  });

  test("if another project took the path of a removed entry, drift plans no repair that gives this project access", async () => {
    const stack = await applied(allowlist("acme/tools", "acme/docs"));
    await world().http("DELETE", `/projects/${PROJECT.web}/job_token_scope/allowlist/${PROJECT.tools}`);
    const other = await takePath();
    const { drifted } = await stack.drift();
    expect(drifted).toEqual([]);
    expect(await live()).not.toContain(other);
  });
});

describe("people and groups in access levels", () => {
  const levels = [{ user: "devon" }, { group: "acme/approvers" }];

  test("if a user was renamed, the plan has no change and one warning with the new name", async () => {
    const stack = await applied(protectedOf(environment("acme/web", "production", levels)));
    await admin("PUT", `/users/${USER.devon}`, { username: "devona" });
    const plan = await stack.plan();
    expect(changing(plan)).toEqual({});
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", code: "reference_moved" }]);
    expect(plan.diagnostics[0]!.detail).toContain('was renamed to "devona"');
    await world().http("DELETE", `/projects/${PROJECT.web}/protected_environments/production`);
    await stack.repair();
    expect(
      await world().http("GET", `/projects/${PROJECT.web}/protected_environments/production`),
    ).toMatchObject({
      deploy_access_levels: expect.arrayContaining([expect.objectContaining({ user_id: USER.devon })]),
    });
  });

  test.each([
    ["as it is live", async () => undefined],
    ["vanished", () => world().http("DELETE", `/projects/${PROJECT.web}/protected_environments/production`)],
  ])(
    "if another user took a declared username, no apply gives this user rights (the environment: %s)",
    async (_, change) => {
      const stack = await applied(protectedOf(environment("acme/web", "production", levels)));
      const stranger = await takeName();
      await change();
      for (const _ of [1, 2]) {
        const plan = await stack.plan();
        expect(plan.diagnostics).toMatchObject([{ severity: "error", code: "reference_taken" }]);
        expect(plan.diagnostics[0]!.detail).toContain(`Now this username belongs to user ${stranger}`);
        expect(codes(await stack.drift())).toEqual(codes(plan));
        world().service.requests.reset();
        await stack.apply();
        expect(writes()).toEqual([]);
      }
    },
  );

  test("if a new user took the name of a deleted user, the plan is refused", async () => {
    const stack = await applied(protectedOf(environment("acme/web", "production", levels)));
    await admin("DELETE", `/users/${USER.devon}`);
    const made = (await admin("POST", "/users", {
      username: "devon",
      name: "Stranger",
      email: "s@example.com",
    })) as { id: number };
    await world().http("POST", `/projects/${PROJECT.web}/members`, { user_id: made.id, access_level: 30 });
    expect((await stack.plan()).diagnostics).toMatchObject([{ severity: "error", code: "reference_taken" }]);
    expect((await stack.drift()).drifted).toEqual([]);
  });

  test("if another user took a declared username, a new declaration of this username gives access to the new user", async () => {
    const stack = await applied(protectedOf(environment("acme/web", "production", levels)));
    const stranger = await takeName();
    declare(
      stack,
      protectedOf(
        environment("acme/web", "production", [{ user: String(USER.devon) }, levels[1]!]),
        environment("acme/web", "staging", [{ user: "devon" }]),
      ),
    );
    const plan = await stack.plan();
    expect(plan.diagnostics).toEqual([]);
    expect(changing(plan)).toEqual({ "steward_protected_environment.e1": "create" });
    await stack.apply();
    expect(
      await world().http("GET", `/projects/${PROJECT.web}/protected_environments/staging`),
    ).toMatchObject({
      deploy_access_levels: [{ user_id: stranger }],
    });
  });
});

/** Removes the recorded ids of paths from the state, as an older release would have written it. */
const forget = (stack: Stack) =>
  stack.rewrite(({ resources }) => {
    for (const { instances } of resources)
      for (const one of instances) delete (one as { private?: string }).private;
  });

test("if the state records no id for a declared username, a repair sends no write request", async () => {
  const stack = await applied(protectedOf(environment("acme/web", "production", [{ user: "devon" }])));
  forget(stack);
  await world().http("DELETE", `/projects/${PROJECT.web}/protected_environments/production`);
  await takeName();
  world().service.requests.reset();
  expect(await stack.repair()).toEqual([
    [
      "steward_protected_environment.e0",
      "the state does not record the earlier meaning of devon: review the plan, then apply it",
    ],
  ]);
  expect(writes()).toEqual([]);
});

test("if a state lacks the ids of declared users, an apply without changes adds the ids to the state", async () => {
  const stack = await applied(protectedOf(environment("acme/web", "production", [{ user: "devon" }])));
  forget(stack);
  expect(await stack.plan()).toMatchObject({ hasChanges: false, diagnostics: [] });
  await stack.apply();
  await takeName();
  expect((await stack.plan()).diagnostics).toMatchObject([{ code: "reference_taken" }]);
});
