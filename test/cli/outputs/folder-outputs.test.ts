import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onFailingDisk, onGarbledDisk } from "../../support/failing-disk";
import { usePlace } from "../support/place";

const place = usePlace("all");
const at = (...names: readonly string[]) => path.join(place.folder, ...names);
beforeEach(() => rmSync(at("new"), { recursive: true, force: true }));

const FOREIGN = "Written by hand\n";

interface Writer {
  readonly command: readonly string[];
  /** A file that the command writes below `new`. */
  readonly file: string;
  readonly needs?: () => void;
}

const MIRROR = ["mirror", "new", "--executable", "program"];
/** Writes a program of another platform. The command can't start this program, and therefore does not try it. */
function needsProgram(content = ""): void {
  const header = Buffer.alloc(256);
  header.write("MZ");
  header.writeUInt8(0x80, 0x3c);
  header.write("PE\0\0\x64\xaa", 0x80, "latin1");
  writeFileSync(at("program"), Buffer.concat([header, Buffer.from(content)]));
}
const PROVIDER = "registry.steward.example/steward/steward";

const WRITERS: Readonly<Record<string, Writer>> = {
  init: { command: ["init", "new"], file: "main.ts" },
  "init --from": { command: ["init", "new", "--from", "acme"], file: "main.ts" },
  "init --from, its fixture": { command: ["init", "new", "--from", "acme"], file: "fixture.yaml" },
  "adopt in TypeScript": { command: ["adopt", "acme", "--out", "new"], file: "main.ts" },
  "adopt in HCL": { command: ["adopt", "acme", "--out", "new", "--format", "hcl"], file: "main.tf" },
  "adopt in JSON": { command: ["adopt", "acme", "--out", "new", "--format", "json"], file: "main.tf.json" },
  "mirror, its CLI configuration": { command: MIRROR, file: "steward.tfrc", needs: needsProgram },
  "mirror, its index": { command: MIRROR, file: `${PROVIDER}/index.json`, needs: needsProgram },
};

/** Returns the contents of all files below a folder, by name. */
function filesOf(folder = at("new")): Record<string, string> {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file), readFileSync(file, "latin1")]),
  );
}

describe.each(Object.entries(WRITERS))("%s", (_name, { command, file, needs }) => {
  const run = async (...more: readonly string[]) => {
    needs?.();
    const { code, err } = await place.run([...command, ...more]);
    expect(err).not.toContain("Internal error");
    return { code, err: err.replace(/[\s│╷╵]+/g, " ") };
  };

  test("if the output file exists and Steward did not write it, the command fails before the first request", async () => {
    place.write(`new/${file}`, FOREIGN);
    const asked = place.service.requests.all.length;
    const refused = await run();
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("--force") });
    expect(filesOf()).toEqual({ [file]: FOREIGN });
    expect(place.service.requests.all.length).toBe(asked);
    expect(await run("--force")).toMatchObject({ code: 0 });
    expect(filesOf()[file]).not.toBe(FOREIGN);
  });

  test("two runs of the command write identical files", async () => {
    expect(await run()).toMatchObject({ code: 0 });
    const first = filesOf();
    expect(await run()).toMatchObject({ code: 0 });
    expect(filesOf()).toEqual(first);
  });

  test("if a link or folder has the name of an output file, the command fails, even with --force", async () => {
    place.write("elsewhere", FOREIGN);
    place.write("new/kept", FOREIGN);
    for (const make of [
      () => symlinkSync(at("elsewhere"), at("new", file)),
      () => symlinkSync(at("missing"), at("new", file)),
      () => place.write(`new/${file}/inside`, FOREIGN),
    ]) {
      place.write(`new/${file}`, "");
      rmSync(at("new", file));
      make();
      const before = existsSync(at("new", file, "inside"));
      expect(await run("--force")).toMatchObject({ code: 1 });
      expect(place.read("elsewhere")).toBe(FOREIGN);
      expect(existsSync(at("missing"))).toBe(false);
      expect(existsSync(at("new", file, "inside"))).toBe(before);
      rmSync(at("new", file), { recursive: true });
    }
  });

  test.each(["ENOSPC", "EROFS"] as const)(
    "if the disk fails with %s, the command replaces no file",
    async (code) => {
      place.write(`new/${file}`, FOREIGN);
      const { result } = await onFailingDisk({ folder: at("new"), code, from: 1 }, () => run("--force"));
      const advice =
        code === "ENOSPC" ? "The disk is full: free space" : "The place is read-only for this user";
      expect(result).toMatchObject({ code: 1, err: expect.stringContaining(advice) });
      expect(filesOf()).toEqual({ [file]: FOREIGN });
    },
  );
});

test.each(Object.entries(WRITERS))(
  "if the disk returns different bytes than Steward wrote, %s replaces no file",
  async (_, { command, file, needs }) => {
    needs?.();
    place.write(`new/${file}`, FOREIGN);
    const { result, garbled } = await onGarbledDisk(at("new"), () => place.run([...command, "--force"]));
    expect(garbled).toBeGreaterThan(0);
    expect(result.code).toBe(1);
    expect(result.err.replace(/[\s│╷╵]+/g, " ")).toContain("the disk returned other bytes than were written");
    expect(filesOf()).toEqual({ [file]: FOREIGN });
  },
);

test.each([["init", "new"] as const, ["adopt", "acme", "--out", "new", "--format", "json"] as const])(
  "if the disk becomes full at any write, %s fails and leaves no file",
  async (...command) => {
    const { calls } = await onFailingDisk({ folder: at("new"), code: "ENOSPC", from: 1_000 }, () =>
      place.run(command),
    );
    const whole = filesOf();
    for (let from = 1; from <= calls; from += 1) {
      rmSync(at("new"), { recursive: true, force: true });
      const { result } = await onFailingDisk({ folder: at("new"), code: "ENOSPC", from }, () =>
        place.run(command),
      );
      expect(result.code).toBe(1);
      expect(existsSync(at("new"))).toBe(false);
    }
    expect(await place.run(command)).toMatchObject({ code: 0 });
    expect(filesOf()).toEqual(whole);
  },
);

test("without --force, adopt refuses to replace an edited file", async () => {
  const adopt = ["adopt", "acme", "--out", "new", "--format", "json"];
  const enable = (enabled: boolean) =>
    place.byHand("PATCH", `/projects/${encodeURIComponent("acme/shop")}/job_token_scope`, { enabled });
  expect(await place.run(adopt)).toMatchObject({ code: 0 });
  const written = filesOf();
  place.write("new/main.tf.json", FOREIGN);
  await enable(true);
  expect(await place.run(adopt)).toMatchObject({ code: 1, err: expect.stringContaining("--force") });
  expect(place.read("new/main.tf.json")).toBe(FOREIGN);
  expect(await place.run([...adopt, "--force"])).toMatchObject({ code: 0 });
  expect(place.read("new/main.tf.json")).not.toBe(FOREIGN);
  place.write("new/main.tf.json", "");
  await enable(false);
  expect(await place.run(adopt)).toMatchObject({ code: 0 });
  expect(place.read("new/main.tf.json")).not.toBe("");
  expect(Object.keys(filesOf())).toEqual(Object.keys(written));
});

test("without --force, mirror refuses to replace a file that a user edited in a mirrored package", async () => {
  needsProgram();
  expect(await place.run(MIRROR)).toMatchObject({ code: 0 });
  const names = Object.keys(filesOf());
  const packaged = names.find((name) => name.includes("windows_arm64/"))!;
  const zipped = names.find((name) => name.endsWith(".zip"))!;
  expect(statSync(at("new", packaged)).mode & 0o777).toBe(0o755);
  for (const name of [packaged, zipped]) {
    const before = filesOf()[name]!;
    place.write(`new/${name}`, FOREIGN);
    expect(await place.run(MIRROR)).toMatchObject({ code: 1, err: expect.stringContaining("--force") });
    expect(filesOf()[name]).toBe(FOREIGN);
    expect(await place.run([...MIRROR, "--force"])).toMatchObject({ code: 0 });
    expect(filesOf()[name]).toBe(before);
  }
  // The program changes, but not its version. The command may replace the files, because the recorded checksum shows that
  // Steward wrote these files.
  needsProgram("changed");
  expect(await place.run(MIRROR)).toMatchObject({ code: 0 });
});
