import { spawn } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { makePipe } from "../../support/make-pipe";
import { usePlace } from "../support/place";

const place = usePlace("each");

const at = (name: string): string => path.join(place.folder, name);

/** A pipe to which another process writes this text. */
function pipeWith(text: string): string {
  const file = at("pipe");
  makePipe(file);
  spawn("sh", ["-c", 'printf %s "$0" > "$1"', text, file], { stdio: "ignore" });
  return file;
}

describe("a file on the command line can be a pipe", () => {
  test("of variables, which is read only once", async () => {
    place.write("main.tf.json", {
      variable: { level: { type: "number" } },
      output: { level: { value: "${var.level}" } },
    });
    const file = pipeWith("level = 40");
    const planned = await place.run(["plan", "--config", ".", "--out", "plan.steward", "--var-file", file]);
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.out).toContain("level = 40");
  });

  test("of ignored drift", async () => {
    const ended = await place.run(["drift", "--config", ".", "--ignore", pipeWith("[]")]);
    expect(ended).toMatchObject({ code: 0 });
  });

  test("of an empty device", async () => {
    expect((await place.run(["drift", "--config", ".", "--ignore", "/dev/null"])).code).toBe(0);
  });
});

describe("an invalid file is an error that names it and its kind", () => {
  test.each([
    ["variables", ["plan", "--config", ".", "--var-file", "odd"], "it is a folder"],
    ["an ignore file", ["drift", "--config", ".", "--ignore", "odd"], "it is a folder"],
    ["an earlier run", ["drift", "--config", ".", "--since", "odd"], "it is a folder"],
    ["a saved plan to apply", ["apply", "odd"], "it is a folder"],
    ["a state to show", ["show", "odd"], "it is a folder"],
    ["a state to read outputs of", ["output", "--state", "odd"], "it is a folder"],
    ["a state to plan with", ["plan", "--config", ".", "--state", "odd"], "it is a folder"],
    ["a destination for a plan", ["plan", "--config", ".", "--out", "odd"], "it is a folder"],
    [
      "a place for a report",
      ["plan", "--config", ".", "--report", "odd", "--report-format", "json"],
      "it is a folder",
    ],
  ])("if a folder is given as %s", async (_, args, message) => {
    mkdirSync(at("odd"));
    const { code, err } = await place.run(args);
    expect(code).toBe(1);
    expect(err).toContain("odd");
    expect(err.replace(/\s*\n│? */g, " ")).toContain(message);
    expect(err).not.toContain("Internal error");
  });

  test.each([
    ["a saved plan to apply", ["apply", "odd"]],
    ["a saved plan to show", ["show", "odd"]],
    ["a destination for a plan", ["plan", "--config", ".", "--out", "odd"]],
    ["a state", ["plan", "--config", ".", "--state", "odd"]],
    ["a report without a reader", ["plan", "--config", ".", "--report", "odd", "--report-format", "json"]],
  ])("without waiting for a pipe as %s", async (_, args) => {
    makePipe(at("odd"));
    const { code, err } = await place.run(args);
    expect(code).toBe(1);
    expect(err).toContain("a pipe");
    expect(lstatSync(at("odd")).isFIFO()).toBe(true);
  });

  test("if an endless device is given as variables, cdktf.json, configuration or token", async () => {
    symlinkSync("/dev/zero", at("cdktf.json"));
    symlinkSync("/dev/zero", at("endless.tf.json"));
    const ended = await Promise.all([
      place.run(["plan", "--config", ".", "--var-file", "/dev/zero"]),
      place.run(["plan"]),
      place.run(["plan", "--config", "endless.tf.json"]),
      place.run(["plan", "--config", "main.tf.json"], { STEWARD_TOKEN: "", STEWARD_TOKEN_FILE: "/dev/zero" }),
    ]);
    for (const { code, err } of ended) {
      expect(code).toBe(1);
      expect(err).toContain("it is a device");
    }
  });

  test("a dangling link as lock file fails every locking command before it sends anything", async () => {
    symlinkSync("nowhere", at(".terraform.tfstate.lock.info"));
    for (const args of [
      ["plan", "--config", "."],
      ["apply", "--auto-approve", "--config", "."],
      ["destroy", "--auto-approve", "--config", "."],
      ["state", "rm", "steward_job_token_scope.limit", "--config", "."],
      ["state", "unlock", "1", "--config", "."],
      ["import", "steward_job_token_scope.limit", "acme/shop", "--config", "."],
    ]) {
      const { code, err } = await place.run(args);
      expect(code).toBe(1);
      expect(err).toContain("a symbolic link to nowhere");
    }
    expect(place.service.requests.all).toEqual([]);
    expect(existsSync(at("terraform.tfstate"))).toBe(false);
  });
});

test("a report can be written to a pipe with a reader", async () => {
  makePipe(at("report.json"));
  const reader = openSync(at("report.json"), constants.O_RDWR | constants.O_NONBLOCK);
  expect((await place.run(["plan", "--config", ".", "--report", "report.json"])).code).toBe(0);
  const room = Buffer.alloc(1 << 16);
  expect(JSON.parse(room.toString("utf8", 0, readSync(reader, room)))).toMatchObject({ command: "plan" });
  closeSync(reader);
});
