import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ServiceOptions, startService } from "../../../src/service";
import { describeWith } from "../../support/capabilities";
import { makePipe } from "../../support/make-pipe";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-service-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const modes = () =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, (statSync(at(name)).mode & 0o777).toString(8)]),
  );

async function start(options: ServiceOptions = {}): Promise<Record<string, string>> {
  const service = await startService({ data: at("data.db"), adminTokenFile: at("token"), ...options });
  try {
    return modes();
  } finally {
    await service.close();
  }
}

const PRIVATE = { "data.db": "600", "data.db-shm": "600", "data.db-wal": "600", token: "600" };

test("the service creates its data file, SQLite's files next to it and the token file with mode 0600", async () => {
  const before = process.umask(0);
  try {
    expect(await start()).toEqual(PRIVATE);
  } finally {
    process.umask(before);
  }
});

test("at its start, the service changes an old data file and SQLite's files to mode 0600", async () => {
  const service = await startService({ data: at("data.db"), adminTokenFile: at("token") });
  const files = ["data.db", "data.db-wal", "data.db-shm"];
  for (const name of files) copyFileSync(at(name), at(`${name}.copy`));
  await service.close();
  for (const name of files) {
    renameSync(at(`${name}.copy`), at(name));
    chmodSync(at(name), 0o644);
  }
  expect(await start()).toEqual(PRIVATE);
});

test("if the option adminToken sets a new token, the service changes an existing token file to mode 0600", async () => {
  writeFileSync(at("token"), "old\n", { mode: 0o644 });
  expect(await start({ adminToken: "a-new-token-1" })).toMatchObject({ token: "600" });
});

test("if the service reads its token from an existing file, the file keeps its mode 0640", async () => {
  writeFileSync(at("token"), "a-token-of-ours\n");
  chmodSync(at("token"), 0o640);
  expect(await start()).toMatchObject({ token: "640" });
});

describe("if an option names a device or a pipe instead of a file, the start fails at once", () => {
  /**
   * Creates a file of a kind that is not allowed. Expects that each option which takes a file path refuses this file,
   * with its path and kind.
   */
  async function expectRefused(make: (file: string) => void, kind: string): Promise<void> {
    make(at("odd"));
    for (const options of [
      { data: at("odd") },
      { adminTokenFile: at("odd") },
      { adminTokenFile: at("odd"), adminToken: "a-new-token-1" },
    ]) {
      const refused = start(options);
      await expect(refused).rejects.toThrow(at("odd"));
      await expect(refused).rejects.toThrow(kind);
    }
  }

  test("the service refuses a device as data file or token file, and the error contains the path", () =>
    expectRefused((file) => symlinkSync("/dev/zero", file), "a device"));

  describeWith("mkfifo", "pipes", () => {
    test("the service refuses a pipe as data file or token file, and the error contains the path", () =>
      expectRefused(makePipe, "a pipe (FIFO)"));
  });

  test("the service refuses /dev/zero as fixture, and the error says that it is a device", async () => {
    await expect(start({ fixture: "/dev/zero" })).rejects.toThrow("/dev/zero can't be read (it is a device");
  });
});
