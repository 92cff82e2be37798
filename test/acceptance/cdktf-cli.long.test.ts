import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { steward } from "../cli/support/process";
import { describeWhere, programFor } from "../support/capabilities";

jest.setTimeout(900_000);

const run = promisify(execFile);
const root = path.join(__dirname, "../..");
const app = path.join(root, "examples/quickstart/main.ts");
const loader = pathToFileURL(path.join(root, "node_modules/tsx/dist/loader.mjs")).href;
const { devDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  devDependencies: { cdktf: string };
};

// 480 packages and 420 MB, too much to install for every checkout; this test installs it when everything is run.
const engine = process.env["SOAK"] ? programFor("engine") : undefined;

describeWhere(engine, "terraform or tofu, npm's registry, and SOAK=1", "the cdktf CLI", (program) => {
  let service: Service;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  const cdktf = async (...words: string[]): Promise<string> => {
    const file = path.join(folder, "node_modules/cdktf-cli/bundle/bin/cdktf");
    const { stdout, stderr } = await run(process.execPath, [file, ...words], {
      cwd: folder,
      env,
      maxBuffer: 1e8,
    });
    return stripVTControlCharacters(`${stdout}${stderr}`);
  };

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "steward-cdktf-"));
    writeFileSync(path.join(folder, "package.json"), '{ "private": true }');
    // Its one native module is for questions on a terminal.
    await run("npm", ["install", `cdktf-cli@${devDependencies.cdktf}`, "--ignore-scripts", "--no-audit"], {
      cwd: folder,
    });
    service = await startService({ fixture: path.join(root, "examples/quickstart/fixture.yaml") });
    const mirror = await steward(["mirror", "mirror"], { folder });
    writeFileSync(
      path.join(folder, "cdktf.json"),
      JSON.stringify({
        language: "typescript",
        app: `"${process.execPath}" --import ${loader} "${app}"`,
        projectId: "steward-acceptance",
        sendCrashReports: "false",
      }),
    );
    env = {
      PATH: process.env["PATH"],
      HOME: folder,
      CI: "1",
      CHECKPOINT_DISABLE: "1",
      DISABLE_VERSION_CHECK: "true",
      TERRAFORM_BINARY_NAME: program,
      TF_CLI_CONFIG_FILE: mirror.out.trim(),
      STEWARD_BASE_URL: service.url,
      STEWARD_TOKEN: "quickstart-maintainer-token",
    };
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("diff, deploy and destroy work on the quickstart, with the provider from a mirror", async () => {
    // Its lock file is made by asking the provider's own registry, which a mirror stands for.
    const first = await cdktf("diff", "quickstart", "--skip-provider-lock");
    expect(first).toContain("Plan: 5 to add, 0 to change, 0 to destroy.");
    const deployed = await cdktf("deploy", "quickstart", "--auto-approve", "--skip-provider-lock");
    expect(deployed).toContain("Apply complete! Resources: 5 added, 0 changed, 0 destroyed.");
    expect(deployed).toContain("production_environment = 1:production");
    const again = await cdktf("diff", "quickstart", "--skip-provider-lock");
    expect(again).toContain("No changes.");
    const destroyed = await cdktf("destroy", "quickstart", "--auto-approve", "--skip-provider-lock");
    expect(destroyed).toContain("Resources: 5 destroyed.");
    for (const said of [first, deployed, again, destroyed])
      expect(said).not.toContain("quickstart-maintainer-token");
  });

  test("deploy and destroy work under `steward exec`, without a mirror", async () => {
    const file = path.join(folder, "node_modules/cdktf-cli/bundle/bin/cdktf");
    const { TF_CLI_CONFIG_FILE: _mirror, ...rest } = env;
    const exec = async (...words: string[]): Promise<string> => {
      const args = ["exec", "--", process.execPath, file, ...words, "quickstart", "--auto-approve"];
      const ended = await steward([...args, "--skip-provider-lock"], {
        folder,
        env: rest as Record<string, string>,
      });
      expect(`${ended.out}${ended.err}`).not.toContain("quickstart-maintainer-token");
      expect(ended.code).toBe(0);
      return stripVTControlCharacters(ended.out);
    };
    expect(await exec("deploy")).toContain("Apply complete! Resources: 5 added, 0 changed, 0 destroyed.");
    expect(await exec("destroy")).toContain("Resources: 5 destroyed.");
  });
});
