import { execFile } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "../../src/service";
import { useQuickApps } from "../support/apps/quick-apps";
import { answerCommands, type Commands } from "./support/commands";
import { freePort } from "./support/free-port";
import { type OwnProject, ownProject, ROOT } from "./support/own-project";
import { isRun, scriptOf } from "./support/page";

// The commands of pages start apps and Terraform. On a loaded machine, this takes long.
jest.setTimeout(300_000);
useQuickApps();

const EXAMPLES = path.join(ROOT, "examples");
const PAGES = [
  "README.md",
  ...readdirSync(path.join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
]
  .filter(isRun)
  // packages/npm.long.test.ts tests this page instead, because the commands of the page install the packed package.
  .filter((page) => page !== "docs/getting-started.md");
/**
 * Pages whose commands run in separate processes. These commands load rules in TypeScript. To do this, they change the
 * module loader of the process.
 */
const AS_PROCESSES = new Set(["docs/policies.md"]);

test("the tests include README.md and more than 15 pages with commands", () => {
  expect(PAGES.length).toBeGreaterThan(15);
  expect(PAGES).toEqual(expect.arrayContaining(["README.md", "docs/adopting.md", "docs/state.md"]));
});

describe("every documented command has the result that the page shows", () => {
  let service: Service;
  let project: OwnProject;
  let commands: Commands;
  beforeAll(async () => {
    commands = await answerCommands();
  });
  afterAll(() => commands.close());
  beforeEach(async () => {
    service = await startService({ fixture: path.join(EXAMPLES, "quickstart", "fixture.yaml") });
    project = ownProject();
    cpSync(EXAMPLES, path.join(project.folder, "examples"), { recursive: true });
  });
  afterEach(async () => {
    await service.close();
    project.remove();
  });

  test.each(PAGES)("%s", async (page) => {
    const script = scriptOf(page, await freePort());
    const { PATH = "", HOME = "" } = process.env;
    const env = {
      PATH,
      HOME,
      STEWARD_COMMANDS: AS_PROCESSES.has(page) ? "" : commands.folder,
      STEWARD_PROGRAM: path.join(ROOT, "dist", "cli", "main.js"),
      STEWARD_BASE_URL: service.url,
      STEWARD_TOKEN: "quickstart-maintainer-token",
    };
    const { code, output } = await bash(script, project.folder, env);
    if (code !== 0) throw new Error(output);
  });
});

function bash(script: string, cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile("bash", ["-c", script], { cwd, env }, (problem, stdout, stderr) =>
      resolve({ code: problem === null ? 0 : (child.exitCode ?? 1), output: stdout + stderr }),
    );
  });
}
