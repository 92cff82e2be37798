import type { TerraformStack } from "cdktf";
import {
  AccessLevel,
  allowlistOwned,
  deployersAtLeast,
  environmentProtected,
  invitationLevelAtMost,
  invitationsExpire,
  JobTokenAllowlist,
  ProjectInvitation,
  ProtectedEnvironment,
  requiredApprovals,
} from "../../src/constructs";
import { judged, production, project } from "./support/judged";

describe("environments", () => {
  const environment = (more: object) => (stack: TerraformStack) => {
    new ProtectedEnvironment(stack, "production", { ...production, ...more });
  };
  const two = requiredApprovals({ environment: "production", atLeast: 2 });

  it.each([
    ["no rule", {}, "require 0 approvals"],
    ["one approval, by default", { approvalRules: [{ user: "devon" }] }, "require 1 approval."],
    ["none", { approvalRules: [] }, "require 0 approvals"],
  ])("with atLeast 2, requiredApprovals rejects %s", (_what, more, said) => {
    expect(judged(two, environment(more))).toEqual([
      expect.stringMatching(
        `^error shop/production: Policy "production needs 2 approvals", .*of production ${said}.*Declare approvalRules`,
      ),
    ]);
  });

  it("requiredApprovals accepts two approvals, either from one rule or from two rules", () => {
    const group = { group: "acme/release-managers" };
    expect(judged(two, environment({ approvalRules: [{ ...group, requiredApprovals: 2 }] }))).toEqual([]);
    expect(judged(two, environment({ approvalRules: [group, { user: "devon" }] }))).toEqual([]);
  });

  it("if no name or pattern is given, requiredApprovals checks all environments", () => {
    expect(judged(two, environment({ name: "staging" }))).toEqual([]);
    expect(
      judged(requiredApprovals({ environment: /^sta/, atLeast: 2 }), environment({ name: "staging" })),
    ).toHaveLength(1);
    expect(judged(requiredApprovals({ atLeast: 2 }), environment({ name: "staging" }))).toHaveLength(1);
  });

  it.each([
    ["a name", { name: "${var.name}" }, "name is known"],
    [
      "a count",
      { approvalRules: [{ user: "devon", requiredApprovals: "${var.count}" }] },
      "approvalRules is known",
    ],
    ["a whole set", { approvalRules: "${var.rules}" }, "approvalRules is known"],
  ])("%s that is known only after apply is a violation of requiredApprovals", (_what, more, said) => {
    const declare = (stack: TerraformStack) => {
      const made = new ProtectedEnvironment(stack, "production", production);
      for (const [name, value] of Object.entries(more)) {
        made.addOverride(name === "approvalRules" ? "approval_rules" : name, snake(value));
      }
    };
    expect(judged(two, declare)).toEqual([expect.stringContaining(said)]);
  });

  const snake = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll("requiredApprovals", "required_approvals"));

  it("deployersAtLeast rejects deployers below a level", () => {
    const rule = deployersAtLeast({ environment: "production", level: AccessLevel.MAINTAINER });
    const deployAccessLevels = [{ accessLevel: AccessLevel.DEVELOPER }, { user: "devon" }];
    expect(judged(rule, environment({}))).toEqual([]);
    expect(judged(rule, environment({ deployAccessLevels: [{ user: "devon" }] }))).toEqual([]);
    expect(judged(rule, environment({ deployAccessLevels }))).toEqual([
      expect.stringMatching(
        /^error shop\/production: .*Everyone with the level 30 can deploy to production\./,
      ),
    ]);
  });

  it("environmentProtected rejects projects that do not protect the environment", () => {
    expect(judged(environmentProtected("production"), environment({}))).toEqual([]);
    expect(judged(environmentProtected("production"), environment({ name: "staging" }))).toEqual([
      expect.stringContaining("The environment production is not protected."),
    ]);
    expect(judged(environmentProtected("production"), environment({ name: "${var.name}" }))).toEqual([
      expect.stringContaining("name is known only after apply"),
    ]);
  });
});

describe("allowlists and invitations", () => {
  const allowlist = (more: object) => (stack: TerraformStack) => {
    new JobTokenAllowlist(stack, "allowlist", { project, ...more });
  };
  const invitation = (more: object) => (stack: TerraformStack) => {
    new ProjectInvitation(stack, "ada", { project, email: "ada@example.com", accessLevel: 30, ...more });
  };

  it("allowlistOwned rejects an allowlist that declares targetGroups without targetProjects", () => {
    expect(judged(allowlistOwned(), allowlist({ targetProjects: [] }))).toEqual([]);
    expect(judged(allowlistOwned(), allowlist({ targetGroups: [] }))).toEqual([
      expect.stringContaining("The projects on the job token allowlist are not managed as a whole"),
    ]);
  });

  it("invitationLevelAtMost rejects invitations above a level", () => {
    const rule = invitationLevelAtMost(AccessLevel.DEVELOPER);
    expect(judged(rule, invitation({}))).toEqual([]);
    expect(judged(rule, invitation({ accessLevel: 40 }))).toEqual([
      expect.stringMatching(/^error shop\/ada: .*grants the level 40\. .* Set accessLevel to 30 or less\./),
    ]);
  });

  it("invitationsExpire rejects invitations without an expiry date", () => {
    expect(judged(invitationsExpire(), invitation({ expiresAt: "2030-12-31" }))).toEqual([]);
    expect(judged(invitationsExpire(), invitation({}))).toEqual([
      expect.stringMatching(/^error shop\/ada: .*never expires\. .* Set expiresAt to a date\./),
    ]);
    expect(judged(invitationsExpire(), invitation({ expiresAt: "${var.day}" }))).toEqual([
      expect.stringContaining("expiresAt is known only after apply"),
    ]);
  });
});
