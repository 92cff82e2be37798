import { spawn } from "node:child_process";
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "../../support/free-port";
import { pageScript } from "../../support/page";

const PAGE = "docs/getting-started.md";

/** The files and the output of the commands of docs/getting-started.md. */
export interface GettingStarted {
  readonly code: number | null;
  readonly output: string;
  /** The folder of the app that `init` wrote, with the packages that npm installed for this app. */
  readonly settings: string;
  /** The folder of the app that `init --from` wrote. */
  readonly mine: string;
}

/**
 * Runs every command of the page with npm, as a reader types it. The folder of the clone contains only the packed
 * package, and the home folder is empty.
 *
 * @param tarball the package that `npm run pack` wrote
 */
export async function gettingStarted(
  temporary: string,
  registry: string,
  tarball: string,
): Promise<GettingStarted> {
  const folder = path.join(temporary, "clone");
  const packages = path.join(folder, "dist/packages");
  mkdirSync(packages, { recursive: true });
  copyFileSync(tarball, path.join(packages, path.basename(tarball)));
  const port = await freePort();
  const script = replaced(pageScript(PAGE, port), [
    // The test suite has already packed the package in this checkout.
    [/npm ci && npm run pack /, "ls dist/packages "],
    // The script of the app uses the port of the page.
    [/npm run serve/, `npm run serve -- --port ${port}`],
    // The second app uses the dependencies of the first app, so that npm does not install them again.
    [/(?<=\ncd \.\.\/mine .*?\n)npm install "\$STEWARD_PACKAGE" /s, SAME_PACKAGES],
    // Only the first command uses npx, because npx takes longer than most commands.
    [/(?<=npx steward plan .*?)npx steward /gs, "node_modules/.bin/steward "],
  ]);
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
  const trial = path.join(temporary, "steward-trial");
  return { ...ended, settings: path.join(trial, "settings"), mine: path.join(trial, "mine") };
}

/** Replaces parts of a text. Fails if a part is missing. */
const replaced = (text: string, replacements: readonly (readonly [part: RegExp, by: string])[]): string =>
  replacements.reduce((result, [part, by]) => {
    if (!part.test(result)) throw new Error(`${PAGE} has no ${part}.`);
    return result.replace(part, () => by);
  }, text);

/**
 * A program that prints the dependencies of the first app. It omits this package, because npm installs this package from a
 * file.
 */
const DEPENDENCIES =
  'const { dependencies: { "cdktn-provider-steward": own, ...others }, devDependencies } = require(process.argv[1]); JSON.stringify({ others, devDependencies })';
const SAME_PACKAGES =
  `[ "$(node -p '${DEPENDENCIES}' "$PWD/package.json")" = "$(node -p '${DEPENDENCIES}' "$PWD/../settings/package.json")" ] && ` +
  "ln -s ../settings/node_modules node_modules ";

/** Runs a script, and then ends the processes that still run, because `npm run` does not forward signals to the service. */
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
    // No process of the group exists anymore.
  }
  return { code, output: readFileSync(log, "utf8") };
}
