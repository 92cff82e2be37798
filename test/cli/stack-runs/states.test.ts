import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { runInProcess } from "../support/in-process";

const folder = mkdtempSync(path.join(tmpdir(), "steward-states-"));
afterAll(() => rmSync(folder, { recursive: true }));

const instance = { schema_version: 0, attributes: { id: "1", input: null, output: null } };
const STATE = {
  version: 4,
  terraform_version: "1.11.4",
  serial: 1,
  lineage: "5b8c2f0a-0000-4000-8000-000000000001",
  outputs: {},
  resources: ["a", "b"].map((name) => ({
    mode: "managed",
    type: "terraform_data",
    name,
    provider: 'provider["terraform.io/builtin/terraform"]',
    instances: [instance],
  })),
};

describe("state mv and state rm with --state FILE", () => {
  test.each([
    ["state", "mv", "terraform_data.a", "terraform_data.c"],
    ["state", "rm", "terraform_data.b"],
  ])("%s %s reads the state once, and writes nothing with --dry-run", async (...words) => {
    const file = path.join(folder, "terraform.tfstate");
    writeFileSync(file, JSON.stringify(STATE));
    const read = jest.spyOn(LocalBackend.prototype, "read");
    const run = (...more: string[]) => runInProcess([...words, "--state", file, ...more], { folder });
    expect((await run("--dry-run")).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(STATE);
    expect((await run()).code).toBe(0);
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
    expect(readFileSync(file, "utf8")).not.toContain(words[2]!.split(".")[1] === "a" ? '"a"' : '"b"');
  });

  test("if the state file does not exist, state rm fails and suggests to check the path", async () => {
    const file = path.join(folder, "missing");
    const { code, err } = await runInProcess(["state", "rm", "terraform_data.b", "--state", file], {
      folder,
    });
    expect([code, err]).toEqual([1, expect.stringContaining("does not exist. Check the path.")]);
  });
});
