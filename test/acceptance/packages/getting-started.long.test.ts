import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "../support/free-port";
import { pageScript } from "../support/page";
import { type LoopbackRegistry, startRegistry } from "./support/loopback-registry";
import { packageFor, usePacked } from "./support/packed";

// Every command of docs/getting-started.md as a reader types it: in an empty folder, with npm, without this repository.

jest.setTimeout(600_000);

const packed = usePacked();
let registry: LoopbackRegistry;
beforeAll(async () => {
  registry = await startRegistry(Object.values(packed.tarballs));
});
afterAll(() => registry?.close());

test("docs/getting-started.md does what it says, from the packed package", async () => {
  const folder = path.join(packed.folder, "getting-started");
  mkdirSync(folder);
  const { PATH } = process.env;
  const env = {
    PATH,
    HOME: packed.folder,
    CI: "true",
    npm_config_registry: registry.url,
    npm_config_cache: path.join(packed.folder, "npm-cache"),
    npm_config_audit: "false",
  };
  const port = await freePort();
  // The app's script has the port of the page.
  const script = pageScript("docs/getting-started.md", port).replace(
    "npm run serve",
    `npm run serve -- --port ${port}`,
  );
  const { code, output } = await bash(script, folder, env);
  if (code !== 0) throw new Error(output);
  expect(readFileSync(path.join(folder, "mine", "drift.md"), "utf8")).toContain("no drift, ");
  expect(readFileSync(path.join(folder, "settings", "package.json"), "utf8")).toContain(
    `"${packageFor("cdktn")}": "^`,
  );
});

/** Runs a script, and ends what it left running: `npm run` does not pass a signal on to the service. */
async function bash(script: string, cwd: string, env: NodeJS.ProcessEnv) {
  const log = path.join(cwd, "output.log");
  const output = openSync(log, "w");
  const child = spawn("bash", ["-c", script], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", output, output],
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  closeSync(output);
  try {
    process.kill(-child.pid!);
  } catch {
    // Nothing of the group is left.
  }
  return { code, output: readFileSync(log, "utf8") };
}
