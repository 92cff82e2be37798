import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { writeMirror } from "../../../src/plugin";
import { describeWith } from "../../support/capabilities";
import { Company } from "../support/company";

jest.setTimeout(120_000);

const SOURCE = "registry.steward.example/steward/steward";

describeWith("engine", "the filesystem mirror", (engine) => {
  let company: Company;
  let folder: string;
  beforeAll(async () => {
    company = await Company.start(engine);
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "plugin-mirror-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  afterAll(() => company.end());

  const script = () => path.join(path.dirname(company.mirror.program), "provider.js");
  const write = (to: string, version = company.mirror.version, platforms?: readonly string[]) =>
    writeMirror(to, { program: script(), source: SOURCE, version, ...(platforms && { platforms }) });

  test("a folder whose name has quotes, spaces and templates serves as well", async () => {
    const odd = path.join(folder, 'my "${mirror}"');
    const workspace = company.workspace({ TF_CLI_CONFIG_FILE: await write(odd) });
    workspace.write("main.tf", 'data "steward_current_user" "this" {}\n');
    await workspace.succeed("init");
    await workspace.apply();
  });

  test("other hosts stay with their registries", async () => {
    const text = readFileSync(await write(folder), "utf8");
    expect(text).toContain('include = ["registry.steward.example/*/*"]');
    expect(text).toContain('exclude = ["registry.steward.example/*/*"]');
  });

  test("several platforms, of which only this one has compiled code", async () => {
    const own = path.basename(path.dirname(company.mirror.program));
    await write(folder, "1.2.3", [own, "plan9_arm"]);
    const place = (platform: string) => path.join(folder, SOURCE, "1.2.3", platform);
    expect(existsSync(path.join(place(own), "provider.js.cache"))).toBe(true);
    expect(existsSync(path.join(place("plan9_arm"), "provider.js.cache"))).toBe(false);
    const launcher = path.join(place("plan9_arm"), "terraform-provider-steward_v1.2.3");
    expect(statSync(launcher).mode & 0o111).toBe(0o111);
  });

  test("compiled code that this Node can't use is passed over", async () => {
    const configuration = await write(folder);
    const own = path.basename(path.dirname(company.mirror.program));
    writeFileSync(
      path.join(folder, SOURCE, company.mirror.version, own, "provider.js.cache"),
      "of another release",
    );
    const workspace = company.workspace({ TF_CLI_CONFIG_FILE: configuration });
    workspace.write("main.tf", 'data "steward_current_user" "this" {}\n');
    await workspace.succeed("init");
    await workspace.apply();
  });

  test("a program that does not start is said at once", async () => {
    const broken = path.join(folder, "broken.js");
    writeFileSync(broken, "process.exit(3)");
    const mirror = writeMirror(path.join(folder, "mirror"), {
      program: broken,
      source: SOURCE,
      version: "1.0.0",
    });
    await expect(mirror).rejects.toThrow("does not start: it ended with 3");
  });
});
