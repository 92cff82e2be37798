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
import { openFile, readFile, readFileNow, readNamedFile } from "../../src/files/read-file";
import { useScratchFolder } from "../state/scratch";
import { makePipe } from "../support/make-pipe";

const scratch = useScratchFolder();
const QUICK = { silenceMs: 20, writerMs: 20 };

/** Why each way of reading refuses a path. */
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
    await why(() => readFileNow(file, options)),
    await why(async () => (await openFile(file, options)).close()),
  ];
}

const all = (text: string): string[] => [text, text, text];

test("a regular file is read whole, also one that is larger than a chunk or empty", async () => {
  for (const size of [0, 1, 65_535, 65_536, 65_537, 300_000]) {
    const file = scratch(`${size}`);
    const content = Buffer.alloc(size, "a");
    writeFileSync(file, content);
    expect(content.equals(await readFile(file))).toBe(true);
    expect(content.equals(readFileNow(file))).toBe(true);
    expect(content.equals(readNamedFile(file))).toBe(true);
  }
});

test("a file whose size the system does not tell is read to its end", async () => {
  if (process.platform !== "linux") return;
  expect((await readFile("/proc/self/status")).toString()).toContain("Pid:");
});

describe("what is no regular file is refused at once, and the message says what it is", () => {
  test("a folder", async () => {
    expect(await refusals(scratch())).toEqual(all("it is a folder, and a regular file is needed here"));
  });

  test("a pipe that nobody writes to", async () => {
    makePipe(scratch("pipe"));
    expect(await refusals(scratch("pipe"))).toEqual(
      all("it is a pipe (FIFO), and a regular file is needed here"),
    );
  });

  test.each(["/dev/zero", "/dev/full", "/dev/null"])("the device %s", async (device) => {
    expect(await refusals(device)).toEqual(all("it is a device, and a regular file is needed here"));
  });

  test("a socket", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(scratch("socket"), resolve));
    expect(await refusals(scratch("socket"))).toEqual(
      all("it is a socket, and a regular file is needed here"),
    );
    await new Promise((resolve) => server.close(resolve));
  });

  test("a symbolic link that leads nowhere, in a circle, or to a folder", async () => {
    symlinkSync("missing", scratch("dangling"));
    symlinkSync("circle", scratch("circle"));
    mkdirSync(scratch("folder"));
    symlinkSync("folder", scratch("to-folder"));
    expect(await refusals(scratch("dangling"))).toEqual(
      all("it is a symbolic link to missing, which does not exist, and a regular file is needed here"),
    );
    expect(await refusals(scratch("circle"))).toEqual(
      all("it is a symbolic link to circle, which leads in a circle, and a regular file is needed here"),
    );
    expect(await refusals(scratch("to-folder"))).toEqual(
      all("it is a folder, and a regular file is needed here"),
    );
  });

  test("any symbolic link, where none is expected", async () => {
    writeFileSync(scratch("real"), "");
    symlinkSync("real", scratch("link"));
    symlinkSync("missing", scratch("dangling"));
    expect(await refusals(scratch("link"))).toEqual(all("read"));
    const refuse = { links: "refuse" } as const;
    expect(await refusals(scratch("link"), refuse)).toEqual(
      all("it is a symbolic link to real, and a regular file is needed here"),
    );
    expect(await refusals(scratch("dangling"), refuse)).toEqual(
      all("it is a symbolic link to missing, and a regular file is needed here"),
    );
  });
});

test("what the system refuses stays its own error", async () => {
  expect(await refusals(scratch("missing"))).toEqual(all("ENOENT"));
  writeFileSync(scratch("file"), "");
  expect(await refusals(path.join(scratch("file"), "below"))).toEqual(all("ENOTDIR"));
});

test("no more is read than the limit, whatever the size that the system tells", async () => {
  writeFileSync(scratch("five"), "12345");
  expect((await readFile(scratch("five"), { maxBytes: 5 })).length).toBe(5);
  await expect(readFile(scratch("five"), { maxBytes: 4 })).rejects.toMatchObject({ fault: "too_large" });
  expect(() => readFileNow(scratch("five"), { maxBytes: 4 })).toThrow("the most that is read here");
});

describe("a file that a person names may be a pipe", () => {
  /** A pipe with both ends open here, so that reading it waits for nobody else. */
  function openPipe(): { readonly file: string; readonly end: number } {
    const file = scratch("pipe");
    makePipe(file);
    return { file, end: openSync(file, constants.O_RDWR) };
  }

  test("what was written to it is read to its end", () => {
    const script = 'printf "from a pipe" > "$0" & exec "$1" --require tsx/cjs -e "$2" "$0"';
    const read = `process.stdout.write(require(${JSON.stringify(require.resolve("../../src/files/read-file"))}).readNamedFile(process.argv[1]))`;
    makePipe(scratch("pipe"));
    const ended = spawnSync("sh", ["-c", script, scratch("pipe"), process.execPath, read], {
      encoding: "utf8",
    });
    expect(ended).toMatchObject({ stdout: "from a pipe", status: 0 });
  });

  test("one that nobody opens for writing is not waited for without end", () => {
    makePipe(scratch("pipe"));
    expect(() => readNamedFile(scratch("pipe"), {}, QUICK)).toThrow("nothing was written to it");
  });

  test("one whose writer stays silent is not waited for without end", () => {
    const { file, end } = openPipe();
    writeSync(end, "a part");
    expect(() => readNamedFile(file, {}, QUICK)).toThrow("nothing was written to it");
    closeSync(end);
  });

  test("one that gives more than the limit is refused", () => {
    const { file, end } = openPipe();
    writeSync(end, "12345");
    expect(() => readNamedFile(file, { maxBytes: 4 }, QUICK)).toThrow("the most that is read here");
    closeSync(end);
  });

  test("the empty device holds nothing; another device and a folder are refused", () => {
    expect(readNamedFile("/dev/null")).toEqual(Buffer.alloc(0));
    expect(() => readNamedFile("/dev/zero")).toThrow("it is a device, and a file or a pipe is needed here");
    expect(() => readNamedFile(scratch())).toThrow("it is a folder, and a file or a pipe is needed here");
    rmSync(scratch("none"), { force: true });
    expect(() => readNamedFile(scratch("none"))).toThrow("ENOENT");
  });
});

test("a file that appears right after it was found missing is told as missing, and not as something else than a file", () => {
  const file = path.join(scratch(), "appears");
  const missing = Object.assign(new Error("no such file"), { code: "ENOENT" });
  writeFileSync(file, "");
  expect(explainFailedOpen(file, missing)).toBe(missing);
});
