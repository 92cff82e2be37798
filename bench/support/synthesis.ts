// How long cdktf takes to synthesize an app with so many resources. Run as a program it measures its own process.
import path from "node:path";
import { measure } from "./command";

const APP = `
  const { App, TerraformStack } = require("cdktf");
  const steward = require(process.argv[1]);
  const began = performance.now();
  const app = new App({ outdir: process.argv[2] });
  const stack = new TerraformStack(app, "bench");
  new steward.StewardProvider(stack, "steward");
  for (let index = 0; index < Number(process.argv[3]); index += 1)
    new steward.ProtectedEnvironment(stack, "env-" + index, {
      project: "bench/crowded", name: "env-" + index, deployAccessLevels: [{ accessLevel: 40 }],
    });
  app.synth();
  console.log((performance.now() - began) / 1000);
`;

export async function synthesisSeconds(count: number): Promise<number> {
  const { mkdtempSync, rmSync } = await import("node:fs");
  const folder = mkdtempSync(path.join((await import("node:os")).tmpdir(), "steward-bench-"));
  try {
    const program = path.resolve("dist", "constructs");
    const { output } = await measure(process.execPath, ["-e", APP, program, folder, String(count)]);
    return Number(output.trim().split("\n").at(-1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
