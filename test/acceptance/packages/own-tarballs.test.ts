import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";

const { ownTarballs }: { ownTarballs: (folder: string, names: readonly string[]) => string[] } =
  require("../../../scripts/pack/own-tarballs");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "own-tarballs-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const NAMES = ["cdktf-provider-steward", "cdktn-provider-steward"];

/** Returns a file as an entry of a tar archive (ustar). */
function tarEntry(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  const sizes = `0000644\0${"0000000\0".repeat(2)}${content.length.toString(8).padStart(11, "0")}\0`;
  header.write(name, 0);
  header.write(`${sizes}${"0".repeat(11)}\0        0`, 100);
  header.write("ustar\0" + "00", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc(-content.length & 511)]);
}

/** Writes a package as npm packs it. */
function pack(name: string, file: string): string {
  const entries = [
    tarEntry("package/LICENSE", "x".repeat(1_000)),
    tarEntry("package/package.json", JSON.stringify({ name, version: "1.0.0" })),
  ];
  writeFileSync(path.join(folder, file), gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)])));
  return path.join(folder, file);
}

test("the search for packages that earlier runs packed ignores other packages, archives and files", () => {
  const own = [pack(NAMES[0]!, "old.tgz"), pack(NAMES[1]!, `${NAMES[1]}-1.0.0.tgz`)];
  pack("another", "another-1.0.0.tgz");
  writeFileSync(path.join(folder, "backup.tgz"), "no archive");
  writeFileSync(path.join(folder, "notes.txt"), "");
  expect(ownTarballs(folder, NAMES).sort()).toEqual(own.sort());
});

test("if a file with the name of the new package is not a package, packing fails", () => {
  writeFileSync(path.join(folder, `${NAMES[0]}-1.0.0.tgz`), "no archive");
  expect(() => ownTarballs(folder, NAMES)).toThrow(/is not a package of an earlier run/);
});
