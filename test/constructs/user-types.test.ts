import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

const APP = `
import type { Construct } from "constructs";
import { Fn, TerraformVariable } from "cdktf";
import {
  AccessLevel, AuthScheme, ContainerAccessLevel, ContainerProtectionRule, DataStewardEnterpriseUsers, deployersAtLeast,
  JobTokenScope, ProjectInvitation, ProjectSettings, type ChangeRule, type PolicyRules, ProtectedEnvironment, type ProtectedEnvironmentApprovalRules,
  StewardProvider, TwoFactor,
} from "cdktf-provider-steward";

const project = "acme/web-shop";
const name = "production";
const deployAccessLevels = [{ accessLevel: AccessLevel.MAINTAINER }];

export function declare(scope: Construct, rules: ProtectedEnvironmentApprovalRules[] | undefined) {
  const production = new ProtectedEnvironment(scope, "production", {
    project, name, deployAccessLevels, approvalRules: [{ user: "devon", requiredApprovals: 2 }],
  });
  new ProtectedEnvironment(scope, "maybe", { project, name, deployAccessLevels, approvalRules: rules });
  const count: number = production.requiredApprovalCount;
  const user: string = production.approvalRules.get(0).user;
  const limit = new JobTokenScope(scope, "limit", { project: production.project, inboundEnabled: count > 1 });
  return [user, limit.outboundEnabled];
}

export function closedSets(scope: Construct) {
  const variable = new TerraformVariable(scope, "level", {});
  const email = "ada@example.com";
  const ada = new ProjectInvitation(scope, "ada", { project, email, accessLevel: AccessLevel.fromToken(variable.numberValue) });
  new ProjectInvitation(scope, "devon", { project, user: "devon", accessLevel: ada.accessLevel });
  ada.accessLevel = 5;
  const levels: AccessLevel[] = [AccessLevel.NO_ACCESS, 60, AccessLevel.fromToken(Fn.max([30, 40]) as number)];
  const owner = ContainerAccessLevel.OWNER;
  const rule = new ContainerProtectionRule(scope, "images", {
    project, repositoryPathPattern: "acme/web-shop/*", minimumAccessLevelForPush: owner,
    minimumAccessLevelForDelete: ContainerAccessLevel.fromToken(variable.stringValue),
  });
  rule.minimumAccessLevelForPush = "admin";
  new StewardProvider(scope, "steward", { authScheme: AuthScheme.BEARER });
  new DataStewardEnterpriseUsers(scope, "users", { group: "acme", twoFactor: TwoFactor.DISABLED });
  new ProtectedEnvironment(scope, "nested", {
    project, name, deployAccessLevels: [{ group: "acme", groupInheritanceType: 1 }, { accessLevel: 30 }],
  });
  return [levels, deployersAtLeast({ level: AccessLevel.MAINTAINER })];
}

export function outsideOfClosedSets(scope: Construct, known: number, text: string) {
  const variable = new TerraformVariable(scope, "level", {});
  new ProjectInvitation(scope, "5", { project, accessLevel: 35 });
  new ProjectInvitation(scope, "6", { project, accessLevel: known });
  new ProjectInvitation(scope, "7", { project, accessLevel: variable.numberValue });
  new ProjectInvitation(scope, "8", { project, accessLevel: AccessLevel.ADMIN });
  new ProtectedEnvironment(scope, "9", { project, name, deployAccessLevels: [{ accessLevel: AccessLevel.OWNER }] });
  new ProjectSettings(scope, "10", { project, protectedEnvironments: { production: { deployAccessLevels: [{ groupInheritanceType: 2 }] } } });
  new ContainerProtectionRule(scope, "11", { project, repositoryPathPattern: "x", minimumAccessLevelForPush: "developer" });
  new ContainerProtectionRule(scope, "12", { project, repositoryPathPattern: "x", minimumAccessLevelForPush: text });
  new StewardProvider(scope, "13", { authScheme: "basic" });
  new DataStewardEnterpriseUsers(scope, "14", { group: "acme", twoFactor: "on" });
  return ContainerAccessLevel.fromToken(15);
}

export function mistakes(scope: Construct) {
  new JobTokenScope(scope, "1", { inboundEnabled: true });
  new JobTokenScope(scope, "2", { project, outboundEnabled: true });
  new ProtectedEnvironment(scope, "3", { project, name, deployAccessLevels: [{ accessLevel: "maintainer" }] });
  new ProtectedEnvironment(scope, "4", { project, name, deployAccessLevels, approvalRules: [{ approvals: 2 }] });
}

const why = "";
const environments: ["steward_protected_environment"] = ["steward_protected_environment"];
export const rule: ChangeRule<"steward_protected_environment"> = {
  name, why, level: "advisory", types: environments,
  checkChange: ({ after, unknown }, plan) =>
    after !== null && !unknown.includes("approval_rules") && (after.approval_rules?.[0]?.required_approvals ?? 1) < 2
      ? [{ what: String(plan.ofType("steward_job_token_allowlist")[0]?.attributes.target_projects?.length), fix: "" }]
      : [],
};
export const others: ChangeRule<"aws_instance"> = {
  name, why, types: ["aws_instance"], checkChange: ({ after }) => (after?.["ami"] === "x" ? [] : []),
};
export const every: ChangeRule = {
  name, why, checkChange: (one) => (one.type === "steward_job_token_scope" && one.after?.inbound_enabled ? [] : []),
};
export const older: ChangeRule = { name, why, checkChange: () => [{ what: "Seen.", mend: "Take it out." }] };
export const rules: PolicyRules = [rule, others, every, older, { name, why, check: (one) => [{ what: one.project, fix: "" }] }];

type Environments = ChangeRule<"steward_protected_environment">;
export const camel: Environments = { name, why, types: environments, checkChange: ({ after }) => after?.deployAccessLevels ?? [] };
export const nulls: Environments = { name, why, types: environments, checkChange: ({ after }) => after.deploy_access_levels && [] };
export const mask: Environments = { name, why, types: environments, checkChange: ({ unknown }) => (unknown.includes("approvalRules") ? [] : []) };
export const late: Environments = { name, why, types: environments, checkChange: async () => [] };
export const all: Environments = { name, why, checkChange: () => [] };
`;

/**
 * Compiles an app in a separate project, and returns the errors. All strict options are on, and the compiler also checks the
 * declaration files of packages.
 */
function compile(source: string): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-types-"));
  const at = (file: string) => [path.join(ROOT, file)];
  const compilerOptions = {
    module: "Node16",
    lib: ["ES2023"],
    types: [],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: false,
    paths: {
      "cdktf-provider-steward": at("dist/constructs/index.d.ts"),
      cdktf: at("node_modules/cdktf"),
      constructs: at("node_modules/constructs"),
    },
  };
  writeFileSync(path.join(folder, "app.ts"), source);
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["app.ts"] }));
  const compiler = path.join(ROOT, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, "-p", folder, "--pretty", "false"], (_problem, stdout) => {
      rmSync(folder, { recursive: true });
      resolve(stdout.trimEnd().split("\n"));
    });
  });
}

const lineOf = (text: string): number => APP.split("\n").findIndex((line) => line.includes(text)) + 1;

it("with the strictest options, the compiler reports each wrong value in declarations, also in elements of sets", async () => {
  const said = await compile(APP);
  expect(said.filter((line) => !line.startsWith(" ")).map((line) => line.replace(/^.*app\.ts/, ""))).toEqual([
    expect.stringMatching(
      `^\\(${lineOf('"5"')},.*'35' is not assignable to type '0 \\| 5 \\| 10 .* \\| AccessLevelToken'`,
    ),
    ...['"6"', '"7"'].map((id) =>
      expect.stringMatching(`^\\(${lineOf(id)},.*'number' is not assignable to type .* AccessLevelToken'`),
    ),
    expect.stringMatching(`^\\(${lineOf('"8"')},.*'60' is not assignable`),
    expect.stringMatching(
      `^\\(${lineOf('"9"')},.*'50' is not assignable to type '30 \\| 40 \\| 60 \\| AccessLevelToken`,
    ),
    expect.stringMatching(`^\\(${lineOf('"10"')},.*'2' is not assignable`),
    expect.stringMatching(`^\\(${lineOf('"11"')},.*'"developer"' is not assignable`),
    expect.stringMatching(`^\\(${lineOf('"12"')},.*'string' is not assignable`),
    expect.stringMatching(`^\\(${lineOf('"13"')},.*'"basic"' is not assignable`),
    expect.stringMatching(`^\\(${lineOf('"14"')},.*'"on"' is not assignable`),
    expect.stringMatching(`^\\(${lineOf("fromToken(15)")},.*'number' is not assignable`),
    expect.stringMatching(`^\\(${lineOf('"1"')},.*Property 'project' is missing`),
    expect.stringMatching(`^\\(${lineOf('"2"')},.*'outboundEnabled' does not exist`),
    expect.stringMatching(`^\\(${lineOf('"3"')},.*'string' is not assignable to type '30`),
    expect.stringMatching(`^\\(${lineOf('"4"')},.*'approvals' does not exist`),
    expect.stringMatching(`^\\(${lineOf("camel:")},.*'deployAccessLevels' does not exist`),
    expect.stringMatching(`^\\(${lineOf("nulls:")},.*'after' is possibly 'null'`),
    expect.stringMatching(`^\\(${lineOf("mask:")},.*'"approvalRules"' is not assignable`),
    expect.stringMatching(`^\\(${lineOf("late:")},.*Promise<never\\[\\]>`),
    expect.stringMatching(`^\\(${lineOf("all:")},.*is not assignable to type 'Environments'`),
  ]);
});
