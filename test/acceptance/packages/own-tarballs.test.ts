import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const { ownTarballs }: { ownTarballs: (folder: string, names: readonly string[]) => string[] } =
  require("../../../scripts/pack/own-tarballs");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "own-tarballs-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const NAMES = ["cdktf-provider-steward", "cdktn-provider-steward"];

/** Writes a package as npm packs it. */
function pack(name: string, file: string): string {
  mkdirSync(path.join(folder, "package"), { recursive: true });
  writeFileSync(path.join(folder, "package", "LICENSE"), "x".repeat(1_000));
  writeFileSync(path.join(folder, "package", "package.json"), JSON.stringify({ name, version: "1.0.0" }));
  const files = ["package/LICENSE", "package/package.json"];
  execFileSync("tar", ["-czf", file, ...files], { cwd: folder });
  return path.join(folder, file);
}

test("packing removes packages of earlier runs, of any version, and nothing else", () => {
  const own = [pack(NAMES[0]!, "old.tgz"), pack(NAMES[1]!, `${NAMES[1]}-1.0.0.tgz`)];
  pack("another", "another-1.0.0.tgz");
  writeFileSync(path.join(folder, "backup.tgz"), "no archive");
  writeFileSync(path.join(folder, "notes.txt"), "");
  expect(ownTarballs(folder, NAMES).sort()).toEqual(own.sort());
});

test("packing refuses a file of another origin that npm would overwrite", () => {
  writeFileSync(path.join(folder, `${NAMES[0]}-1.0.0.tgz`), "no archive");
  expect(() => ownTarballs(folder, NAMES)).toThrow(/is not a package of an earlier run/);
});
