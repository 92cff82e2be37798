import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

const APP = `
import type { Construct } from "constructs";
import { JobTokenScope, ProtectedEnvironment, type ProtectedEnvironmentApprovalRules } from "cdktf-provider-steward";

const project = "acme/web-shop";
const name = "production";
const deployAccessLevels = [{ accessLevel: 40 }];

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

export function mistakes(scope: Construct) {
  new JobTokenScope(scope, "1", { inboundEnabled: true });
  new JobTokenScope(scope, "2", { project, outboundEnabled: true });
  new ProtectedEnvironment(scope, "3", { project, name, deployAccessLevels: [{ accessLevel: "maintainer" }] });
  new ProtectedEnvironment(scope, "4", { project, name, deployAccessLevels, approvalRules: [{ approvals: 2 }] });
}
`;

/** What the compiler says of an app in a project of its own, with every strict option and declarations checked too. */
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

it("the declarations that users get are typed down to the elements of sets, for the strictest compiler", async () => {
  const said = await compile(APP);
  expect(said.filter((line) => !line.startsWith(" ")).map((line) => line.replace(/^.*app\.ts/, ""))).toEqual([
    expect.stringMatching(`^\\(${lineOf('"1"')},.*Property 'project' is missing`),
    expect.stringMatching(`^\\(${lineOf('"2"')},.*'outboundEnabled' does not exist`),
    expect.stringMatching(`^\\(${lineOf('"3"')},.*'string' is not assignable to type 'number'`),
    expect.stringMatching(`^\\(${lineOf('"4"')},.*'approvals' does not exist`),
  ]);
});
