import { execFile } from "node:child_process";
import path from "node:path";

const ROOT = path.join(__dirname, "../../..");

const generate = (...options: string[]) =>
  new Promise<{ readonly code: number | null; readonly said: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ["--import", "tsx", "scripts/generate.ts", ...options],
      { cwd: ROOT },
      (_problem, stdout, stderr) => resolve({ code: child.exitCode, said: stdout + stderr }),
    );
  });

it("generate --check reports that the committed files are up to date", async () => {
  expect(await generate("--check")).toEqual({ code: 0, said: "Generated files are up to date.\n" });
}, 60_000);

it("with an unknown option, scripts/generate.ts writes nothing and prints its usage", async () => {
  const { code, said } = await generate("--chekc");
  expect(code).toBe(1);
  expect(said).toContain("tsx scripts/generate.ts --check");
}, 60_000);
