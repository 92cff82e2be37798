import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { type Service, startService } from "../../src/service";
import { useQuickApps } from "../support/apps/quick-apps";

useQuickApps();

const README = path.join(__dirname, "..", "..", "README.md");
const root = path.dirname(README);
const readme = readFileSync(README, "utf8");

/** Returns the text between two markers of the README, without the lines of the code fence. */
const shown = (marker: string): string =>
  new RegExp(`<!-- ${marker} -->\\n\`\`\`(?:text)?\\n(.*?)\\n\`\`\`\\n<!-- /${marker} -->`, "s").exec(
    readme,
  )![1]!;

const withoutBlankEnds = (text: string): string => text.replace(/^\n+|\n+$/g, "");

/** The tests run the app of the README, and compare the outputs with the page. */
describe("the README's app", () => {
  // The folder is inside the project, so that the app finds the packages of a user's project.
  const folder = mkdtempSync(path.join(root, ".steward-readme-"));
  let service: Service;

  beforeAll(async () => {
    // In this checkout, only the package for cdktf is linked. test/acceptance/packages runs apps with the package for cdktn.
    const app = /```ts\n(.*?)```/s.exec(readme)![1]!.replaceAll(/\bcdktn\b/g, "cdktf");
    writeFileSync(path.join(folder, "main.ts"), app);
    service = await startService({ fixture: path.join(root, "examples", "quickstart", "fixture.yaml") });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function steward(...words: string[]): Promise<{ stdout: string; code: number }> {
    const env = {
      ...process.env,
      STEWARD_BASE_URL: service.url,
      STEWARD_TOKEN: "quickstart-maintainer-token",
    };
    const args = [
      path.join(root, "dist", "cli", "main.js"),
      ...words,
      "--state",
      path.join(folder, "s.tfstate"),
    ];
    const app = ["--app", "node --import tsx main.ts"];
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [...args, ...app], { cwd: folder, env });
      return { stdout, code: 0 };
    } catch (problem) {
      const { stdout, stderr, code } = problem as { stdout: string; stderr: string; code: number };
      if (code !== 2) throw new Error(stderr);
      return { stdout, code };
    }
  }

  test("plan --access of the README's app prints the access that the README shows", async () => {
    const { stdout } = await steward("plan", "--access");
    expect(withoutBlankEnds(stdout)).toMatch(/\nPlan: 3 to add, 0 to change, 0 to destroy\.\n/);
    expect(withoutBlankEnds(stdout).endsWith(`\n\n${shown("access")}`)).toBe(true);
  });

  test("after three manual changes, drift of the README's app prints the line that the README shows", async () => {
    await steward("apply", "--auto-approve");
    const api = async (method: string, place: string, body?: object) => {
      const answer = await fetch(`${service.url}/api/v4/projects/acme%2Fweb-shop${place}`, {
        method,
        headers: { "PRIVATE-TOKEN": service.adminToken, "Content-Type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
      });
      expect(answer.ok).toBe(true);
    };
    await api("POST", "/job_token_scope/allowlist", { target_project_id: 5 });
    await api("DELETE", "/protected_environments/production");
    await api("PATCH", "/job_token_scope", { enabled: false });
    const { stdout, code } = await steward("drift");
    expect(code).toBe(2);
    expect(withoutBlankEnds(stdout).split("\n").at(-1)).toBe(shown("drift"));
  });
});
