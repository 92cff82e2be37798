import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { LocalBackend } from "../../src/state/backends/local-backend";
import { formatLockInfo, newLockInfo } from "../../src/state/lock/lock";
import { LockFile } from "../../src/state/lock/lock-file";
import { emptyState } from "../../src/state/model/model";
import { describeWith } from "../support/capabilities";
import { makePipe } from "../support/make-pipe";
import { diagnosticOf, useScratchFolder } from "./scratch";

const scratch = useScratchFolder();
const backend = (): LocalBackend => new LocalBackend(scratch("site.tfstate"));

const LOCK = ".site.tfstate.lock.info";

type Odd = readonly [name: string, make: (file: string) => void];

/**
 * Irregular files that replace a file of the state. acceptance/hostile/damaged-files also covers folders, pipes and links.
 */
const ODD: readonly Odd[] = [
  ["a link to an endless device", (file) => symlinkSync("/dev/zero", file)],
  ["a link to a full device", (file) => symlinkSync("/dev/full", file)],
  ["a circular link", (file) => symlinkSync(path.basename(file), file)],
];
const HELD = newLockInfo({ operation: "apply" }, "site.tfstate");
/** For each file, the operation that is the first to open it. */
const USES: readonly (readonly [name: string, use: () => Promise<unknown>])[] = [
  ["site.tfstate", () => backend().read()],
  ["site.tfstate", () => backend().write(emptyState())],
  ["site.tfstate.backup", () => backend().lock({ operation: "apply" })],
  ["site.tfstate.journal", () => backend().journal.read()],
  [LOCK, () => backend().lock({ operation: "apply", timeoutMs: 60_000 })],
  [`${LOCK}.guard`, () => backend().unlock(HELD.id)],
];

const refusesEach = (odd: readonly Odd[]): void =>
  test.each(odd.flatMap(([what, make]) => USES.map(([name, use]) => ({ what, name, make, use }))))(
    "if the file $name is $what, the operation that opens it fails, and the error contains the path",
    async ({ name, make, use }) => {
      if (name.endsWith(".guard")) writeFileSync(scratch(LOCK), formatLockInfo(HELD));
      make(scratch(name));
      const before = readdirSync(scratch());
      const { code, detail } = await diagnosticOf(use);
      expect(code).toBe("state_not_a_file");
      expect(detail).toContain(scratch(name));
      expect(readdirSync(scratch())).toEqual(before);
      expect(lstatSync(scratch(name)).isFile()).toBe(false);
    },
  );

refusesEach(ODD);
describeWith("mkfifo", "pipes", () => refusesEach([["a pipe", makePipe]]));

test("if the journal file is a symbolic link, reading the journal fails", async () => {
  writeFileSync(scratch("precious"), "");
  symlinkSync("precious", scratch("site.tfstate.journal"));
  expect((await diagnosticOf(() => backend().journal.read())).code).toBe("state_not_a_file");
});

test("if the state file is a link into a missing folder, reading the state fails", async () => {
  symlinkSync(path.join("unmounted", "site.tfstate"), scratch("site.tfstate"));
  expect((await diagnosticOf(() => backend().read())).code).toBe("state_folder_missing");
});

test("if the state file or the journal has more than 512 MiB, reading the file fails at once", async () => {
  for (const name of ["site.tfstate", "site.tfstate.journal"]) {
    writeFileSync(scratch(name), "");
    truncateSync(scratch(name), 513 * 1024 * 1024);
  }
  const state = await diagnosticOf(() => backend().read());
  expect(state).toMatchObject({ code: "state_too_large", detail: expect.stringContaining("512 MiB") });
  expect((await diagnosticOf(() => backend().journal.read())).code).toBe("state_too_large");
});

test("if the lock file has 2 MiB, the error says that an unknown process has the lock", async () => {
  writeFileSync(scratch(".site.tfstate.lock.info"), "");
  truncateSync(scratch(".site.tfstate.lock.info"), 2 * 1024 * 1024);
  const { code, detail } = await diagnosticOf(() => backend().lock({ operation: "apply" }));
  expect(code).toBe("state_locked");
  expect(detail).toContain("an unknown process (the lock is unreadable)");
});

describe("waiting for a lock ends with an error", () => {
  test("if the lock file disappears after each failed attempt to lock, the wait ends with an error", async () => {
    const { acquire } = require("../../src/state/lock/lock") as typeof import("../../src/state/lock/lock");
    let attempts = 0;
    const vanishing = {
      attempt: async () => {
        attempts += 1;
        return { isTaken: false } as const;
      },
      release: async () => undefined,
    };
    const { code } = await diagnosticOf(() => acquire({ operation: "apply" }, "site.tfstate", vanishing));
    expect(code).toBe("state_locked");
    expect(attempts).toBeLessThan(1000);
  });

  test("if the guard file of a lock is empty, the error of unlock contains the path of this file", async () => {
    const lock = new LockFile(scratch("lock"), 20);
    const info = newLockInfo({ operation: "apply" }, scratch("lock"));
    await lock.attempt(info);
    writeFileSync(scratch("lock.guard"), "");
    const { code, detail } = await diagnosticOf(() => lock.remove(info.id));
    expect(code).toBe("state_locked");
    expect(detail).toContain(scratch("lock.guard"));
  });
});

describe("only the owner can read the files of a state", () => {
  const modeOf = (name: string): string => (statSync(scratch(name)).mode & 0o777).toString(8);

  test("with umask 0, Steward creates state, backup, journal and lock with mode 0600", async () => {
    const before = process.umask(0);
    try {
      const site = backend();
      const unlock = await site.lock({ operation: "apply" });
      expect(modeOf(".site.tfstate.lock.info")).toBe("600");
      await site.journal.append(["a\n"]);
      await site.write(emptyState());
      await new Promise((resolve) => setImmediate(resolve));
      const again = backend();
      await again.write({ ...(await again.read())!, outputs: OUTPUT });
      expect(modeOf("site.tfstate")).toBe("600");
      expect(modeOf("site.tfstate.backup")).toBe("600");
      expect(modeOf("site.tfstate.journal")).toBe("600");
      await site.journal.release();
      await unlock();
    } finally {
      process.umask(before);
    }
  });

  test.each([
    [0o644, "600"],
    [0o640, "600"],
    [0o666, "600"],
    [0o600, "600"],
    [0o400, "400"],
  ])(
    "if a state file and its backup have mode %o, both have mode %s after a write",
    async (mode, expected) => {
      await backend().write(emptyState());
      writeFileSync(scratch("site.tfstate.backup"), "");
      for (const name of ["site.tfstate", "site.tfstate.backup"]) chmodSync(scratch(name), mode);
      const site = backend();
      await site.write({ ...(await site.read())!, outputs: OUTPUT });
      expect(modeOf("site.tfstate")).toBe(expected);
      expect(modeOf("site.tfstate.backup")).toBe(expected);
      expect(readFileSync(scratch("site.tfstate"), "utf8")).toContain("told");
    },
  );

  test("a write does not change the mode of the state's folder", async () => {
    chmodSync(scratch(), 0o755);
    await backend().write(emptyState());
    expect(modeOf(".")).toBe("755");
  });
});

const OUTPUT = { told: { value: "a", type: "string", sensitive: false } };
