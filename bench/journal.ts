// Measures the cost of the journal and the state in an apply of many creates. The service runs in a separate process
// and has no latency.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { applyPlan } from "../src/engine/apply/apply-plan";
import { createPlan } from "../src/engine/plan/create-plan";
import type { RunContext } from "../src/engine/stack-run/context";
import { loadConfiguration } from "../src/language";
import { createProvider } from "../src/provider";
import { LocalBackend } from "../src/state/backends/local-backend";
import { median, print } from "./figures";
import { profiled } from "./profile";

const SMALL = 1_000;
const LARGE = 10_000;
const PROJECTS = 100;
const TOKEN = "bench-administrator-token";

interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Starts the built service with projects that have no settings. */
async function serve(folder: string): Promise<Serving> {
  const fixture = path.join(folder, "fixture.json");
  const tokenFile = path.join(folder, "token");
  const projects = Array.from({ length: PROJECTS }, (_, number) => ({ path: `acme/p${number}` }));
  writeFileSync(fixture, JSON.stringify({ groups: [{ path: "acme" }], projects }));
  writeFileSync(tokenFile, TOKEN, { mode: 0o600 });
  const words = ["serve", "--fixture", fixture, "--port", "0", "--admin-token-file", tokenFile];
  const child = spawn(process.execPath, [path.join("dist", "cli", "main.js"), ...words], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let told = "";
  while (!told.includes("\n")) told += String((await once(child.stdout!, "data"))[0]);
  return { child, url: /listening on (\S+)/.exec(told)![1]! };
}

function configure(folder: string, url: string, count: number): RunContext {
  const rules = Array.from({ length: count }, (_, number) => [
    `r${number}`,
    {
      project: `acme/p${number % PROJECTS}`,
      repository_path_pattern: `acme/r${number}/*`,
      minimum_access_level_for_push: "maintainer",
    },
  ]);
  const provider = createProvider();
  const source = provider.schema.source;
  writeFileSync(
    path.join(folder, "main.tf.json"),
    JSON.stringify({
      terraform: { required_providers: { steward: { source } } },
      provider: { steward: [{ base_url: url, token: TOKEN }] },
      resource: { steward_container_protection_rule: Object.fromEntries(rules) },
    }),
  );
  return { configuration: loadConfiguration(folder), variables: {}, providers: { [source]: provider } };
}

/** The cost of one apply. */
interface Taken {
  /** Seconds on the clock. Other programs on the machine can make this time longer. */
  readonly wall: number;
  /** Seconds of the processor for this process. The work of the service is not included. */
  readonly work: number;
  /** The share of this work that the modules of the journal and the state do. */
  readonly keeping: number;
}

/** Measures an apply of this number of creates. */
async function take(count: number): Promise<Taken> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  const { child, url } = await serve(folder);
  try {
    const context = configure(folder, url, count);
    const plan = await createPlan(context, undefined);
    const backend = new LocalBackend(path.join(folder, "terraform.tfstate"));
    const began = performance.now();
    const cpu = process.cpuUsage();
    const { result, share } = await profiled(() => applyPlan(context, plan, backend), KEEPING);
    const { user, system } = process.cpuUsage(cpu);
    if (result.done.add !== count)
      throw new Error(`${result.done.add} of ${count} made: ${JSON.stringify(result.diagnostics[0])}`);
    return { wall: (performance.now() - began) / 1000, work: (user + system) / 1e6, keeping: share };
  } finally {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The source files of the journal and the state. These source files include the files of an apply that collect and save
 * the state.
 */
const KEEPING = /\/src\/engine\/(?:journal|state)\/|\/src\/engine\/apply\/(?:saving|state-editor)\./;

async function main(): Promise<void> {
  await take(SMALL);
  const rounds = 3;
  const small: Taken[] = [];
  const large: Taken[] = [];
  // The two sizes are measured in turns, so that a slow moment of the machine affects both.
  for (let round = 0; round < rounds; round++) {
    small.push(await take(SMALL));
    large.push(await take(LARGE));
  }
  const perSmall = (median(small.map(({ work }) => work)) / SMALL) * 1000;
  const perLarge = (median(large.map(({ work }) => work)) / LARGE) * 1000;
  print({ name: `an apply of ${LARGE} creates`, value: median(large.map(({ wall }) => wall)), unit: "s" });
  print({ name: "of that, work of this process", value: median(large.map(({ work }) => work)), unit: "s" });
  print({
    name: "of that work, journal and state",
    value: median(large.map(({ keeping }) => keeping)) * 100,
    unit: "%",
    atMost: 20,
  });
  print({ name: `work for a create among ${SMALL}`, value: perSmall, unit: "ms" });
  print({ name: `work for a create among ${LARGE}`, value: perLarge, unit: "ms", atMost: 1.3 * perSmall });
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
