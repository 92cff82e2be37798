// Measures the provider under Terraform: the time from its start to the handshake, and the time of a plan. The plan is
// compared with a plan of builtin resources.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import path from "node:path";
import { Company } from "../test/plugin/support/company";
import type { Workspace } from "../test/plugin/support/workspace";
import { programFor } from "../test/support/capabilities";
import { median, print } from "./figures";

const STARTS = 15;
const PLANS = 7;
const RESOURCES = 10;

const HANDSHAKE = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
  PLUGIN_PROTOCOL_VERSIONS: "6",
  // Terraform sends its certificate in this variable. This bench ends before a client connects, so any text is enough.
  PLUGIN_CLIENT_CERT: "none",
};

/** Measures the seconds until a program writes something, or ends. */
async function firstSign(program: string, words: readonly string[] = []): Promise<number> {
  const began = performance.now();
  const child = spawn(program, words, {
    env: { ...process.env, ...HANDSHAKE },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended]);
  const seconds = (performance.now() - began) / 1000;
  child.kill();
  await ended;
  return seconds;
}

/** Measures the starts of the provider and of bare Node. Returns the median time of bare Node. */
async function handshakes(program: string): Promise<number> {
  const [bare, started]: [number[], number[]] = [[], []];
  // Provider and bare Node run in turns, so that noise affects both of them equally.
  for (let count = 0; count < STARTS; count += 1) {
    bare.push(await firstSign(process.execPath, ["-e", "0"]));
    started.push(await firstSign(program));
  }
  print({ name: "node, doing nothing", value: median(bare), unit: "s" });
  print({ name: "start to handshake", value: median(started), unit: "s", atMost: 2 * median(bare) });
  return median(bare);
}

const repeated = (block: (index: number) => string): string =>
  Array.from({ length: RESOURCES }, (_, index) => block(index)).join("\n");

const BUILTIN = repeated((index) => `resource "terraform_data" "r${index}" {\n  input = "${index}"\n}\n`);
/**
 * The usual resources of a project. A plan reads these resources with list requests and with requests for single
 * objects.
 */
const OURS = `resource "steward_job_token_scope" "this" {
  project         = "acme/web-shop"
  inbound_enabled = true
}
resource "steward_protected_environment" "this" {
  project              = "acme/web-shop"
  name                 = "production"
  deploy_access_levels = [{ access_level = 40 }]
}
${["deploy-tools", "test-runner", "docs", "legacy-import", "platform/ci-images", "platform/cluster-config"]
  .map(
    (name, index) =>
      `resource "steward_job_token_allowlist_project" "r${index}" {\n  project = "acme/web-shop"\n  target_project = "acme/${name}"\n}\n`,
  )
  .join("")}
resource "steward_job_token_scope" "docs" {
  project = "acme/docs"
}
resource "steward_job_token_scope" "tools" {
  project = "acme/deploy-tools"
}
`;

async function plans(workspaces: readonly Workspace[]): Promise<number[]> {
  const measured = workspaces.map((): number[] => []);
  for (let count = 0; count <= PLANS; count += 1) {
    for (const [index, workspace] of workspaces.entries()) {
      const began = performance.now();
      const { changes } = await workspace.plan();
      if (changes) throw new Error("The plan of the benchmark should be empty.");
      // The first round only warms up the programs.
      if (count > 0) measured[index]!.push((performance.now() - began) / 1000);
    }
  }
  return measured.map(median);
}

async function main(): Promise<void> {
  const engine = programFor("engine");
  if (engine === undefined) {
    process.stdout.write("left out: there is neither terraform nor tofu on the PATH\n");
    return;
  }
  const company = await Company.start(engine);
  try {
    await company.http("DELETE", "/projects/1/job_token_scope/allowlist/5");
    const node = await handshakes(company.mirror.program);
    const [builtin, plugin, reattached] = [
      company.workspace(),
      company.workspace(),
      await company.reattached(),
    ];
    builtin.write("main.tf", BUILTIN);
    builtin.delete("versions.tf");
    for (const workspace of [plugin, reattached]) workspace.write("main.tf", OURS);
    await plugin.succeed("init");
    await builtin.succeed("init");
    await builtin.apply();
    await plugin.apply();
    reattached.write("terraform.tfstate", plugin.read("terraform.tfstate"));
    const [base, started, served] = (await plans([builtin, plugin, reattached])) as [number, number, number];
    print({ name: `no-change plan of ${RESOURCES} terraform_data`, value: base, unit: "s" });
    print({ name: `the same of ${RESOURCES} resources of ours, by a plugin`, value: started, unit: "s" });
    print({ name: "  more than terraform_data", value: started - base, unit: "s", atMost: 0.5 });
    print({ name: "  of which Node alone, which a plan starts three times", value: 3 * node, unit: "s" });
    print({ name: "the same, reattached", value: served, unit: "s" });
    print({ name: "  more than terraform_data", value: served - base, unit: "s", atMost: 0.1 });
    print({
      name: "size of the program",
      value: sizeOf(path.join(path.dirname(company.mirror.program), "provider.js")),
      unit: "KiB",
    });
  } finally {
    await company.end();
  }
}

const sizeOf = (file: string): number => statSync(file).size / 1024;

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
