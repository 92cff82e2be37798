import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, startService } from "../../src/service";
import { runInProcess as steward } from "../cli/support/in-process";
import type { Ended } from "../cli/support/process";
import { ROOT } from "./support/own-project";

jest.setTimeout(120_000);

const EXAMPLES = path.join(ROOT, "examples");

/** Returns the configuration of a stack that an example's app synthesizes into a separate folder. */
function synthesized(example: string, stack: string, folder: string): string {
  process.env["CDKTF_OUTDIR"] = path.join(folder, "out");
  jest.isolateModules(() => require(path.join(EXAMPLES, example, "main.ts")));
  delete process.env["CDKTF_OUTDIR"];
  return path.join(folder, "out", "stacks", stack);
}

describe.each([
  ["many-projects/for-each", "group-policy", 14],
  ["many-projects/loop", "estate", 8],
])("examples/%s", (example, stack, objects) => {
  let service: Service;
  let folder: string;
  let config: string;
  beforeAll(async () => {
    service = await startService({ fixture: path.join(EXAMPLES, "quickstart", "fixture.yaml") });
    folder = mkdtempSync(path.join(tmpdir(), "steward-many-"));
    config = synthesized(example, stack, folder);
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });
  const run = (...words: readonly string[]): Promise<Ended> =>
    steward([...words, "--config", config, "--state", "terraform.tfstate"], {
      folder,
      env: { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: "quickstart-owner-token" },
    });

  test("apply adds all objects of the example, and the next plan is empty", async () => {
    const applied = await run("apply", "--auto-approve");
    expect(applied.out).toContain(`Apply complete! Resources: ${objects} added, 0 changed, 0 destroyed.`);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  if (stack === "group-policy")
    test("if a project is archived, apply reports an error and completes the other projects", async () => {
      await byAdministrator("PUT", "acme%2Fdocs", { archived: true });
      const { code, out, err } = await run("apply", "--auto-approve");
      expect(code).toBe(1);
      expect(out).toContain("Apply incomplete, see the errors. Resources: 0 added, 0 changed, 1 destroyed.");
      const [, command] = /^│ {3}steward (state rm .*)$/m.exec(err)!;
      const source = `--config ${config} --state terraform.tfstate`;
      expect(command).toBe(`state rm ${source} 'steward_job_token_allowlist_group.platform["4"]'`);
      expect((await run("drift")).code).toBe(0);
      expect((await run("state", "rm", 'steward_job_token_allowlist_group.platform["4"]')).code).toBe(0);
      expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    });

  async function byAdministrator(method: string, project: string, body: object): Promise<void> {
    const answer = await fetch(`${service.url}/api/v4/projects/${project}`, {
      method,
      headers: { "PRIVATE-TOKEN": service.adminToken, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  }
});
