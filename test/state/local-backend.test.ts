import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { PendingFile } from "../../src/files";
import { StateEditor } from "../../src/state";
import { LocalBackend } from "../../src/state/backends/local-backend";
import { parseState } from "../../src/state/format/file-format";
import { formatState } from "../../src/state/format/format-state";
import { emptyState, type State } from "../../src/state/model/model";
import { stateIoError } from "../../src/state/storage/io-errors";
import { diagnosticOf, useScratchFolder } from "./scratch";

const scratch = useScratchFolder();
const file = (): string => scratch("site.tfstate");
const backend = (): LocalBackend => new LocalBackend(file());
const saved = (from = file()): State => parseState(readFileSync(from, "utf8"), from);
const withOutput = (state: State, value: string): State => ({
  ...state,
  outputs: { text: { value, type: "string", sensitive: false } },
});

test("if the state file is missing, the first write has serial 1", async () => {
  const site = backend();
  expect(await site.read()).toBeUndefined();
  expect(site.version?.serial).toBeUndefined();
  const state = emptyState();
  await site.write(state);
  expect(site.version?.serial).toBe(1);
  expect(saved()).toEqual({ ...state, serial: 1 });
  expect(readdirSync(scratch())).toEqual(["site.tfstate"]);
});

test("a write of an unchanged state does not increase the serial", async () => {
  const site = backend();
  const state = emptyState();
  await site.write(state);
  await site.write(withOutput(state, "a"));
  await site.write(withOutput(state, "a"));
  const again = backend();
  const read = (await again.read())!;
  expect(read.serial).toBe(2);
  const before = statSync(file()).mtimeMs;
  await again.write(read);
  expect(statSync(file()).mtimeMs).toBe(before);
  await again.write(withOutput(read, "b"));
  expect([again.version?.serial, saved().serial]).toEqual([3, 3]);
});

test("if a written state equals the saved state, the file stays unchanged, even if Steward formats the JSON differently", async () => {
  const address = { mode: "managed", type: "memory_thing", name: "a", provider: 'provider["x/y/z"]' };
  const attributes = { id: "1", large: "12345678901234567890123", list: [1, { b: null }] };
  const instances = [{ index_key: 0, schema_version: 0, attributes, private: "eyJhIjoxfQ==" }];
  const resources = [{ ...address, instances }];
  const head = { version: 4, terraform_version: "1.11.4", serial: 7, lineage: "same", outputs: {} };
  const text = JSON.stringify({ ...head, resources, check_results: null });
  writeFileSync(file(), text);
  const create = jest.spyOn(PendingFile, "create");
  const site = backend();
  const read = (await site.read())!;
  await site.write(new StateEditor(read).snapshot());
  await site.replace(read);
  expect(create).not.toHaveBeenCalled();
  create.mockRestore();
  expect(readFileSync(file(), "utf8")).toBe(text);
  expect(readdirSync(scratch())).toEqual(["site.tfstate"]);
  await site.write(withOutput(read, "another"));
  expect(saved().serial).toBe(8);
});

test("concurrent writes are executed one after another", async () => {
  const site = backend();
  const state = emptyState();
  await Promise.all(["a", "b", "c"].map((value) => site.write(withOutput(state, value))));
  expect(saved()).toMatchObject({ serial: 3, outputs: { text: { value: "c" } } });
});

test("a write does not save changes that the caller makes to the state after the call", async () => {
  const state = emptyState();
  const write = backend().write(state);
  state.outputs["late"] = { value: 1, type: "number", sensitive: false };
  await write;
  expect(saved().outputs).toEqual({});
});

test("after several changes, the backup is the state before the first change of the run", async () => {
  const state = emptyState();
  await backend().write(state);
  const found = readFileSync(file(), "utf8");
  const site = backend();
  await site.read();
  await site.write(state);
  expect(readdirSync(scratch())).toEqual(["site.tfstate"]);
  await site.write(withOutput(state, "a"));
  await site.write(withOutput(state, "b"));
  expect(readFileSync(scratch("site.tfstate.backup"), "utf8")).toBe(found);
});

describe("a state that another process wrote during the run is not overwritten", () => {
  const elsewhere: [string, (state: State) => void][] = [
    [
      "a later serial",
      (state) => writeFileSync(file(), formatState({ ...withOutput(state, "x"), serial: 9 })),
    ],
    [
      "another content with the same serial",
      (state) => writeFileSync(file(), formatState({ ...withOutput(state, "x"), serial: 1 })),
    ],
    ["been deleted", () => rmSync(file())],
  ];
  test.each(elsewhere)("a write fails if the state file has %s", async (_, change) => {
    const site = backend();
    const state = emptyState();
    await site.write(state);
    change(state);
    const before = readdirSync(scratch()).map((name) => readFileSync(scratch(name), "utf8"));
    const { code, detail } = await diagnosticOf(() => site.write(withOutput(state, "a")));
    expect(code).toBe("state_moved_on");
    expect(detail).toContain("serial 1");
    expect(readdirSync(scratch()).map((name) => readFileSync(scratch(name), "utf8"))).toEqual(before);
  });

  test("if only the timestamp of the state file changed, the next write succeeds", async () => {
    const site = backend();
    const state = emptyState();
    await site.write(state);
    utimesSync(file(), 1, 1);
    await site.write(withOutput(state, "a"));
    expect(saved().serial).toBe(2);
  });
});

test("if the state file has another lineage, a write fails", async () => {
  await backend().write(emptyState());
  const { code } = await diagnosticOf(() => backend().write(emptyState()));
  expect(code).toBe("state_lineage_differs");
  expect(saved().serial).toBe(1);
});

describe("an empty file", () => {
  test("an empty state file counts as a missing state", async () => {
    writeFileSync(file(), "");
    const site = backend();
    expect(await site.read()).toBeUndefined();
    await site.write(emptyState());
    expect(saved().serial).toBe(1);
  });

  test("if the state file is empty and a backup exists, reading and writing fail", async () => {
    writeFileSync(file(), "");
    writeFileSync(`${file()}.backup`, formatState(emptyState()));
    expect((await diagnosticOf(() => backend().read())).code).toBe("state_empty");
    expect((await diagnosticOf(() => backend().write(emptyState()))).code).toBe("state_empty");
  });
});

test("if the state file is damaged, a write does not change the file", async () => {
  writeFileSync(file(), '{"version": 4,');
  expect((await diagnosticOf(() => backend().read())).code).toBe("state_not_json");
  expect((await diagnosticOf(() => backend().write(emptyState()))).code).toBe("state_not_json");
  expect(readFileSync(file(), "utf8")).toBe('{"version": 4,');
});

describe("links and permissions", () => {
  test("if the state file is a symbolic link, writes and locks use the link's target", async () => {
    mkdirSync(scratch("real"));
    symlinkSync(path.join("real", "kept.tfstate"), file());
    const site = backend();
    const unlock = await site.lock({ operation: "apply" });
    expect(
      (
        await diagnosticOf(() =>
          new LocalBackend(scratch("real", "kept.tfstate")).lock({ operation: "apply" }),
        )
      ).code,
    ).toBe("state_locked");
    await site.write(emptyState());
    await site.write(withOutput({ ...emptyState(), lineage: saved().lineage }, "a"));
    await unlock();
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
    expect(saved(scratch("real", "kept.tfstate")).serial).toBe(2);
    expect(readdirSync(scratch("real"))).toEqual(["kept.tfstate"]);
  });
});

describe("the error if the file system refuses an operation", () => {
  test("if the folder of the state is missing, the error contains the path of the state", async () => {
    const lost = new LocalBackend(scratch("no", "site.tfstate"));
    expect(await lost.read()).toBeUndefined();
    for (const work of [() => lost.write(emptyState()), () => lost.lock({ operation: "apply" })])
      expect(await diagnosticOf(work)).toMatchObject({
        code: "state_folder_missing",
        detail: expect.stringContaining(scratch("no", "site.tfstate")),
      });
  });

  test("if the path of the state is a folder, the error is state_not_a_file", async () => {
    const folder = new LocalBackend(scratch());
    writeFileSync(file(), "");
    const through = new LocalBackend(path.join(file(), "x"));
    for (const work of [() => folder.read(), () => folder.write(emptyState()), () => through.read()])
      expect((await diagnosticOf(work)).code).toBe("state_not_a_file");
  });

  test("if the disk is full, a write leaves the saved state unchanged", async () => {
    await backend().write(emptyState());
    const before = readFileSync(file(), "utf8");
    const program = [process.execPath, "--require", "tsx/cjs", require.resolve("./child"), file(), "100000"];
    const limited = spawnSync("sh", ["-c", 'ulimit -f 8; exec "$@"', "sh", ...program], {
      encoding: "utf8",
      env: { ...process.env, TSX_DISABLE_CACHE: "1" },
    });
    expect(limited.stdout).toBe("state_disk_full");
    expect(readFileSync(file(), "utf8")).toBe(before);
    expect(readdirSync(scratch())).toEqual(["site.tfstate"]);
  }, 60_000);

  test.each([
    ["ENOSPC", "state_disk_full"],
    ["EDQUOT", "state_disk_full"],
    ["EROFS", "state_not_permitted"],
    ["EACCES", "state_not_permitted"],
    ["EPERM", "state_not_permitted"],
    ["ELOOP", "state_not_a_file"],
    ["EIO", "state_io_failed"],
  ])("for the system error %s, the error code is %s", async (code, expected) => {
    const diagnostic = await diagnosticOf(() => {
      throw stateIoError(Object.assign(new Error("x"), { code }), "write", "site.tfstate");
    });
    expect(diagnostic).toMatchObject({
      code: expected,
      detail: expect.stringContaining(`site.tfstate can't be saved (${code})`),
    });
  });

  test("if an error is not a system error, stateIoError returns it unchanged", () => {
    const slip = new TypeError("x");
    expect(stateIoError(slip, "write", "site.tfstate")).toBe(slip);
  });
});
