import { spawn } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import path from "node:path";
import { describeWith } from "../../support/capabilities";
import { makePipe } from "../../support/make-pipe";
import { usePlace } from "../support/place";

const place = usePlace("each");

const at = (name: string): string => path.join(place.folder, name);

/** Creates a pipe, and starts a process that writes this text to the pipe. Returns its path. */
function pipeWith(text: string): string {
  const file = at("pipe");
  makePipe(file);
  spawn("sh", ["-c", 'printf %s "$0" > "$1"', text, file], { stdio: "ignore" });
  return file;
}

describeWith("mkfifo", "a file on the command line can be a pipe", () => {
  test("the variables file of plan --out can be a pipe", async () => {
    place.write("main.tf.json", {
      variable: { level: { type: "number" } },
      output: { level: { value: "${var.level}" } },
    });
    const file = pipeWith("level = 40");
    const planned = await place.run(["plan", "--config", ".", "--out", "plan.steward", "--var-file", file]);
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.out).toContain("level = 40");
  });

  test("the ignore file of drift can be a pipe", async () => {
    const ended = await place.run(["drift", "--config", ".", "--ignore", pipeWith("[]")]);
    expect(ended).toMatchObject({ code: 0 });
  });

  test("plan can write a report to a pipe that another process reads", async () => {
    makePipe(at("report.json"));
    const reader = openSync(at("report.json"), constants.O_RDWR | constants.O_NONBLOCK);
    expect((await place.run(["plan", "--config", ".", "--report", "report.json"])).code).toBe(0);
    const buffer = Buffer.alloc(1 << 16);
    expect(JSON.parse(buffer.toString("utf8", 0, readSync(reader, buffer)))).toMatchObject({
      command: "plan",
    });
    closeSync(reader);
  });
});
