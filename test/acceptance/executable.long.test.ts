import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { steward } from "../cli/support/process";
import { Workspace } from "../plugin/support/workspace";
import { describeWhere, programFor } from "../support/capabilities";

jest.setTimeout(300_000);

const root = path.join(__dirname, "../..");

// A hundred megabytes are copied and rewritten: long for every run.
const engine = process.env["SOAK"] ? programFor("engine") : undefined;

describeWhere(
  engine,
  "terraform or tofu, and SOAK=1",
  "the executable for a machine without Node",
  (program) => {
    let service: Service;
    let folder: string;
    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), "steward-executable-"));
      service = await startService({ fixture: path.join(root, "examples/quickstart/fixture.yaml") });
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true });
      await service.close();
    });

    test("is made by a script, handed out by the mirror, and used with nothing on the PATH", async () => {
      const executable = path.join(folder, "provider");
      const script = path.join(root, "scripts/plugin/build-executable.js");
      const said = execFileSync(process.execPath, [script, executable], { encoding: "utf8" });
      expect(said).toMatch(/^\S+: \d+ MB, with Node v\d+/m);
      const { out, code } = await steward(["mirror", "mirror", "--executable", executable], { folder });
      expect(code).toBe(0);
      const workspace = new Workspace(program, {
        PATH: "",
        TF_CLI_CONFIG_FILE: out.trim(),
        STEWARD_BASE_URL: service.url,
        STEWARD_TOKEN: "quickstart-owner-token",
      });
      workspace.write(
        "main.tf",
        'resource "steward_job_token_scope" "docs" {\n  project = "acme/docs"\n  inbound_enabled = true\n}\n',
      );
      await workspace.succeed("init");
      await workspace.apply();
      expect((await workspace.plan()).changes).toBe(false);
      await workspace.succeed("destroy", "-auto-approve");
      workspace.remove();
    });
  },
);
