import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { describeWhere } from "../support/capabilities";

// What a user does first, in an empty folder: install, compile, synth, plan. Nothing of it warns of anything.

jest.setTimeout(900_000);

const run = promisify(execFile);
const root = path.join(__dirname, "../..");
const PNPM = "pnpm@10";

const APP = `import { App, TerraformStack } from "cdktf";
import { AccessLevel, JobTokenScope, ProtectedEnvironment, StewardProvider } from "cdktf-provider-steward";
import { createClient } from "cdktf-provider-steward/api";
import { type EngineOptions, plan } from "cdktf-provider-steward/engine";
import { createProvider } from "cdktf-provider-steward/provider";
import { startService } from "cdktf-provider-steward/testing";

export const options: EngineOptions = { providers: [createProvider()] };
export const used = [createClient, plan, startService];
const app = new App();
const stack = new TerraformStack(app, "web");
new StewardProvider(stack, "steward");
const project = "acme/web-shop";
new JobTokenScope(stack, "limit", { project, inboundEnabled: true });
const deployAccessLevels = [{ accessLevel: AccessLevel.MAINTAINER }];
new ProtectedEnvironment(stack, "production", { project, name: "production", deployAccessLevels });
app.synth();
`;
const COMPILER = { module: "nodenext", target: "es2022", strict: true, types: ["node"] };

/** What was written, without what npm says of settings of this machine. */
const warnings = ({ stdout, stderr }: { stdout: string; stderr: string }): string[] =>
  `${stdout}${stderr}`
    .split("\n")
    .filter((line) => /warn|deprecat|ERESOLVE|EBADENGINE/i.test(line))
    .filter((line) => !/Unknown (user|env|project) config/.test(line));

// It takes a minute for each program, and a registry: everything is run with SOAK=1.
describeWhere(process.env["SOAK"], "npm's registry, and SOAK=1", "a plain install", () => {
  let work: string;
  let tarball: string;
  let service: Service;

  beforeAll(async () => {
    work = mkdtempSync(path.join(tmpdir(), "steward-install-"));
    const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--pack-destination", work], {
      cwd: root,
    });
    tarball = path.join(work, stdout.trim().split("\n").at(-1)!);
    service = await startService({ fixture: path.join(root, "examples/quickstart/fixture.yaml") });
  });
  afterAll(async () => {
    await service?.close();
    rmSync(work, { recursive: true, force: true });
  });

  test.each([
    ["npm", ["npm", "install"]],
    ["pnpm", ["npx", "--yes", PNPM, "add"]],
  ])("with %s compiles, synthesizes and plans, without a warning", async (name, [program, ...words]) => {
    const folder = path.join(work, name);
    mkdirSync(folder);
    const installed = await run(program!, [...words, tarball, "cdktf", "constructs"], { cwd: folder });
    expect(warnings(installed)).toEqual([]);
    writeFileSync(path.join(folder, "main.ts"), APP);
    writeFileSync(
      path.join(folder, "tsconfig.json"),
      JSON.stringify({
        // With pnpm the types of Node are not beside those of the app.
        compilerOptions: { ...COMPILER, typeRoots: [path.join(root, "node_modules/@types")] },
        files: ["main.ts"],
      }),
    );
    writeFileSync(
      path.join(folder, "cdktf.json"),
      JSON.stringify({
        language: "typescript",
        app: `"${process.execPath}" main.js`,
        sendCrashReports: "false",
      }),
    );
    const compiled = await run(path.join(root, "node_modules/.bin/tsc"), ["-p", "."], { cwd: folder });
    expect(compiled.stdout).toBe("");
    const steward = (command: string) =>
      run(path.join(folder, "node_modules/.bin/steward"), [command], {
        cwd: folder,
        env: {
          PATH: process.env["PATH"],
          HOME: folder,
          STEWARD_BASE_URL: service.url,
          STEWARD_TOKEN: "quickstart-maintainer-token",
        },
      });
    expect(warnings(await steward("synth"))).toEqual([]);
    const planned = await steward("plan");
    expect(warnings(planned)).toEqual([]);
    expect(planned.stdout).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
  });
});
