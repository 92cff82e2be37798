import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import path from "node:path";
import { usePlace } from "../support/place";

const PROGRAM = path.join(__dirname, "..", "..", "..", "dist", "cli", "main.js");
const place = usePlace("each");

/** Runs a command whose output or log goes to a full disk. Returns the exit code and the other stream. */
async function onFullDisk(stream: "stdout" | "stderr", args: readonly string[]) {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: place.folder,
    env: { PATH: process.env["PATH"], ...place.env, STEWARD_LOG: "trace" },
    stdio: ["ignore", stream === "stdout" ? full : "pipe", stream === "stderr" ? full : "pipe"],
  });
  let other = "";
  for (const pipe of [child.stdout, child.stderr])
    pipe?.setEncoding("utf8").on("data", (text: string) => {
      other += text;
    });
  const [code] = (await once(child, "close")) as [number | null];
  closeSync(full);
  return { code, other };
}

// The test runs only on Linux, which has a device that is always full. On other systems, the test would have to fill a disk.
const onLinux = existsSync("/dev/full") ? test : test.skip;

onLinux.each(["stdout", "stderr"] as const)(
  "if %s goes to a full disk, apply still makes all changes of a saved plan",
  async (stream) => {
    expect(await place.run(["plan", "--config", ".", "--out", "p.steward"])).toMatchObject({ code: 0 });
    const { code, other } = await onFullDisk(stream, ["apply", "p.steward"]);
    expect({ code, isInternal: other.includes("Internal error") }).toEqual({ code: 0, isInternal: false });
    if (stream === "stdout") expect(other).toContain("The output can't be written: the disk is full.");
    expect(await place.run(["plan", "--config", ".", "--detailed-exitcode"])).toMatchObject({ code: 0 });
  },
);

onLinux("if a report goes to a full disk, plan fails, and the error says that the disk is full", async () => {
  const { code, err } = await place.run([
    "plan",
    "--config",
    ".",
    "--report",
    "/dev/full",
    "--report-format",
    "json",
  ]);
  expect(code).toBe(1);
  expect(err).not.toContain("Internal error");
  expect(err.replace(/[\s│╷╵]+/g, " ")).toContain("The disk is full: free space");
});
