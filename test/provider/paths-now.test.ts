import { formatPath } from "../../src/diagnostics";
import { Stack } from "./support/stack";
import { GROUP, PROJECT, TOKEN, USER, useWorld } from "./support/world";

// Declared paths are compared with the ids that they were applied with, for containers and for references in attributes.

const world = useWorld();
const admin = (method: string, path: string, body?: object) =>
  world().http(method, path, body, world().service.adminToken);
const stacks: Stack[] = [];
afterEach(() => {
  for (const one of stacks.splice(0)) one.remove();
});

const OWNER = () => ({
  provider: { steward: [{ base_url: world().service.url, token: TOKEN.owner, max_attempts: 1 }] },
});
function stackOf(resource: object): Stack {
  const stack = new Stack(world(), { ...OWNER(), resource });
  stacks.push(stack);
  return stack;
}
const declare = (stack: Stack, resource: object) => stack.declare({ ...OWNER(), resource });

/** Applies declarations to a new state. */
async function applied(resource: object): Promise<Stack> {
  const stack = stackOf(resource);
  expect((await stack.apply()).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return stack;
}

interface Diagnosed {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly severity: string;
    readonly attribute?: readonly unknown[];
    readonly detail: string;
  }[];
}
const codes = ({ diagnostics }: Diagnosed): string[] => [
  ...new Set(
    diagnostics.map(
      ({ severity, code, attribute }) =>
        `${severity} ${code}${attribute === undefined ? "" : ` ${formatPath(attribute as never)}`}`,
    ),
  ),
];
const writes = () => world().service.requests.all.filter(({ method }) => method !== "GET");
const changing = ({ changes }: Awaited<ReturnType<Stack["plan"]>>) =>
  Object.fromEntries(
    changes.filter(({ action }) => action !== "no-op").map(({ address, action }) => [address, action]),
  );

const environment = (
  project: string,
  name = "production",
  levels: readonly object[] = [{ access_level: 40 }],
) => ({
  project,
  name,
  deploy_access_levels: levels,
});
const rule = (project: string, pattern: string) => ({
  project,
  repository_path_pattern: pattern,
  minimum_access_level_for_push: "maintainer",
});
const protectedOf = (...all: readonly object[]) => ({
  steward_protected_environment: Object.fromEntries(all.map((one, index) => [`e${index}`, one])),
});

/** `acme/tools` is renamed, and another project is made under its path. Returns the id of the new project. */
async function takePath(): Promise<number> {
  await world().http("PUT", `/projects/${PROJECT.tools}`, { path: "instruments" });
  const made = await world().http("POST", "/projects", { path: "tools", namespace_id: GROUP.acme });
  return (made as { id: number }).id;
}

/** `devon` is renamed, and another user takes the name. Returns the id of the new user. */
async function takeName(): Promise<number> {
  await admin("PUT", `/users/${USER.devon}`, { username: "devona" });
  const made = (await admin("POST", "/users", {
    username: "devon",
    name: "Stranger",
    email: "s@example.com",
  })) as {
    id: number;
  };
  await world().http("POST", `/projects/${PROJECT.web}/members`, { user_id: made.id, access_level: 30 });
  return made.id;
}

describe("a project under another path", () => {
  test.each([
    [
      "renamed",
      () => world().http("PUT", `/projects/${PROJECT.tools}`, { path: "instruments" }),
      /renamed to "acme\/instruments"/,
    ],
    [
      "transferred",
      () => admin("PUT", `/projects/${PROJECT.tools}/transfer`, { namespace: "acme/platform" }),
      /transferred to "acme\/platform\/tools"/,
    ],
    [
      "scheduled for deletion",
      async () => {
        await admin("PUT", "/application/settings", { deletion_adjourned_period: 7 });
        await admin("DELETE", `/projects/${PROJECT.tools}`);
      },
      /renamed to "acme\/tools-deletion_scheduled-\d+", and was scheduled for deletion on \d{4}-\d\d-\d\d/,
    ],
  ])("%s: it is still managed, with one warning in plan and drift", async (_, move, words) => {
    const stack = await applied(protectedOf(environment("acme/tools"), environment("acme/tools", "staging")));
    await move();
    const plan = await stack.plan();
    expect(changing(plan)).toEqual({});
    expect(codes(plan)).toEqual(["warning reference_moved project"]);
    expect(plan.diagnostics[0]!.detail).toMatch(words);
    expect(new Set(plan.diagnostics.map(({ cause }) => cause)).size).toBe(1);
    const drift = await stack.drift({ coverage: true });
    expect(drift.drifted).toEqual([]);
    expect(codes(drift)).toContain("warning reference_moved project");
    // The code follows, and nothing is left to say.
    declare(
      stack,
      protectedOf(environment(String(PROJECT.tools)), environment(String(PROJECT.tools), "staging")),
    );
    expect(codes(await stack.plan())).toEqual([]);
  });
});

describe("another project under the path", () => {
  test("nothing that is declared by the path is in sync, written or repaired", async () => {
    const stack = await applied({
      ...protectedOf(environment("acme/tools"), environment("acme/web")),
      steward_container_protection_rule: { r: rule("acme/tools", "acme/tools/*") },
    });
    const other = await takePath();
    // A change of what is held, and a new object of the same path.
    declare(stack, {
      ...protectedOf(
        environment("acme/tools", "production", [{ access_level: 60 }]),
        environment("acme/web"),
        environment("acme/tools", "staging"),
      ),
      steward_container_protection_rule: {
        r: rule("acme/tools", "acme/tools/*"),
        s: rule("acme/tools", "acme/tools/x"),
      },
    });
    world().service.requests.reset();
    const plan = await stack.plan();
    expect(changing(plan)).toEqual({});
    expect(codes(plan)).toEqual(["error reference_taken project"]);
    const { detail } = plan.diagnostics[0]!;
    for (const part of [
      `project ${PROJECT.tools}`,
      `is now "acme/instruments"`,
      `project ${other}`,
      `"${PROJECT.tools}" for project`,
      `"${other}" for project`,
    ])
      expect(detail).toContain(part);
    const failed = plan.diagnostics.map(({ address }) => address).sort();
    expect(failed).toEqual([
      "steward_container_protection_rule.r",
      "steward_container_protection_rule.s",
      "steward_protected_environment.e0",
      "steward_protected_environment.e2",
    ]);
    await stack.apply();
    const drift = await stack.drift({ coverage: true });
    expect(codes(drift)).toContain("error reference_taken project");
    expect(drift.objects.map(({ address }) => address)).toEqual(["steward_protected_environment.e1"]);
    expect(drift.unchecked.map(({ object }) => object.address).sort()).toEqual([
      "steward_container_protection_rule.r",
      "steward_protected_environment.e0",
    ]);
    expect(writes()).toEqual([]);
  });

  test("an object that vanished with the change is not made in the other project, in no later run either", async () => {
    const stack = await applied(protectedOf(environment("acme/tools")));
    await takePath();
    await world().http("DELETE", `/projects/${PROJECT.tools}/protected_environments/production`);
    for (const _ of [1, 2]) {
      expect(codes(await stack.plan())).toEqual(["error reference_taken project"]);
      expect(codes(await stack.drift())).toEqual(["error reference_taken project"]);
      world().service.requests.reset();
      await stack.apply();
      expect(writes()).toEqual([]);
    }
  });

  test("the numeric id says which one is meant, and after an apply its path may return", async () => {
    const stack = await applied(protectedOf(environment("acme/tools")));
    const other = await takePath();
    declare(stack, protectedOf(environment(String(PROJECT.tools))));
    expect(await stack.plan()).toMatchObject({ hasChanges: false, diagnostics: [] });
    declare(stack, protectedOf(environment("acme/instruments")));
    expect(await stack.plan()).toMatchObject({ hasChanges: false, diagnostics: [] });
    declare(stack, protectedOf(environment(String(other))));
    expect(changing(await stack.plan())).toEqual({
      "steward_protected_environment.e0": "delete-then-create",
    });
    expect((await stack.apply()).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    declare(stack, protectedOf(environment("acme/tools")));
    expect(await stack.plan()).toMatchObject({ hasChanges: false, diagnostics: [] });
  });

  test("an object without a declaration is destroyed in its project", async () => {
    const stack = await applied(protectedOf(environment("acme/tools")));
    const other = await takePath();
    await world().http("POST", `/projects/${other}/protected_environments`, {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
    });
    declare(stack, {});
    expect(changing(await stack.plan())).toEqual({ "steward_protected_environment.e0": "delete" });
    await stack.apply();
    await expect(
      world().http("GET", `/projects/${PROJECT.tools}/protected_environments/production`),
    ).rejects.toThrow("404");
    expect(await world().http("GET", `/projects/${other}/protected_environments/production`)).toMatchObject({
      name: "production",
    });
  });

  test("the held project is gone for good, and an administrator's run does not move to the other project", async () => {
    const stack = await applied(protectedOf(environment("acme/tools")));
    await admin("DELETE", `/projects/${PROJECT.tools}`);
    await world().http("POST", "/projects", { path: "tools", namespace_id: GROUP.acme });
    stack.declare({
      provider: {
        steward: [{ base_url: world().service.url, token: world().service.adminToken, max_attempts: 1 }],
      },
      resource: protectedOf(environment("acme/tools")),
    });
    const plan = await stack.plan();
    expect(codes(plan)).toContain("error reference_taken project");
    expect(changing(plan)).toEqual({});
  });
});

describe("entries of an allowlist", () => {
  const allowlist = (...target_projects: readonly string[]) => ({
    steward_job_token_allowlist: { a: { project: "acme/web", target_projects } },
  });
  const live = async () =>
    (
      (await world().http("GET", `/projects/${PROJECT.web}/job_token_scope/allowlist`)) as { id: number }[]
    ).map(({ id }) => id);

  test.each(["allowlist", "entry"])("the new holder of a deleted path is not let in: %s", async (form) => {
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
  });

  test("an entry that was removed by hand is restored with the project that it was, under its new path", async () => {
    const stack = await applied(allowlist("acme/tools", "acme/docs"));
    await world().http("PUT", `/projects/${PROJECT.tools}`, { path: "instruments" });
    await world().http("DELETE", `/projects/${PROJECT.web}/job_token_scope/allowlist/${PROJECT.tools}`);
    const drift = await stack.drift();
    expect(drift.drifted.map(({ change }) => change.address)).toEqual(["steward_job_token_allowlist.a"]);
    await stack.repair();
    expect(await live()).toContain(PROJECT.tools);
  });

  test("a repair adds no project that the state does not hold", async () => {
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

  test("a renamed user is still managed, with one warning that says the new name", async () => {
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
  ])("the new holder of a username gets no rights: %s", async (_, change) => {
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
  });

  test("the new holder of the name of a deleted user gets no rights", async () => {
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

  test("a new declaration and a changed path have their present meaning", async () => {
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

/** Removes the ids of paths, as in a state of an older release. */
const forget = (stack: Stack) =>
  stack.rewrite(({ resources }) => {
    for (const { instances } of resources)
      for (const one of instances) delete (one as { private?: string }).private;
  });

test("a repair writes no path without an id in the state", async () => {
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

test("a state without the ids of its paths records them, with an empty plan", async () => {
  const stack = await applied(protectedOf(environment("acme/web", "production", [{ user: "devon" }])));
  forget(stack);
  expect(await stack.plan()).toMatchObject({ hasChanges: false, diagnostics: [] });
  await stack.apply();
  await takeName();
  expect((await stack.plan()).diagnostics).toMatchObject([{ code: "reference_taken" }]);
});
