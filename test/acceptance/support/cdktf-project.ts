import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { startService } from "cdktf-provider-steward/testing";
import { steward } from "../../cli/support/process";
import { ROOT } from "./own-project";

const run = promisify(execFile);
const APP = path.join(ROOT, "examples/quickstart/main.ts");
const LOADER = pathToFileURL(path.join(ROOT, "node_modules/tsx/dist/loader.mjs")).href;

/**
 * The quickstart as a project of the cdktf CLI. The provider comes from a mirror, and the project has a separate service.
 */
export interface CdktfProject {
  readonly folder: string;
  /** The environment of the CLI. */
  readonly env: NodeJS.ProcessEnv;
  /** The JavaScript file of the CLI. */
  readonly cli: string;
  /** Runs the CLI; returns its output without colours. */
  cdktf(words: readonly string[], more?: NodeJS.ProcessEnv): Promise<string>;
  close(): Promise<void>;
}

/**
 * Installs the CLI and writes the mirror.
 *
 * @param program the engine that the CLI starts
 */
export async function cdktfProject(program: string, more: NodeJS.ProcessEnv = {}): Promise<CdktfProject> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-cdktf-"));
  writeFileSync(path.join(folder, "package.json"), '{ "private": true }');
  const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  // Without scripts, npm does not build the only native module. The tests do not need this module, which asks questions on a
  // terminal.
  await run("npm", ["install", `cdktf-cli@${devDependencies.cdktf}`, "--ignore-scripts", "--no-audit"], {
    cwd: folder,
  });
  const service = await startService({ fixture: path.join(ROOT, "examples/quickstart/fixture.yaml") });
  const mirror = await steward(["mirror", "mirror"], { folder });
  if (mirror.code !== 0) throw new Error(mirror.err);
  writeFileSync(
    path.join(folder, "cdktf.json"),
    JSON.stringify({
      language: "typescript",
      app: `"${process.execPath}" --import ${LOADER} "${APP}"`,
      projectId: "steward-acceptance",
      sendCrashReports: "false",
    }),
  );
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    CI: "1",
    CHECKPOINT_DISABLE: "1",
    DISABLE_VERSION_CHECK: "true",
    TERRAFORM_BINARY_NAME: program,
    TF_CLI_CONFIG_FILE: mirror.out.trim(),
    STEWARD_BASE_URL: service.url,
    STEWARD_TOKEN: "quickstart-maintainer-token",
    ...more,
  };
  const cli = path.join(folder, "node_modules/cdktf-cli/bundle/bin/cdktf");
  return {
    folder,
    env,
    cli,
    cdktf: async (words, given = {}) => {
      const options = { cwd: folder, env: { ...env, ...given }, maxBuffer: 1e8 };
      const { stdout, stderr } = await run(process.execPath, [cli, ...words], options);
      return stripVTControlCharacters(`${stdout}${stderr}`);
    },
    close: async () => {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
