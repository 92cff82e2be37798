import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ownPlatform, platformOf } from "../../../src/plugin";

const folder = mkdtempSync(path.join(tmpdir(), "plugin-platform-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a file with these bytes at these offsets. */
function fileWith(...parts: readonly (readonly [offset: number, bytes: readonly number[]])[]): string {
  const content = Buffer.alloc(256);
  for (const [offset, bytes] of parts) content.set(bytes, offset);
  const file = path.join(folder, "program");
  writeFileSync(file, content);
  return file;
}

const ELF = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1];
const MACH_O = [0xcf, 0xfa, 0xed, 0xfe];
const PE = [0x50, 0x45, 0, 0];

test("Steward recognizes the platform of an executable by the executable's header", () => {
  expect(platformOf(process.execPath)).toBe(ownPlatform());
  expect(platformOf(fileWith([0, ELF], [0x12, [0x3e]]))).toBe("linux_amd64");
  expect(platformOf(fileWith([0, ELF], [0x12, [0xb7]]))).toBe("linux_arm64");
  expect(platformOf(fileWith([0, MACH_O], [4, [7, 0, 0, 1]]))).toBe("darwin_amd64");
  expect(platformOf(fileWith([0, MACH_O], [4, [12, 0, 0, 1]]))).toBe("darwin_arm64");
  expect(platformOf(fileWith([0, [0x4d, 0x5a]], [0x3c, [0x80]], [0x80, [...PE, 0x64, 0x86]]))).toBe(
    "windows_amd64",
  );
  expect(platformOf(fileWith([0, [0x4d, 0x5a]], [0x3c, [0x80]], [0x80, [...PE, 0x64, 0xaa]]))).toBe(
    "windows_arm64",
  );
});

test.each([
  ["a script", [[0, [...Buffer.from("#!/bin/sh\n")]]]],
  ["an ELF file of FreeBSD", [[0, [...ELF, 9]]]],
  ["an ELF file of another processor", [[0, ELF]]],
  ["a DOS program", [[0, [0x4d, 0x5a]]]],
  [
    "a DOS program whose header points beyond the file",
    [
      [0, [0x4d, 0x5a]],
      [0x3c, [0xff, 0xff, 0xff, 0xff]],
    ],
  ],
] as const)("Steward recognizes no platform in this file: %s", (_what, parts) => {
  expect(platformOf(fileWith(...parts))).toBeUndefined();
});
