import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { ownPlatform } from "../../src/plugin";
import { steward } from "../cli/support/process";
import { Workspace } from "../plugin/support/workspace";
import { describeWhere, programFor } from "../support/capabilities";

jest.setTimeout(600_000);

const start = promisify(execFile);
const root = path.join(__dirname, "../..");
const fixture = path.join(root, "examples/quickstart/fixture.yaml");
const TOKEN = "quickstart-owner-token";
const SCOPE = {
  resource: { steward_job_token_scope: { docs: { project: "acme/docs", inbound_enabled: true } } },
};

// Only a soak runs this test: it downloads Node, and copies and rewrites a hundred megabytes.
const engine = process.env["SOAK"] ? programFor("engine") : undefined;

describeWhere(
  engine,
  "terraform or tofu, npm's registry, and SOAK=1",
  "the single executable, on a machine without Node",
  (program) => {
    let service: Service;
    let folder: string;
    let executable: string;
    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), "steward-executable-"));
      executable = path.join(folder, "steward");
      writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify(SCOPE));
      const script = ["--import", "tsx", path.join(root, "scripts/build-executable.ts")];
      await start(process.execPath, [...script, ownPlatform(), executable], { cwd: root });
      service = await startService({ fixture });
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true });
      await service.close();
    });

    /** The PATH is empty, so that the executable can't find an installed Node. */
    const environment = (url = service.url) => ({
      PATH: "",
      HOME: folder,
      STEWARD_BASE_URL: url,
      STEWARD_TOKEN: TOKEN,
    });
    const run = async (words: readonly string[], url?: string): Promise<string> =>
      (await start(executable, words, { cwd: folder, env: environment(url) })).stdout;

    /**
     * Runs Terraform's commands from `init` to `destroy`. The CLI configuration names the mirror that contains the
     * provider.
     */
    async function useMirror(configuration: string): Promise<void> {
      const workspace = new Workspace(program, { ...environment(), TF_CLI_CONFIG_FILE: configuration });
      workspace.write("main.tf.json", JSON.stringify(SCOPE));
      await workspace.succeed("init");
      await workspace.apply();
      expect((await workspace.plan()).changes).toBe(false);
      await workspace.succeed("destroy", "-auto-approve");
      workspace.remove();
    }

    test("--version of the executable prints the package's version", async () => {
      const digest = createHash("sha256").update(readFileSync(executable)).digest("hex");
      expect(readFileSync(`${executable}.sha256`, "utf8")).toBe(`${digest}  steward\n`);
      const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
        version: string;
      };
      expect(await run(["--version"])).toBe(`${version}\n`);
      expect(JSON.parse(await run(["version", "--json"]))).toMatchObject({
        version,
        platform: ownPlatform(),
      });
    });

    test("the executable can plan, apply, find drift and destroy", async () => {
      const state = ["--config", "main.tf.json", "--state", "own.tfstate"];
      expect(await run(["apply", ...state, "--auto-approve"])).toContain("Resources: 1 added");
      expect(await run(["plan", ...state, "--detailed-exitcode"])).toContain("No changes.");
      expect(await run(["drift", ...state])).toContain("No drift");
      expect(await run(["destroy", ...state, "--auto-approve"])).toContain("Resources: 1 destroyed");
    });

    test("the embedded service of the package reads a data file that the executable's service wrote", async () => {
      const data = path.join(folder, "data.sqlite");
      const served = spawn(executable, ["serve", "--fixture", fixture, "--data", data, "--port", "0"], {
        env: environment(),
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [line] = (await once(createInterface({ input: served.stdout }), "line")) as [string];
      const url = line.replace("listening on ", "");
      await run(["apply", "--config", "main.tf.json", "--state", "served.tfstate", "--auto-approve"], url);
      served.kill("SIGTERM");
      expect(await once(served, "exit")).toEqual([0, null]);
      const again = await startService({ data });
      const scope = await fetch(`${again.url}/api/v4/projects/acme%2Fdocs/job_token_scope`, {
        headers: { "private-token": TOKEN },
      });
      expect(await scope.json()).toMatchObject({ inbound_enabled: true });
      await again.close();
    });

    test("Terraform can use the mirror that the executable's `steward mirror` writes", async () => {
      await useMirror((await run(["mirror", "own mirror"])).trim());
    });

    test("Terraform can use the mirror that the package's `steward mirror --executable` writes", async () => {
      const { out, code } = await steward(["mirror", "mirror", "--executable", executable], { folder });
      expect(code).toBe(0);
      await useMirror(out.trim());
    });
  },
);
