// Compares other programs with Steward. Each program creates the same protected environments and then plans without a
// change. Each program has its own service, with a latency of 20 ms. PEER_PROVIDER is the binary of another provider
// for Terraform. GITLABFORM is the program gitlabform, by default the one on the PATH. Missing programs are left out.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { programFor } from "../test/support/capabilities";
import { print } from "./figures";
import { COLLECTIONS } from "./plan/collections";
import { findGitlabform, runOnce } from "./plan/gitlabform";
import { type Measured, measure, steward } from "./support/command";
import { ServiceProcess } from "./support/service-process";
import { StackFolder } from "./support/stack-folder";

const COUNT = process.argv.includes("--all") ? 1000 : 100;
const LATENCY = 20;
const environments = COLLECTIONS.find(({ name }) => name === "environments")!;

/**
 * The template of a configuration that uses another provider than Steward. INDEX, URL and TOKEN are placeholders: for
 * the number of the environment, and for address and token of the service.
 */
interface Template {
  readonly source: string;
  readonly type: string;
  readonly provider: object;
  readonly resource: object;
}

/**
 * The template of a configuration that uses the official Go provider. PEER_TEMPLATE can be the path of a file with the
 * template for a different provider.
 */
const GO_PROVIDER: Template = {
  source: "gitlabhq/gitlab",
  type: "gitlab_project_protected_environment",
  provider: { base_url: "URL/api/v4/", token: "TOKEN" },
  resource: {
    project: "bench/crowded",
    environment: "env-INDEX",
    deploy_access_levels: [{ access_level: "maintainer" }],
  },
};

/** The cost of one run, with the number of its requests. */
interface Run extends Measured {
  readonly requests: number;
}

interface Runs {
  readonly create: Run;
  readonly unchanged: Run;
}

type Step = () => Promise<Measured>;

/** Starts a service without environments, and runs the create and the plan with it. */
async function atService(
  prepare: (service: ServiceProcess) => [create: Step, unchanged: Step],
): Promise<Runs> {
  const service = await ServiceProcess.start({ fixture: environments.fixture(COUNT) });
  try {
    await service.delay(LATENCY);
    const run = async (step: Step): Promise<Run> => {
      await service.counters();
      const measured = await step();
      return { ...measured, ...(await service.counters()) };
    };
    const [create, unchanged] = prepare(service);
    return { create: await run(create), unchanged: await run(unchanged) };
  } finally {
    await service.close();
  }
}

async function ours(): Promise<Runs> {
  const stack = new StackFolder();
  try {
    stack.declare(environments.resources(COUNT));
    return await atService(({ env }) => [
      () => steward(["apply", "--auto-approve", ...stack.words], env),
      () => steward(["plan", "--detailed-exitcode", ...stack.words], env),
    ]);
  } finally {
    stack.remove();
  }
}

/** Returns a Terraform configuration with the values of a template. */
function configurationOf(
  { source, type, provider, resource }: Template,
  { url, token }: ServiceProcess,
): object {
  const [name] = type.split("_") as [string];
  const filled = (part: object, index = 0): object =>
    JSON.parse(
      JSON.stringify(part)
        .replaceAll("INDEX", String(index))
        .replaceAll("URL", url)
        .replaceAll("TOKEN", token),
    );
  const resources = Array.from({ length: COUNT }, (_, index) => [`e${index}`, filled(resource, index)]);
  return {
    terraform: { required_providers: { [name]: { source } } },
    provider: { [name]: [filled(provider)] },
    resource: { [type]: Object.fromEntries(resources) },
  };
}

/**
 * Runs the create and the plan under Terraform. Terraform uses the given binary of the provider instead of one from a
 * registry.
 */
async function underTerraform(terraform: string, binary: string): Promise<Runs> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  const file = process.env["PEER_TEMPLATE"];
  const template: Template = file === undefined ? GO_PROVIDER : JSON.parse(readFileSync(file, "utf8"));
  const [name] = template.type.split("_") as [string];
  const override = path.join(folder, `terraform-provider-${name}`);
  const settings = path.join(folder, "peer.tfrc");
  try {
    // This script calls the binary in its own folder, because a provider may read files next to itself.
    writeFileSync(override, `#!/bin/sh\nexec ${JSON.stringify(path.resolve(binary))} "$@"\n`, {
      mode: 0o755,
    });
    writeFileSync(
      settings,
      `provider_installation {\n  dev_overrides {\n    ${JSON.stringify(template.source)} = ${JSON.stringify(folder)}\n  }\n  direct {}\n}\n`,
    );
    return await atService((service) => {
      writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify(configurationOf(template, service)));
      const env = { ...service.env, TF_CLI_CONFIG_FILE: settings, CHECKPOINT_DISABLE: "1", TF_INPUT: "0" };
      const run = (...words: string[]) => measure(terraform, words, { env, cwd: folder });
      return [() => run("apply", "-auto-approve"), () => run("plan", "-detailed-exitcode")];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the create and the plan with gitlabform. The plan has `--noop`, so that gitlabform only prints differences. */
const withGitlabform = (program: string): Promise<Runs> => {
  const declared = environments.gitlabform!(COUNT);
  return atService((service) => [
    () => runOnce(program, service, declared.apply),
    () => runOnce(program, service, declared.plan, ["--noop"]),
  ]);
};

function compare(name: string, theirs: Runs, own: Runs): void {
  for (const [step, title] of [
    ["create", `${COUNT} environments from nothing`],
    ["unchanged", "no change"],
  ] as const) {
    const [peer, we] = [theirs[step], own[step]];
    print({ name: `${name}, ${title}: clock`, value: peer.seconds, unit: "s" });
    if (peer === we) continue;
    print({ name: "  to ours", value: peer.seconds / we.seconds, unit: "times" });
    print({ name: "  processor, to ours", value: peer.cpu! / we.cpu!, unit: "times" });
    print({ name: "  requests", value: peer.requests, unit: `(ours: ${we.requests})` });
  }
}

async function main(): Promise<void> {
  const own = await ours();
  compare("ours", own, own);
  const [terraform, binary] = [programFor("terraform"), process.env["PEER_PROVIDER"]];
  if (terraform === undefined || binary === undefined)
    process.stdout.write("left out: a provider, as PEER_PROVIDER or terraform is missing\n");
  else compare(path.basename(binary), await underTerraform(terraform, binary), own);
  const gitlabform = await findGitlabform();
  if (gitlabform === undefined)
    process.stdout.write("left out: gitlabform, which neither GITLABFORM names nor the PATH has\n");
  else compare(gitlabform.title, await withGitlabform(gitlabform.program), own);
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
