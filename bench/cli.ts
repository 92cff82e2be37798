// Measures the command from the start of the process to its exit, and bare Node for comparison.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startService } from "../src/service";
import { median, print } from "./figures";

const RUNS = 11;
const program = path.join("dist", "cli", "main.js");

/** Returns the median of several runs in seconds, from start to exit. The first run does not count. */
function time(args: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  const seconds = Array.from({ length: RUNS + 1 }, () => {
    const began = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`node ${args.join(" ")} exited ${status}: ${stderr}`);
    return (performance.now() - began) / 1000;
  });
  return median(seconds.slice(1));
}

/** A configuration with ten resources in two projects: two settings, four allowlist resources and four environments. */
const configuration = {
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  provider: { steward: [{}] },
  resource: {
    steward_job_token_scope: {
      shop: { project: "acme/web-shop", inbound_enabled: true },
      docs: { project: "acme/docs", inbound_enabled: true },
    },
    steward_job_token_allowlist: {
      shop: { project: "acme/web-shop", target_projects: ["acme/deploy-tools"] },
    },
    steward_job_token_allowlist_project: Object.fromEntries(
      ["web-shop", "deploy-tools", "test-runner"].map((name) => [
        name,
        { project: "acme/docs", target_project: `acme/${name}` },
      ]),
    ),
    steward_protected_environment: Object.fromEntries(
      ["production", "staging", "review", "canary"].map((name) => [
        name,
        { project: "acme/web-shop", name, deploy_access_levels: [{ access_level: 40 }] },
      ]),
    ),
  },
};

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  const service = await startService({ fixture: path.join("examples", "quickstart", "fixture.yaml") });
  try {
    writeFileSync(path.join(folder, "cdk.tf.json"), JSON.stringify(configuration));
    const env = { ...process.env, STEWARD_BASE_URL: service.url, STEWARD_TOKEN: service.adminToken };
    const stack = ["--config", folder, "--state", path.join(folder, "terraform.tfstate")];
    const { execFile } = await import("node:child_process");
    const run = (...words: readonly string[]) =>
      new Promise<number>((resolve, reject) => {
        const began = performance.now();
        execFile(process.execPath, [program, ...words], { env }, (problem, _stdout, stderr) =>
          problem
            ? reject(new Error(`${problem.message}\n${stderr}`))
            : resolve((performance.now() - began) / 1000),
        );
      });
    print({ name: "node, doing nothing", value: time(["-e", "0"]), unit: "s" });
    print({ name: "steward --version", value: time([program, "--version"]), unit: "s", atMost: 0.15 });
    await run("apply", ...stack, "--auto-approve");
    const plans: number[] = [];
    for (let count = 0; count <= RUNS; count++)
      plans.push(await run("plan", ...stack, "--detailed-exitcode"));
    print({
      name: "no-change plan of 10 resources, from process start",
      value: median(plans.slice(1)),
      unit: "s",
      atMost: 0.5,
    });
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
