import "cdktf-provider-steward/testing/jest";
import { TerraformStack, Testing } from "cdktf";
import {
  AccessLevel,
  ContainerAccessLevel,
  ContainerProtectionRule,
  JobTokenScope,
  ProjectInvitation,
  ProtectedEnvironment,
  StewardProvider,
} from "cdktf-provider-steward";
import { assertGrant, assertNoGrant, GrantUnknownError } from "cdktf-provider-steward/testing";
import { FIXTURE, shop, useService } from "./support/shop";

const project = "acme/web-shop";
const releases = "acme/docs";
const world = useService({
  ...FIXTURE,
  users: [...FIXTURE.users!, { username: "ida", admin: true }, { username: "rita" }],
  groups: [{ ...FIXTURE.groups![0]!, member_roles: [{ id: 7, name: "Releaser", base_role: "developer" }] }],
  projects: FIXTURE.projects!.map((one) =>
    one.path === releases ? { ...one, members: [{ user: "rita", role: "developer", member_role: 7 }] } : one,
  ),
});

const stackWith = (declare: (stack: TerraformStack) => void): TerraformStack => {
  const stack = new TerraformStack(Testing.app(), "shop");
  new StewardProvider(stack, "steward");
  declare(stack);
  return stack;
};

describe("toGrant of a stack: the access after its plan is applied", () => {
  it("toGrant of a stack passes for a user who can deploy, before and after the apply", async () => {
    const stack = world.test(shop({ projects: [project], deployers: [{ user: "devon" }] }));
    for (const _ of ["planned", "applied"]) {
      await expect(stack).toGrant({ user: "devon", deploy: "production", project });
      await stack.apply();
    }
    await expect(world.service).toGrant({ user: "devon", deploy: "production", project });
    await expect(world.service).not.toGrant({ user: "maya", deploy: "production", project });
  });

  it("toGrant of a stack uses the stack's plan instead of the live settings", async () => {
    await expect(world.service).toGrant({ user: "devon", deploy: "production", project });
    const stack = world.test(
      stackWith((scope) => {
        new ProtectedEnvironment(scope, "production", {
          project: "acme/tools",
          name: "production",
          deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
        });
      }),
    );
    await expect(stack).toGrant({ user: "maya", deploy: "production", project: "acme/tools" });
  });

  it("toGrant throws an error for an environment that neither the plan nor the service protects", async () => {
    const stack = world.test(shop({ projects: [project], deployers: [{ user: "devon" }] }));
    const typo = { user: "oskar", deploy: "prodution", project };
    for (const asked of [
      assertGrant(stack, typo),
      assertNoGrant(stack, typo),
      expect(stack).not.toGrant(typo),
    ])
      await expect(asked).rejects.toThrow(
        "nothing declares environment prodution in project acme/web-shop: no plan has it, and the service protects none.",
      );
    await stack.apply();
    await expect(assertNoGrant(stack, typo)).rejects.toThrow(
      "the service protects production. Check the name",
    );
  });

  it("toGrant of a stack passes for a user that the plan invites", async () => {
    const stack = world.test(
      stackWith((scope) => {
        new ProjectInvitation(scope, "oskar", { project, user: "oskar", accessLevel: AccessLevel.DEVELOPER });
        new ProtectedEnvironment(scope, "production", {
          project,
          name: "production",
          deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }],
        });
      }),
    );
    await expect(world.service).not.toGrant({ user: "oskar", member: true, project });
    await expect(stack).toGrant({ user: "oskar", member: true, project });
    await expect(stack).toGrant({ user: "oskar", deploy: "production", project });
    await expect(stack).toGrant({ user: "devon", member: true, project });
    await expect(stack).not.toGrant({ user: "oskar", member: true, project: "acme/tools" });
    await expect(stack).not.toGrant({ user: "oskar", member: true, group: "acme" });
    await stack.apply();
    for (const subject of [stack, world.service])
      await expect(subject).toGrant({ user: "oskar", deploy: "production", project });
  });

  it("toGrant passes for a user who can push the images of a container protection rule", async () => {
    const images = "acme/web-shop/*";
    const stack = world.test(
      stackWith((scope) => {
        new ContainerProtectionRule(scope, "images", {
          project,
          repositoryPathPattern: images,
          minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER,
          minimumAccessLevelForDelete: ContainerAccessLevel.OWNER,
        });
      }),
    );
    await stack.apply();
    await expect(stack).toGrant({ user: "maya", push: images, project });
    await expect(stack)
      .not.toGrant({ user: "maya", delete: "acme/other/*", project })
      .catch(() => undefined);
  });

  it("the message of a failed toGrant says whether the plan or the live service decided", async () => {
    const stack = world.test(shop({ projects: [project], deployers: [{ user: "devon" }] }));
    await expect(expect(stack).not.toGrant({ user: "devon", deploy: "production", project })).rejects.toThrow(
      /^Expected that devon can't deploy to production in project acme\/web-shop, but by the plan of environment production devon can\.\n\nResource actions/,
    );
    await expect(expect(world.service).toGrant({ user: "oskar", deploy: "x", project })).rejects.toThrow(
      "Expected that oskar can deploy to x in project acme/web-shop, but by the live service oskar can't.",
    );
  });
});

describe("if access is unknown, both toGrant and not.toGrant throw an error", () => {
  const protectedByLevel = () =>
    world.test(shop({ projects: [project, releases], deployers: [{ user: "devon" }] }));
  const unknowns: readonly (readonly [string, object, string])[] = [
    ["a custom role", { user: "rita", deploy: "production", project: releases }, "rita (has the custom role"],
    [
      "anybody beside a custom role",
      { user: "oskar", deploy: "production", project: releases },
      "rita (has the custom role",
    ],
    ["an administrator", { user: "ida", deploy: "production", project }, "ida is an administrator"],
    ["a misspelt user", { user: "mya", deploy: "production", project }, "the service has no user mya"],
    [
      "a misspelt project",
      { user: "maya", deploy: "production", project: "acme/shop" },
      "no project acme/shop",
    ],
    [
      "images of an undeclared rule",
      { user: "maya", push: "x/*", project },
      "declares no container protection rule",
    ],
  ];

  it.each(unknowns)("toGrant and not.toGrant throw an error for %s", async (_, grant, why) => {
    const stack = protectedByLevel();
    for (const asked of [
      expect(stack).toGrant(grant as never),
      expect(stack).not.toGrant(grant as never),
      assertGrant(stack, grant as never),
      assertNoGrant(stack, grant as never),
    ]) {
      const problem = await asked.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(problem).toBeInstanceOf(GrantUnknownError);
      expect((problem as Error).message).toContain(why);
    }
  });

  it("toGrant throws an error for a plan that was made before an apply", async () => {
    const stack = protectedByLevel();
    const plan = await stack.plan();
    await expect(plan).toGrant({ user: "devon", deploy: "production", project });
    await expect(plan).not.toGrant({ user: "maya", deploy: "production", project });
    await stack.apply();
    await expect(expect(plan).toGrant({ user: "devon", deploy: "production", project })).rejects.toThrow(
      "This plan was made before an apply or an import.",
    );
    await expect(await stack.plan()).toGrant({ user: "devon", deploy: "production", project });
  });
});

it("if the plan changes no environment, assertGrant uses the access on the live service", async () => {
  await world.test(shop({ projects: [project], deployers: [{ user: "devon" }] })).apply();
  const stack = world.test(
    stackWith((scope) => {
      new JobTokenScope(scope, "limit", { project, inboundEnabled: true });
    }),
  );
  await assertGrant(stack, { user: "devon", deploy: "production", project });
  await assertNoGrant(stack, { user: "oskar", deploy: "production", project });
});
