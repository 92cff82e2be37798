import { spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describeFileProblem, explainFailedOpen } from "../../src/files/file-problem";
import { openFile, readFile, readFileSync, readUserFile } from "../../src/files/read-file";
import { useScratchFolder } from "../state/scratch";
import { describeWith } from "../support/capabilities";
import { makePipe } from "../support/make-pipe";

const scratch = useScratchFolder();
const QUICK = { maxSilenceMs: 20, maxWaitForWriterMs: 20 };

/** Reads a path with each of the three functions, and returns their errors. */
async function refusals(file: string, options: { links?: "follow" | "refuse" } = {}): Promise<string[]> {
  const why = async (read: () => unknown): Promise<string> => {
    try {
      await read();
    } catch (problem) {
      return describeFileProblem(problem);
    }
    return "read";
  };
  return [
    await why(() => readFile(file, options)),
    await why(() => readFileSync(file, options)),
    await why(async () => (await openFile(file, options)).close()),
  ];
}

const all = (text: string): string[] => [text, text, text];

test("Steward reads all bytes of a regular file of any size, also of an empty file", async () => {
  for (const size of [0, 1, 65_535, 65_536, 65_537, 300_000]) {
    const file = scratch(`${size}`);
    const content = Buffer.alloc(size, "a");
    writeFileSync(file, content);
    expect(content.equals(await readFile(file))).toBe(true);
    expect(content.equals(readFileSync(file))).toBe(true);
    expect(content.equals(readUserFile(file))).toBe(true);
  }
});

test("Steward reads a file of unknown size to its end", async () => {
  if (process.platform !== "linux") return;
  expect((await readFile("/proc/self/status")).toString()).toContain("Pid:");
});

describe("a path that is not a regular file", () => {
  test("if the path is a folder, the error says that it is a folder, not a regular file", async () => {
    expect(await refusals(scratch())).toEqual(all("it is a folder, not a regular file"));
  });

  describeWith("mkfifo", "pipes", () => {
    test("if the path is a pipe without a writer, the error says that it is a pipe", async () => {
      makePipe(scratch("pipe"));
      expect(await refusals(scratch("pipe"))).toEqual(all("it is a pipe (FIFO), not a regular file"));
    });
  });

  test.each(["/dev/zero", "/dev/full", "/dev/null"])(
    "if the path is %s, the error says that it is a device",
    async (device) => {
      expect(await refusals(device)).toEqual(all("it is a device, not a regular file"));
    },
  );

  test("if the path is a socket, the error says that it is a socket, not a regular file", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(scratch("socket"), resolve));
    expect(await refusals(scratch("socket"))).toEqual(all("it is a socket, not a regular file"));
    await new Promise((resolve) => server.close(resolve));
  });

  test("if a symbolic link is broken, circular, or points to a folder, reading it is an error", async () => {
    symlinkSync("missing", scratch("dangling"));
    symlinkSync("circle", scratch("circle"));
    mkdirSync(scratch("folder"));
    symlinkSync("folder", scratch("to-folder"));
    expect(await refusals(scratch("dangling"))).toEqual(
      all("it is a symbolic link to missing, which does not exist, not a regular file"),
    );
    expect(await refusals(scratch("circle"))).toEqual(
      all("it is a symbolic link to circle, which is circular, not a regular file"),
    );
    expect(await refusals(scratch("to-folder"))).toEqual(all("it is a folder, not a regular file"));
  });

  test("if the caller sets links to `refuse`, reading a symbolic link to a regular file is an error", async () => {
    writeFileSync(scratch("real"), "");
    symlinkSync("real", scratch("link"));
    symlinkSync("missing", scratch("dangling"));
    expect(await refusals(scratch("link"))).toEqual(all("read"));
    const refuse = { links: "refuse" } as const;
    expect(await refusals(scratch("link"), refuse)).toEqual(
      all("it is a symbolic link to real, not a regular file"),
    );
    expect(await refusals(scratch("dangling"), refuse)).toEqual(
      all("it is a symbolic link to missing, not a regular file"),
    );
  });
});

test("if a file is missing, the error is the operating system's own ENOENT error", async () => {
  expect(await refusals(scratch("missing"))).toEqual(all("ENOENT: no such file or directory"));
  writeFileSync(scratch("file"), "");
  expect(await refusals(path.join(scratch("file"), "below"))).toEqual(all("ENOTDIR: not a directory"));
});

test("if a file has more bytes than maxBytes, reading the file fails", async () => {
  writeFileSync(scratch("five"), "12345");
  expect((await readFile(scratch("five"), { maxBytes: 5 })).length).toBe(5);
  await expect(readFile(scratch("five"), { maxBytes: 4 })).rejects.toMatchObject({ fault: "too_large" });
  expect(() => readFileSync(scratch("five"), { maxBytes: 4 })).toThrow("it is larger than the limit");
});

describeWith("mkfifo", "a file that a user names may be a pipe", () => {
  /** Creates a pipe and opens both of its ends, so that a read does not wait for another process. */
  function openPipe(): { readonly file: string; readonly end: number } {
    const file = scratch("pipe");
    makePipe(file);
    return { file, end: openSync(file, constants.O_RDWR) };
  }

  test("Steward reads a pipe to its end", () => {
    const script = 'printf "from a pipe" > "$0" & exec "$1" --require tsx/cjs -e "$2" "$0"';
    const read = `process.stdout.write(require(${JSON.stringify(require.resolve("../../src/files/read-file"))}).readUserFile(process.argv[1]))`;
    makePipe(scratch("pipe"));
    const ended = spawnSync("sh", ["-c", script, scratch("pipe"), process.execPath, read], {
      encoding: "utf8",
    });
    expect(ended).toMatchObject({ stdout: "from a pipe", status: 0 });
  });

  test("if a pipe has no writer, reading the pipe fails after a timeout", () => {
    makePipe(scratch("pipe"));
    expect(() => readUserFile(scratch("pipe"), {}, QUICK)).toThrow("nothing was written to it");
  });

  test("if a pipe's writer sends nothing, reading the pipe fails after a timeout", () => {
    const { file, end } = openPipe();
    writeSync(end, "a part");
    expect(() => readUserFile(file, {}, QUICK)).toThrow("nothing was written to it");
    closeSync(end);
  });

  test("if a pipe has more bytes than maxBytes, reading the pipe fails", () => {
    const { file, end } = openPipe();
    writeSync(end, "12345");
    expect(() => readUserFile(file, { maxBytes: 4 }, QUICK)).toThrow("it is larger than the limit");
    closeSync(end);
  });
});

test("if a user passes /dev/null as a file, Steward reads an empty file", () => {
  expect(readUserFile("/dev/null")).toEqual(Buffer.alloc(0));
  expect(() => readUserFile("/dev/zero")).toThrow("it is a device, not a file or a pipe");
  expect(() => readUserFile(scratch())).toThrow("it is a folder, not a file or a pipe");
  rmSync(scratch("none"), { force: true });
  expect(() => readUserFile(scratch("none"))).toThrow("ENOENT");
});

test("if a missing file appears after a failed open, Steward still reports the error of the failed open", () => {
  const file = path.join(scratch(), "appears");
  const missing = Object.assign(new Error("no such file"), { code: "ENOENT" });
  writeFileSync(file, "");
  expect(explainFailedOpen(file, missing)).toBe(missing);
});
