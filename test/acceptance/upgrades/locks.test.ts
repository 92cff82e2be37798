import { spawn } from "node:child_process";
import { once } from "node:events";
import { ownIdentity } from "../../../src/files/process-identity";
import { killedIn, Opened, SETS } from "./opened";

// Lock files of earlier releases.

interface Lock {
  readonly ID: string;
  readonly Process: object;
}

const PLAN = ["plan", "--refresh-only", "--config", "."];
const FILE = ".terraform.tfstate.lock.info";

describe.each(SETS)("a lock of the release %s", (set) => {
  let opened: Opened;
  let lock: Lock;
  beforeEach(async () => {
    opened = await Opened.open(set, `killed/${killedIn(set)[0]}`);
    lock = JSON.parse(opened.read(FILE)) as Lock;
  });
  afterEach(() => opened.close());

  test("if another host has the lock, plan fails and prints the unlock command", async () => {
    const { code, err } = await opened.steward(PLAN);
    expect(code).toBe(1);
    const told = err.replaceAll(/\s+│?\s*/g, " ");
    expect(told).toContain("is locked by ada@build-1");
    expect(told).toContain(`steward state unlock --config . ${lock.ID}`);
    expect(JSON.parse(opened.read(FILE))).toEqual(lock);
    await opened.succeed(["state", "unlock", lock.ID, "--config", "."]);
    expect(opened.has(FILE)).toBe(false);
  });

  test("plan takes over the lock of a dead process on this host", async () => {
    const ended = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    await once(ended, "exit");
    const here = { ...lock.Process, ...ownIdentity(), pid: ended.pid };
    opened.write(FILE, JSON.stringify({ ...lock, Process: here }));
    const { err } = await opened.succeed(PLAN);
    expect(err).toContain("ada@build-1");
    expect(opened.has(FILE)).toBe(false);
  });

  test("if the process that holds the lock still runs on this host, plan fails", async () => {
    const here = { ...lock.Process, ...ownIdentity() };
    opened.write(FILE, JSON.stringify({ ...lock, Process: here }));
    const { code, err } = await opened.steward(PLAN);
    expect({ code, isLocked: err.includes("State is locked") }).toEqual({ code: 1, isLocked: true });
    expect(opened.has(FILE)).toBe(true);
  });
});
