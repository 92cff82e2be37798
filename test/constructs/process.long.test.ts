import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "../../src/service";
import { useQuickApps } from "../support/apps/quick-apps";

useQuickApps();

const ROOT = path.join(__dirname, "../..");
const COMMAND = path.join(ROOT, "dist/cli/main.js");

/** How a process ended, and what it wrote. */
interface Ended {
  readonly code: number;
  readonly text: string;
}

let folder: string;
beforeEach(() => {
  // Inside the project, so that the app finds the packages that a user's own project would have.
  folder = mkdtempSync(path.join(ROOT, ".steward-constructs-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An example's app, with some of its text replaced: all of it has to be there. */
function writeApp(example: string, replaced: Readonly<Record<string, string>> = {}): void {
  let text = readFileSync(path.join(ROOT, "examples", example, "main.ts"), "utf8");
  for (const [from, to] of Object.entries(replaced)) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  writeFileSync(path.join(folder, "main.ts"), text);
}

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      words,
      { cwd: folder, env: { ...process.env, ...env } },
      (problem, out, err) => {
        resolve({ code: problem === null ? 0 : Number(problem.code), text: out + err });
      },
    );
  });

/** The app alone, as `node main.ts` would run it. */
const app = (): Promise<Ended> => run(["--import", "tsx", "main.ts"]);

const steward = (words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> =>
  run([COMMAND, ...words, "--no-color", "--app", "node --import tsx main.ts"], env);

describe("the settings of a project in one declaration, through the embedded engine", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ fixture: path.join(ROOT, "examples/quickstart/fixture.yaml") });
  });
  afterAll(() => service.close());

  const env = () => ({ STEWARD_BASE_URL: service.url, STEWARD_TOKEN: service.adminToken });
  const live = async (place: string) => {
    const answer = await fetch(`${service.url}/api/v4/projects/acme%2Fweb-shop/${place}`, {
      headers: { "PRIVATE-TOKEN": service.adminToken },
    });
    return answer.json();
  };

  it("settings of a project are applied, stay as they are, and stay when they are written in another order", async () => {
    writeApp("project-settings");
    const applied = await steward(["apply", "--auto-approve"], env());
    expect(applied).toEqual({ code: 0, text: expect.stringContaining("6 added") });
    expect(await live("job_token_scope")).toMatchObject({ inbound_enabled: true });
    expect(await live("job_token_scope/allowlist")).toHaveLength(3);
    expect(await live("job_token_scope/groups_allowlist")).toMatchObject([{ name: "Platform" }]);
    expect(await live("protected_environments/production")).toMatchObject({
      approval_rules: [{ required_approvals: 2 }],
    });
    expect(await live("registry/protection/repository/rules")).toMatchObject([
      { minimum_access_level_for_push: "maintainer", minimum_access_level_for_delete: "owner" },
    ]);
    expect(await live("invitations")).toMatchObject([{ invite_email: "ada@example.com", access_level: 30 }]);

    const staging = "        staging: { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },\n";
    const rules = "      },\n      containerProtectionRules: {";
    writeApp("project-settings", { [staging]: "", [rules]: `${staging}${rules}` });
    const planned = await steward(["plan", "--detailed-exitcode"], env());
    expect(planned).toEqual({ code: 0, text: expect.stringContaining("No changes.") });
  });
});

describe("a policy over all projects of an app", () => {
  it("lets an app through that keeps it", async () => {
    writeApp("policy");
    expect(await app()).toEqual({ code: 0, text: "" });
    expect((await steward(["synth"])).code).toBe(0);
  });

  it.each([
    [
      "the limit off in the settings of a project",
      { "inboundEnabled: true,": "inboundEnabled: false," },
      "shop/web-shop/job-token-scope",
      'Policy "inbound limit on", project acme/web-shop: inboundEnabled is false.',
    ],
    [
      "the limit off in a resource of its own",
      { 'project: "acme/docs", inboundEnabled: true': 'project: "acme/docs", inboundEnabled: false' },
      "docs/limit",
      'Policy "inbound limit on", project acme/docs: inboundEnabled is false.',
    ],
    [
      "one approval where two are needed",
      { "requiredApprovals: 2 }]": "requiredApprovals: 1 }]" },
      "shop/web-shop/environment-production",
      'Policy "production needs 2 approvals", project acme/web-shop: The approval rules of production require 1 approval.',
    ],
    [
      "a rule of one's own broken",
      { "  inboundEnabled: true,\n": "  inboundEnabled: true,\n  pages: {},\n" },
      "shop/web-shop/pages",
      'Policy "no Pages settings", project acme/web-shop: Pages settings are declared. Pages are looked after by the platform team. Take them out, and ask the platform team.',
    ],
  ])("stops an app with %s, and names the construct", async (_what, replaced, construct, said) => {
    writeApp("policy", replaced);
    const [alone, { code, text }] = await Promise.all([app(), steward(["synth", "--output", "synth.out"])]);
    expect(alone.code).toBe(1);
    expect(alone.text).toContain(`[${construct}] ${said}`);
    expect(code).toBe(1);
    expect(text.replace(/\s+/g, " ")).toContain(said);
    expect(text).toContain(construct);
  });
});

describe("an allowlist owned as a whole and by single entries", () => {
  it("stops the app, which names both", async () => {
    writeApp("project-settings", {
      "    // Each part":
        '    new JobTokenAllowlistProject(this, "docs", { project: "acme/web-shop", targetProject: "acme/docs" });\n    // Each part',
      "{ AccessLevel": "{ JobTokenAllowlistProject, AccessLevel",
    });
    for (const { code, text } of await Promise.all([app(), steward(["plan", "--output", "plan.out"])])) {
      expect(code).toBe(1);
      expect(text).toContain("web-shop/shop/job-token-allowlist");
      expect(text).toContain("web-shop/docs");
    }
  });
});
