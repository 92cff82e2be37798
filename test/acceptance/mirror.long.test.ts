import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { type Ended, steward } from "../cli/support/process";
import { Workspace } from "../plugin/support/workspace";
import { describeWith } from "../support/capabilities";

jest.setTimeout(120_000);

const FIXTURE = path.join(__dirname, "../../examples/quickstart/fixture.yaml");
const TOKEN = "quickstart-owner-token";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-mirror-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const mirror = (...words: readonly string[]): Promise<Ended> =>
  steward(["mirror", ...words], { folder, env: { STEWARD_TOKEN: TOKEN } });

describe("steward mirror", () => {
  test("steward mirror prints only the path of the CLI configuration on stdout", async () => {
    const { code, out, err } = await mirror("providers");
    expect({ code, out }).toEqual({ code: 0, out: `${path.join(folder, "providers", "steward.tfrc")}\n` });
    expect(err).toContain("TF_CLI_CONFIG_FILE");
  });

  test("a second steward mirror in the same folder leaves the CLI configuration unchanged", async () => {
    const { out } = await mirror("providers");
    const before = readFileSync(out.trim(), "utf8");
    expect(await mirror("providers")).toMatchObject({ code: 0, out });
    expect(readFileSync(out.trim(), "utf8")).toBe(before);
  });

  test("if steward mirror can't write to a folder, the error contains the folder's path", async () => {
    writeFileSync(path.join(folder, "file"), "");
    const { code, out, err } = await mirror("file/below");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("The mirror can't be written");
    expect(err).toContain(path.join(folder, "file/below"));
  });

  test("steward mirror refuses a file that is not the executable of a provider", async () => {
    writeFileSync(path.join(folder, "program"), "#!/bin/sh\necho hello\n");
    chmodSync(path.join(folder, "program"), 0o755);
    const { code, err } = await mirror("providers", "--executable", "program");
    expect(code).toBe(1);
    expect(err).toContain("does not speak version 6 of the plugin protocol");
    expect(existsSync(path.join(folder, "providers"))).toBe(false);
  });

  test("for the platform windows_amd64, steward mirror without --executable fails", async () => {
    const { code, err } = await mirror("providers", "--platform", "windows_amd64");
    expect(code).toBe(1);
    expect(err).toContain("--executable");
  });

  test("if --platform contains no architecture, steward mirror fails", async () => {
    expect(await mirror("providers", "--platform", "linux")).toMatchObject({ code: 1, out: "" });
    expect((await mirror()).err).toContain("Missing argument");
  });
});

describeWith("engine", "steward mirror under a real engine", (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ fixture: FIXTURE });
  });
  afterAll(() => service.close());

  test("with the mirror's CLI configuration, Terraform in a new folder uses the provider of the mirror", async () => {
    const { out } = await mirror("my providers");
    const workspace = new Workspace(engine, {
      TF_CLI_CONFIG_FILE: out.trim(),
      STEWARD_BASE_URL: service.url,
      STEWARD_TOKEN: TOKEN,
    });
    workspace.write(
      "main.tf",
      'resource "steward_protected_environment" "live" {\n  project = "acme/docs"\n  name = "live"\n' +
        "  deploy_access_levels = [{ access_level = 40 }]\n}\n",
    );
    await workspace.succeed("init");
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
    workspace.remove();
  });
});
