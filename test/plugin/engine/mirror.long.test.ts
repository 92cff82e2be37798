import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ownPlatform } from "../../../src/plugin/mirror/platform";
import { type MirrorOptions, writeMirror } from "../../../src/plugin/mirror/write-mirror";
import { PROVIDER_SOURCE } from "../../../src/provider";
import { describeWith } from "../../support/capabilities";
import { Company, useCompany } from "../support/company";
import { PROGRAM } from "../support/plugin-mirror";

jest.setTimeout(120_000);

describeWith("engine", "the filesystem mirror", (engine) => {
  const company = useCompany(engine, undefined, Company.installing);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "plugin-mirror-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const own = ownPlatform();
  const write = (to: string, changes: Partial<MirrorOptions> = {}) =>
    writeMirror(to, {
      programs: new Map([[own, PROGRAM]]),
      source: PROVIDER_SOURCE,
      version: company().mirror.version,
      ...changes,
    });
  const reading = (configuration: string) => {
    const workspace = company().workspace({ TF_CLI_CONFIG_FILE: configuration });
    workspace.write("main.tf", 'data "steward_current_user" "this" {}\n');
    return workspace;
  };

  test("Terraform can use a mirror in a folder whose name contains quotes, spaces and templates", async () => {
    const workspace = reading(await write(path.join(folder, 'my "${mirror}"')));
    await workspace.succeed("init");
    await workspace.plan();
  });

  test("two mirrors of the same provider in different folders match one lock file", async () => {
    const workspace = reading(await write(folder));
    await workspace.succeed("init");
    const lock = workspace.read(".terraform.lock.hcl");
    const again = path.join(folder, "again");
    const elsewhere = reading(await write(again));
    elsewhere.write(".terraform.lock.hcl", lock);
    await elsewhere.succeed("init", "-lockfile=readonly");
    await elsewhere.plan();
  });

  test.each([
    ["ends at once", "process.exit(3)", "does not serve: it exited with 3"],
    ["says something else", "console.log('hello')", "does not speak version 6"],
  ])("writing a mirror fails if the provider's program %s", async (_what, text, said) => {
    const programs = new Map([[own, { script: Buffer.from(text), licences: Buffer.from("MIT\n") }]]);
    await expect(write(path.join(folder, "mirror"), { programs })).rejects.toThrow(said);
  });

  test("if an executable is not a provider, the mirror command fails and writes nothing", async () => {
    const mirror = path.join(folder, "mirror");
    const executable = (file: string) => ({ programs: new Map([[own, { executable: file }]]) });
    await expect(write(mirror, executable("/bin/echo"))).rejects.toThrow("does not speak");
    await expect(write(mirror, executable(path.join(folder, "none")))).rejects.toThrow("ENOENT");
    expect(existsSync(mirror)).toBe(false);
  });
});
