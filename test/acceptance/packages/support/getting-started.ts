import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "../../support/free-port";
import { pageScript } from "../../support/page";

const PAGE = "docs/getting-started.md";

/** What the commands of docs/getting-started.md left, and what they wrote. */
export interface GettingStarted {
  readonly code: number | null;
  readonly output: string;
  /** The app of `init`, with the packages that npm installed for it. */
  readonly settings: string;
  /** The app of `init --from`. */
  readonly mine: string;
}

/** Runs every command of the page as a reader types it: in an empty folder, with npm, without this repository. */
export async function gettingStarted(temporary: string, registry: string): Promise<GettingStarted> {
  const folder = path.join(temporary, "getting-started");
  mkdirSync(folder);
  const port = await freePort();
  const script = pageScript(PAGE, port)
    // The app's script has the port of the page.
    .replace("npm run serve", `npm run serve -- --port ${port}`)
    // The second app has the dependencies of the first one: npm need not install them again.
    .replace(/(?<=\ncd mine .*?\n)npm install /s, SAME_PACKAGES);
  const { PATH } = process.env;
  const env = {
    PATH,
    HOME: temporary,
    CI: "true",
    npm_config_registry: registry,
    npm_config_cache: path.join(temporary, "npm-cache"),
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
  const ended = await bash(script, folder, env);
  return { ...ended, settings: path.join(folder, "settings"), mine: path.join(folder, "mine") };
}

const DEPENDENCIES =
  "const { dependencies, devDependencies } = require(process.argv[1]); JSON.stringify({ dependencies, devDependencies })";
const SAME_PACKAGES =
  `[ "$(node -p '${DEPENDENCIES}' "$PWD/package.json")" = "$(node -p '${DEPENDENCIES}' "$PWD/../settings/package.json")" ] && ` +
  "ln -s ../settings/node_modules node_modules ";

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
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  closeSync(output);
  try {
    process.kill(-child.pid!);
  } catch {
    // Nothing of the group is left.
  }
  return { code, output: readFileSync(log, "utf8") };
}
