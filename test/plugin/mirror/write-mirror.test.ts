import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { unzipSync } from "fflate";
import { writeMirror } from "../../../src/plugin";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "plugin-write-mirror-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const PROGRAM = { script: Buffer.from("0;\n"), licences: Buffer.from("MIT\n") };
const SOURCE = "registry.example/acme/steward";
const inProvider = (...names: readonly string[]) => path.join(folder, SOURCE, ...names);
const readJson = (name: string): unknown => JSON.parse(readFileSync(inProvider(name), "utf8"));

/** Writes a mirror for platforms other than this machine, so that the command starts no program. */
const write = (version: string, ...platforms: readonly string[]) =>
  writeMirror(folder, {
    programs: new Map(platforms.map((platform) => [platform, PROGRAM])),
    source: SOURCE,
    version,
  });

describe("a mirror", () => {
  test("for each package, the mirror's folder and zip file contain the same files", async () => {
    await write("1.0.0", "plan9_arm");
    const zip = unzipSync(readFileSync(inProvider("terraform-provider-steward_1.0.0_plan9_arm.zip")));
    const names = readdirSync(inProvider("1.0.0", "plan9_arm"));
    expect(Object.keys(zip).sort()).toEqual(names.sort());
    for (const name of names)
      expect(Buffer.from(zip[name]!)).toEqual(readFileSync(inProvider("1.0.0", "plan9_arm", name)));
    expect(statSync(inProvider("1.0.0", "plan9_arm", "terraform-provider-steward_v1.0.0")).mode & 0o111).toBe(
      0o111,
    );
  });

  test("Terraform's CLI configuration uses the mirror only for providers of the host registry.example", async () => {
    const configuration = readFileSync(await write("1.0.0", "plan9_arm"), "utf8");
    for (const argument of ["include", "exclude"])
      expect(configuration).toContain(`${argument} = ["registry.example/*/*"]`);
  });

  test("a mirror contains the JSON files of the network mirror protocol, with versions, packages and checksums", async () => {
    await write("1.0.0", "plan9_arm", "plan9_386");
    expect(readJson("index.json")).toEqual({ versions: { "1.0.0": {} } });
    const url = "terraform-provider-steward_1.0.0_plan9_arm.zip";
    const digest = createHash("sha256")
      .update(readFileSync(inProvider(url)))
      .digest("hex");
    expect(readJson("1.0.0.json")).toEqual({
      archives: {
        plan9_386: { url: "terraform-provider-steward_1.0.0_plan9_386.zip", hashes: expect.anything() },
        plan9_arm: { url, hashes: [expect.stringMatching(/^h1:/), `zh:${digest}`] },
      },
    });
    expect(statSync(inProvider("1.0.0.json")).mode & 0o777).toBe(0o644);
  });

  test("if a package is added to a mirror, the mirror's other packages stay", async () => {
    await write("1.0.0", "plan9_arm");
    await write("1.1.0", "plan9_arm");
    await write("1.1.0", "plan9_386");
    expect(readJson("index.json")).toEqual({ versions: { "1.0.0": {}, "1.1.0": {} } });
    const { archives } = readJson("1.1.0.json") as { archives: object };
    expect(Object.keys(archives)).toEqual(["plan9_386", "plan9_arm"]);
  });

  test("if a package's file was removed, the next write of the mirror does not list this package", async () => {
    await write("1.0.0", "plan9_arm");
    rmSync(inProvider("terraform-provider-steward_1.0.0_plan9_arm.zip"));
    await write("1.0.0", "plan9_386");
    const { archives } = readJson("1.0.0.json") as { archives: object };
    expect(Object.keys(archives)).toEqual(["plan9_386"]);
  });

  test.each([
    ["no JSON", "{", /1\.0\.0\.json is not JSON/],
    ["JSON of something else", '{"versions":{}}', /1\.0\.0\.json is not a file of a network mirror/],
    [
      "packages outside of the folder",
      '{"archives":{"linux_amd64":{"url":"../../package.zip","hashes":[]}}}',
      /1\.0\.0\.json is not a file of a network mirror/,
    ],
  ])(
    "if a mirror's list of packages contains %s, the next write fails and leaves the list unchanged",
    async (_what, text, message) => {
      await write("1.0.0", "plan9_arm");
      writeFileSync(inProvider("1.0.0.json"), text);
      await expect(write("1.0.0", "plan9_386")).rejects.toThrow(message);
      expect(readFileSync(inProvider("1.0.0.json"), "utf8")).toBe(text);
    },
  );
});
