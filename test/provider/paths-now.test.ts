import { changing, codes, environment, protectedOf, rule, usePaths } from "./support/paths";
import { GROUP, PROJECT } from "./support/world";

// After the last apply, a declared path can pass to a different project. Steward compares the present id of the path
// with the recorded id.

const { world, admin, declare, applied, writes, takePath } = usePaths();

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
  ])(
    "if a project was %s, plan and drift warn once and show no change of the project's objects",
    async (_, move, words) => {
      const stack = await applied(
        protectedOf(environment("acme/tools"), environment("acme/tools", "staging")),
      );
      await move();
      const plan = await stack.plan();
      expect(changing(plan)).toEqual({});
      expect(codes(plan)).toEqual(["warning reference_moved project"]);
      expect(plan.diagnostics[0]!.detail).toMatch(words);
      expect(new Set(plan.diagnostics.map(({ cause }) => cause)).size).toBe(1);
      const drift = await stack.drift({ coverage: true });
      expect(drift.drifted).toEqual([]);
      expect(codes(drift)).toContain("warning reference_moved project");
      // The declaration now has the new path, so the plan has no warning.
      declare(
        stack,
        protectedOf(environment(String(PROJECT.tools)), environment(String(PROJECT.tools), "staging")),
      );
      expect(codes(await stack.plan())).toEqual([]);
    },
  );
});

describe("another project under the path", () => {
  test("if another project has the declared path, plan reports an error for the objects in this project", async () => {
    const stack = await applied({
      ...protectedOf(environment("acme/tools"), environment("acme/web")),
      steward_container_protection_rule: { r: rule("acme/tools", "acme/tools/*") },
    });
    const other = await takePath();
    // The plan changes a managed object, and creates a new object under the same path.
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

  test("if an object in the renamed project was deleted, no run creates it in the project with the old path", async () => {
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

  test("after an apply with the new project's id, the next plan accepts the new project's path", async () => {
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

  test("if an object's declaration was removed, apply destroys the object in the renamed project", async () => {
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

  test("if the declared project was deleted and another project took the path, an administrator's plan is refused", async () => {
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
