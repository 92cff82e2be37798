// Calls every endpoint once with python-gitlab, in a separate virtual environment below `.venv/`.
import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { startService } from "cdktf-provider-steward/testing";
import { describeWhere, programFor } from "../../support/capabilities";
import { company } from "../company";

const VERSION = "6.5.0";
const FOLDER = path.resolve(__dirname, `../../../.venv/python-gitlab-${VERSION}`);
const PYTHON = path.join(FOLDER, "bin", "python");
const READY = path.join(FOLDER, "bin", "gitlab");

/**
 * Returns the Python interpreter that has the client, and installs the client at the first call. Returns undefined if
 * the client cannot be installed.
 */
function pythonWithClient(): string | undefined {
  const python = programFor("python");
  if (python === undefined) return undefined;
  if (existsSync(READY)) return PYTHON;
  const run = (program: string, ...options: string[]) =>
    spawnSync(program, options, { stdio: "ignore", timeout: 900_000 }).status === 0;
  const installed =
    run(python, "-m", "venv", FOLDER) &&
    run(PYTHON, "-m", "pip", "install", "-q", `python-gitlab==${VERSION}`);
  return installed ? PYTHON : undefined;
}

describeWhere(pythonWithClient(), "python3 and its package index", "python-gitlab", (python) => {
  test("python-gitlab can call every area of the API", async () => {
    const fixture = company();
    fixture.users!.push({ username: "ada", id: 31, enterprise_group: "acme", two_factor_enabled: true });
    const service = await startService({ fixture });
    try {
      const script = path.join(__dirname, "python", "every_area.py");
      const { stdout } = await promisify(execFile)(python, [script, service.url, service.adminToken]);
      expect(stdout).toBe("every area answered\n");
    } finally {
      await service.close();
    }
  }, 60_000);
});
