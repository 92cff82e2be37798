import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { unzipSync } from "fflate";
import { writeRegistryFiles } from "../../scripts/release/registry-files";

const folder = mkdtempSync(path.join(tmpdir(), "steward-registry-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a release with small files instead of executables, and returns its parts. */
function release(name: string): { readonly checksums: string; readonly files: ReadonlyMap<string, Buffer> } {
  const target = path.join(folder, name);
  mkdirSync(target);
  const executables = ["linux_amd64", "windows_amd64"].map((platform): [string, string] => {
    const file = path.join(folder, `${name}-${platform}`);
    writeFileSync(file, `program for ${platform}`);
    return [platform, file];
  });
  const checksums = writeRegistryFiles(target, "1.2.3", new Map(executables));
  const names = readdirSync(target).sort();
  return { checksums, files: new Map(names.map((each) => [each, readFileSync(path.join(target, each))])) };
}

const { checksums, files } = release("once");
const PREFIX = "terraform-provider-steward_1.2.3";

test("a release contains a package for each platform, a manifest and checksums, under the names that registries require", () => {
  expect([...files.keys()]).toEqual([
    `${PREFIX}_SHA256SUMS`,
    `${PREFIX}_linux_amd64.zip`,
    `${PREFIX}_manifest.json`,
    `${PREFIX}_windows_amd64.zip`,
  ]);
  expect(path.basename(checksums)).toBe(`${PREFIX}_SHA256SUMS`);
});

test("a package contains only the executable, under the name that Terraform expects", () => {
  const packaged = (platform: string) =>
    Object.entries(unzipSync(files.get(`${PREFIX}_${platform}.zip`)!)).map(([name, content]) => [
      name,
      Buffer.from(content).toString(),
    ]);
  expect(packaged("linux_amd64")).toEqual([["terraform-provider-steward_v1.2.3", "program for linux_amd64"]]);
  expect(packaged("windows_amd64")).toEqual([
    ["terraform-provider-steward_v1.2.3.exe", "program for windows_amd64"],
  ]);
});

test("the manifest contains the version of the plugin protocol", () => {
  expect(JSON.parse(files.get(`${PREFIX}_manifest.json`)!.toString())).toEqual({
    version: 1,
    metadata: { protocol_versions: ["6.0"] },
  });
});

test("the checksum file contains the SHA-256 of each package and of the manifest", () => {
  const listed = files.get(`${PREFIX}_SHA256SUMS`)!.toString().trimEnd().split("\n");
  const covered = [...files].filter(([name]) => !name.endsWith("SHA256SUMS"));
  expect(listed).toEqual(
    covered.map(([name, content]) => `${createHash("sha256").update(content).digest("hex")}  ${name}`),
  );
});

test("two releases of the same executables have the same bytes", () => {
  expect(release("again").files).toEqual(files);
});
