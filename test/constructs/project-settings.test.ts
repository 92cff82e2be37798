import { Token } from "cdktf";
import {
  AccessLevel,
  ContainerProtectionRule,
  DataStewardProject,
  JobTokenAllowlist,
  JobTokenScope,
  PagesSettings,
  ProjectInvitation,
  ProjectSettings,
  type ProjectSettingsConfig,
  ProtectedEnvironment,
  StewardProvider,
} from "../../src/constructs";
import { synthesized } from "./support/synthesized";

const project = "acme/web-shop";

const SETTINGS: ProjectSettingsConfig = {
  project,
  inboundEnabled: true,
  allowlist: { targetProjects: ["acme/deploy-tools"], targetGroups: [] },
  protectedEnvironments: {
    production: {
      deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
      approvalRules: [{ user: "devon", requiredApprovals: 2 }],
    },
    "review/a b": { deployAccessLevels: [{ group: "acme/platform" }] },
    "review--a b": { deployAccessLevels: [{ user: "devon" }] },
  },
  containerProtectionRules: { "acme/web-shop/release*": { minimumAccessLevelForPush: "maintainer" } },
  pages: { forceHttps: true },
  invitations: {
    "ada@example.com": { accessLevel: AccessLevel.DEVELOPER, expiresAt: "2030-12-31" },
    grace: { accessLevel: AccessLevel.REPORTER },
  },
};

/** Returns the declarations without their addresses, sorted by identity. */
const declared = (resources: ReturnType<typeof synthesized>["resource"]) =>
  Object.entries(resources ?? {})
    .flatMap(([type, named]) => Object.values(named).map((attributes) => ({ type, ...attributes })))
    .map((each) => JSON.stringify(each))
    .sort();

const settled = (config: ProjectSettingsConfig) =>
  synthesized((stack) => {
    new ProjectSettings(stack, "shop", config);
  }).resource;

const reversed = <T>(record: Readonly<Record<string, T>> | undefined) =>
  Object.fromEntries(Object.entries(record ?? {}).reverse());

describe("ProjectSettings", () => {
  it("ProjectSettings declares the same resources as separate constructs with the same settings", () => {
    const byHand = synthesized((stack) => {
      new JobTokenScope(stack, "1", { project, inboundEnabled: true });
      new JobTokenAllowlist(stack, "2", { project, targetProjects: ["acme/deploy-tools"], targetGroups: [] });
      new ProtectedEnvironment(stack, "3", {
        project,
        name: "production",
        deployAccessLevels: [{ accessLevel: 40 }],
        approvalRules: [{ user: "devon", requiredApprovals: 2 }],
      });
      new ProtectedEnvironment(stack, "4", {
        project,
        name: "review/a b",
        deployAccessLevels: [{ group: "acme/platform" }],
      });
      new ProtectedEnvironment(stack, "5", {
        project,
        name: "review--a b",
        deployAccessLevels: [{ user: "devon" }],
      });
      new ContainerProtectionRule(stack, "6", {
        project,
        repositoryPathPattern: "acme/web-shop/release*",
        minimumAccessLevelForPush: "maintainer",
      });
      new PagesSettings(stack, "7", { project, forceHttps: true });
      new ProjectInvitation(stack, "8", {
        project,
        email: "ada@example.com",
        accessLevel: 30,
        expiresAt: "2030-12-31",
      });
      new ProjectInvitation(stack, "9", { project, user: "grace", accessLevel: 20 });
    });
    expect(declared(settled(SETTINGS))).toEqual(declared(byHand.resource));
    expect(declared(settled(SETTINGS))).toHaveLength(9);
  });

  it("the order of environments, rules and invitations in ProjectSettings does not change the id of any resource", () => {
    const other: ProjectSettingsConfig = {
      ...SETTINGS,
      protectedEnvironments: reversed(SETTINGS.protectedEnvironments),
      containerProtectionRules: { "acme/web-shop/*": {}, ...SETTINGS.containerProtectionRules },
      invitations: reversed(SETTINGS.invitations),
    };
    const [before, after] = [settled(SETTINGS)!, settled(other)!];
    for (const [type, named] of Object.entries(before)) {
      for (const [id, attributes] of Object.entries(named)) expect(after[type]?.[id]).toEqual(attributes);
    }
  });

  it("for an empty allowlist, ProjectSettings declares an allowlist resource with only the attribute `project`", () => {
    expect(settled({ project })).toBeUndefined();
    expect(declared(settled({ project, inboundEnabled: false, allowlist: {} }))).toEqual([
      JSON.stringify({ type: "steward_job_token_allowlist", project }),
      JSON.stringify({ type: "steward_job_token_scope", inbound_enabled: false, project }),
    ]);
  });

  it("members of ProjectSettings, such as `jobTokenScope` and `invitation()`, return the declared constructs", () => {
    synthesized((stack) => {
      const settings = new ProjectSettings(stack, "shop", SETTINGS);
      expect(settings.project).toBe(project);
      expect(settings.jobTokenScope?.inboundEnabledInput).toBe(true);
      expect(settings.jobTokenAllowlist?.targetProjectsInput).toEqual(["acme/deploy-tools"]);
      expect(settings.pagesSettings?.forceHttpsInput).toBe(true);
      expect([...settings.protectedEnvironments.keys()]).toEqual(["production", "review/a b", "review--a b"]);
      expect(settings.protectedEnvironment("production").nameInput).toBe("production");
      expect(settings.containerProtectionRule("acme/web-shop/release*")).toBeInstanceOf(
        ContainerProtectionRule,
      );
      expect(settings.invitation("grace").userInput).toBe("grace");
    });
  });

  it("the error for an undeclared environment or invitation lists the declared keys", () => {
    synthesized((stack) => {
      const settings = new ProjectSettings(stack, "shop", SETTINGS);
      expect(() => settings.protectedEnvironment("prod")).toThrow(
        '[test/shop] declares no protected environment "prod". Declared: production, review/a b, review--a b.',
      );
      expect(() => new ProjectSettings(stack, "none", { project }).invitation("ada")).toThrow(
        /Declared: none/,
      );
    });
  });

  it("all resources of ProjectSettings use the project, provider and dependencies of ProjectSettings", () => {
    const { resource } = synthesized((stack) => {
      const there = new StewardProvider(stack, "there", { alias: "there" });
      const shop = new DataStewardProject(stack, "shop", { project });
      new ProjectSettings(stack, "settings", {
        ...SETTINGS,
        project: shop.id,
        provider: there,
        dependsOn: [shop],
      });
    });
    const parts = Object.values(resource!).flatMap((named) => Object.values(named));
    expect(parts).toHaveLength(9);
    for (const part of parts) {
      expect(part).toMatchObject({
        project: "${data.steward_project.shop.id}",
        provider: "steward.there",
        depends_on: ["data.steward_project.shop"],
      });
    }
  });

  it.each([
    ["an empty key", "", "a key is empty"],
    ["a reference", Token.asString({ name: "production" }), "a key is a reference"],
    ["an expression", "${var.name}", "a key is a reference"],
  ])("ProjectSettings refuses %s in protectedEnvironments, and suggests a fix", (_what, key, said) => {
    const protectedEnvironments = {
      [key]: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] },
    };
    synthesized((stack) => {
      expect(() => new ProjectSettings(stack, "shop", { project, protectedEnvironments })).toThrow(
        new RegExp(`^\\[test/shop\\] protectedEnvironments: ${said}\\..* Write the text itself`),
      );
    });
  });
});
