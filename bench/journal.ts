// What the journal and the state cost an apply of many creates, on a service without latency in a process of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { applyPlan, createPlan, loadConfiguration, type RunContext } from "../src/engine";
import type { StateBackend } from "../src/engine/state/backend";
import { LocalBackend } from "../src/engine/state/local-backend";
import { createProvider } from "../src/provider";
import { median, print } from "./figures";

const SMALL = 1_000;
const LARGE = 10_000;
const PROJECTS = 100;
const TOKEN = "bench-administrator-token";

interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
}

/** The built service, empty but for the projects. */
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

/** A state that is kept nowhere, and a journal of nothing: the apply without what is measured. */
const nowhere = (): StateBackend => ({
  description: "nowhere",
  version: undefined,
  journal: {
    description: "nowhere",
    read: async () => undefined,
    append: async () => undefined,
    replace: async () => undefined,
    release: async () => undefined,
    clear: async () => undefined,
  },
  read: async () => undefined,
  write: async () => undefined,
  lock: () => Promise.reject(new Error("not locked here")),
  unlock: () => Promise.reject(new Error("not locked here")),
});

/** Seconds of one apply of so many creates. */
async function time(count: number, kept: boolean): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  const { child, url } = await serve(folder);
  try {
    const context = configure(folder, url, count);
    const plan = await createPlan(context, undefined);
    const backend = kept ? new LocalBackend(path.join(folder, "terraform.tfstate")) : nowhere();
    const began = performance.now();
    const { done, diagnostics } = await applyPlan(context, plan, backend);
    if (done.add !== count)
      throw new Error(`${done.add} of ${count} made: ${JSON.stringify(diagnostics[0])}`);
    return (performance.now() - began) / 1000;
  } finally {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  await time(SMALL, true);
  const rounds = 3;
  const small: number[] = [];
  const large: number[] = [];
  const bare: number[] = [];
  // In turns, so that a machine that slows down meanwhile slows all of them.
  for (let round = 0; round < rounds; round++) {
    small.push(await time(SMALL, true));
    bare.push(await time(LARGE, false));
    large.push(await time(LARGE, true));
  }
  const perSmall = (median(small) / SMALL) * 1000;
  const perLarge = (median(large) / LARGE) * 1000;
  print({ name: `an apply of ${LARGE} creates`, value: median(large), unit: "s" });
  print({
    name: "of that, journal and state",
    value: (1 - median(bare) / median(large)) * 100,
    unit: "%",
    atMost: 20,
  });
  print({ name: `a create among ${SMALL}`, value: perSmall, unit: "ms" });
  print({ name: `a create among ${LARGE}`, value: perLarge, unit: "ms", atMost: 1.3 * perSmall });
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
