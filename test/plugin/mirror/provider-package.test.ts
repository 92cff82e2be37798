import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { unzipSync } from "fflate";
import { lockHashes, zipPackage } from "../../../src/plugin/mirror/provider-package";
import { describeWith } from "../../support/capabilities";

const FILES = [
  { name: "terraform-provider-steward_v1.0.0", content: Buffer.from("#!/bin/sh\n"), isExecutable: true },
  { name: "LICENCES.txt", content: Buffer.from("MIT\n".repeat(100)), isExecutable: false },
];

test("the bytes of a package do not depend on the time zone and the order of files", () => {
  const zip = zipPackage(FILES);
  const before = process.env["TZ"];
  try {
    for (const zone of ["Pacific/Kiritimati", "America/Los_Angeles"]) {
      process.env["TZ"] = zone;
      expect(zipPackage([...FILES].reverse())).toEqual(zip);
    }
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
  expect(Object.keys(unzipSync(zip))).toEqual(["LICENCES.txt", "terraform-provider-steward_v1.0.0"]);
});

test("the h1 and zh checksums of a package do not depend on the order of files", () => {
  const zip = zipPackage(FILES);
  const hashes = lockHashes(FILES, zip);
  expect(hashes).toEqual([
    expect.stringMatching(/^h1:[A-Za-z0-9+/]{43}=$/),
    expect.stringMatching(/^zh:[0-9a-f]{64}$/),
  ]);
  expect(lockHashes([...FILES].reverse(), zip)).toEqual(hashes);
});

describeWith("python", "the zip file of a package, read by another implementation", (python) => {
  test("the zip file of a package contains each file's permissions and the same fixed time for all files", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "plugin-package-"));
    writeFileSync(path.join(folder, "package.zip"), zipPackage(FILES));
    const script =
      "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n" +
      "for i in z.infolist(): print(i.filename, oct(i.external_attr >> 16), i.date_time, i.create_system, i.file_size)";
    const read = execFileSync(python, ["-c", script, path.join(folder, "package.zip")], { encoding: "utf8" });
    expect(read).toBe(
      "LICENCES.txt 0o100644 (1980, 1, 1, 0, 0, 0) 3 400\n" +
        "terraform-provider-steward_v1.0.0 0o100755 (1980, 1, 1, 0, 0, 0) 3 10\n",
    );
    rmSync(folder, { recursive: true });
  });
});
