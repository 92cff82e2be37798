import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { steward } from "../cli/support/process";
import { describeFeature } from "../support/compatibility";

jest.setTimeout(900_000);

const run = promisify(execFile);
const root = path.join(__dirname, "../..");
const app = path.join(root, "examples/quickstart/main.ts");
const loader = pathToFileURL(path.join(root, "node_modules/tsx/dist/loader.mjs")).href;
const { devDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  devDependencies: { cdktf: string };
};

describeFeature(
  "cdktf-on-mirror",
  ["terraform-1.11", "terraform-1.16", "opentofu-1.12"],
  (program) => {
    let service: Service;
    let folder: string;
    let env: NodeJS.ProcessEnv;
    const cdktf = async (words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> => {
      const file = path.join(folder, "node_modules/cdktf-cli/bundle/bin/cdktf");
      const { stdout, stderr } = await run(process.execPath, [file, ...words], {
        cwd: folder,
        env: { ...env, ...more },
        maxBuffer: 1e8,
      });
      return stripVTControlCharacters(`${stdout}${stderr}`);
    };

    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), "steward-cdktf-mirror-"));
      writeFileSync(path.join(folder, "package.json"), '{ "private": true }');
      const cli = `cdktf-cli@${devDependencies.cdktf}`;
      await run("npm", ["install", cli, "--ignore-scripts", "--no-audit"], { cwd: folder });
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
        // No registry is asked.
        HTTPS_PROXY: "http://127.0.0.1:9",
        TF_REGISTRY_DISCOVERY_RETRY: "0",
        STEWARD_BASE_URL: service.url,
        STEWARD_TOKEN: "quickstart-maintainer-token",
      };
    });
    afterAll(async () => {
      await service?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test("the first run of a stack fails without the flag and without the variable, as it asks a registry", async () => {
      await expect(cdktf(["diff", "quickstart"])).rejects.toThrow();
      rmSync(path.join(folder, "cdktf.out"), { recursive: true });
    });

    test("no flag is needed with the variable, and neither of them once the stack has its lock file", async () => {
      const lock = { TF_CLI_ARGS_providers_lock: `-fs-mirror=${path.join(folder, "mirror")}` };
      expect(await cdktf(["diff", "quickstart"], lock)).toContain(
        "Plan: 5 to add, 0 to change, 0 to destroy.",
      );
      const deployed = await cdktf(["deploy", "quickstart", "--auto-approve"]);
      expect(deployed).toContain("Apply complete! Resources: 5 added, 0 changed, 0 destroyed.");
      expect(await cdktf(["diff", "quickstart"])).toContain("No changes.");
    });
  },
  { needs: "npm's registry, and SOAK=1", isThere: process.env["SOAK"] !== undefined },
);
