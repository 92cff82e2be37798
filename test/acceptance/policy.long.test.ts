import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "../../src/service";
import { Steward } from "../cli/support/process";
import { useQuickApps } from "../support/apps/quick-apps";
import { type OwnProject, ownProject, ROOT } from "./support/own-project";

jest.setTimeout(120_000);
useQuickApps();

let service: Service;
let project: OwnProject;
beforeAll(async () => {
  service = await startService({ fixture: path.join(ROOT, "examples/quickstart/fixture.yaml") });
});
afterAll(() => service.close());
beforeEach(() => {
  project = ownProject("examples/policy");
});
afterEach(() => project.remove());

const steward = (...args: string[]) =>
  new Steward(args, {
    folder: project.folder,
    env: { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: service.adminToken },
  }).ended;

const edit = (file: string, from: string, to: string) => {
  const target = path.join(project.folder, file);
  const text = readFileSync(target, "utf8");
  expect(text).toContain(from);
  writeFileSync(target, text.replace(from, to));
};

test("plan --json prints the console output of a TypeScript rule on stderr", async () => {
  edit("policy.ts", "const MAX_ENTRIES", 'console.log("printed by a rule");\nconst MAX_ENTRIES');
  const accepted = await steward("plan", "--json");
  expect(accepted).toMatchObject({ code: 0, err: "printed by a rule\n" });
  for (const line of accepted.out.trimEnd().split("\n")) expect(JSON.parse(line)).toHaveProperty("type");

  edit("main.ts", "  ProtectedEnvironment,\n", "  ProjectInvitation,\n  ProtectedEnvironment,\n");
  edit(
    "main.ts",
    "\napp.synth();",
    '\nnew ProjectInvitation(docs, "ada", { project: "acme/docs", email: "ada@example.com", accessLevel: 50, expiresAt: "2030-01-01" });\napp.synth();',
  );
  const refused = await steward("plan");
  expect(refused.code).toBe(1);
  expect(refused.err.replace(/[\s│]+/g, " ")).toContain(
    'Policy "no level above Maintainer", stack docs, project acme/docs: The invitation grants the level 50.',
  );
  expect(refused.err).toMatch(/construct docs\/ada/);
});

test("if a rule in TypeScript throws, the error contains the line in the TypeScript file", async () => {
  edit(
    "policy.ts",
    "if (after === null || after",
    "if (after!.access_level!.valueOf().constructor.none.at) return;\n    if (after === null || after",
  );
  edit(
    "policy.ts",
    'types: ["steward_project_invitation", "steward_group_invitation"]',
    'types: ["steward_job_token_scope" as never]',
  );
  const { code, err } = await steward("plan");
  expect(code).toBe(1);
  expect(err.replace(/[\s│]+/g, " ")).toMatch(
    /The rule "no level above Maintainer" failed in the stack docs: .* \(line 9\)\./,
  );
});
