// Compares the API client of Steward with bare undici and @gitbeaker/rest. All three clients use the same service,
// which runs in a separate thread.
import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { Gitlab } from "@gitbeaker/rest";
import { Pool } from "undici";
import { createClient } from "../src/api";
import { median, print } from "./figures";

const ENTRIES = 10_000;
const LATENCY = 20;
const PROJECT = 1;
const GROUP = "bench";

/**
 * The number of requests in a measurement. `ROUNDS` is the number of measurements. The three clients take turns, so
 * that noise affects all of them equally.
 */
const READS = 400;
const ROUNDS = 9;

interface Address {
  readonly url: string;
  readonly adminToken: string;
}

const SERVICE = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { startService } = require(workerData.service);
  startService({ ...workerData.options }).then(({ url, adminToken }) => parentPort.postMessage({ url, adminToken }));
`;

/** Starts the service in a separate thread. The service delays each response to a GET by `delay` milliseconds. */
async function withService(delay: number, measure: (address: Address) => Promise<void>): Promise<void> {
  // The service needs little time to list invitations. So the measured time is mostly the latency and the work of the
  // clients.
  const invitations = Array.from({ length: ENTRIES }, (_, index) => ({
    email: `person-${index}@example.com`,
    role: "guest" as const,
  }));
  const worker = new Worker(SERVICE, {
    eval: true,
    workerData: {
      service: path.resolve("dist", "service"),
      options: {
        fixture: {
          groups: [{ path: GROUP, invitations }],
          projects: [{ id: PROJECT, path: `${GROUP}/web` }],
        },
        faults: delay > 0 ? [{ method: "GET", always: true, delay }] : [],
      },
    },
  });
  const [address] = (await once(worker, "message")) as [Address];
  try {
    await measure(address);
  } finally {
    await worker.terminate();
  }
}

/** Measures the microseconds per request when the requests are sent one after another. */
async function oneByOne(read: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < READS; count += 1) await read();
  return ((performance.now() - began) * 1000) / READS;
}

/** Measures requests per second when all requests start at the same time. */
async function allAtOnce(read: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await Promise.all(Array.from({ length: READS }, read));
  return (READS * 1000) / (performance.now() - began);
}

/** Measures several functions in turns. Returns the median for each function. */
async function inTurns(
  measure: (read: () => Promise<unknown>) => Promise<number>,
  ways: readonly (() => Promise<unknown>)[],
): Promise<number[]> {
  const measured = ways.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, way] of ways.entries()) {
      const value = await measure(way);
      // The first round only warms up the functions.
      if (round > 0) measured[index]!.push(value);
    }
  }
  return measured.map(median);
}

function clientsOf({ url, adminToken: token }: Address) {
  const pool = new Pool(url, { connections: 50 });
  const headers = { "private-token": token, accept: "application/json" };
  return {
    client: createClient({ baseUrl: url, token, env: {} }),
    // Without this option, Gitbeaker limits its own rate, and the bench would measure this limit.
    gitbeaker: new Gitlab({ host: url, token, rateLimits: { "**": 1_000_000 } }),
    bare: async (target: string): Promise<unknown> => {
      const { body } = await pool.request({ method: "GET", path: `/api/v4${target}`, headers });
      return JSON.parse(await body.text());
    },
  };
}

async function singleReads(address: Address): Promise<void> {
  const { client, gitbeaker, bare } = clientsOf(address);
  const ways = [
    () => bare(`/projects/${PROJECT}`),
    () => client.projects.get(PROJECT),
    () => gitbeaker.Projects.show(PROJECT),
  ];
  const [undici, ours, theirs] = (await inTurns(oneByOne, ways)) as [number, number, number];
  print({ name: "single read, bare undici and JSON.parse", value: undici, unit: "µs" });
  print({ name: "single read, steward", value: ours, unit: "µs" });
  print({ name: "single read, @gitbeaker/rest", value: theirs, unit: "µs" });
  print({ name: "  steward beside bare undici", value: ours / undici, unit: "times", atMost: 1.3 });
  print({ name: "  overhead of steward", value: ours - undici, unit: "µs" });
  const rates = (await inTurns(allAtOnce, ways)) as [number, number, number];
  for (const [index, name] of ["bare undici", "steward", "@gitbeaker/rest"].entries()) {
    print({ name: `${READS} reads at once, ${name}`, value: rates[index]!, unit: "req/s" });
  }
}

async function longList(address: Address): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { client, gitbeaker } = clientsOf(address);
    ours.push(await seconds(() => client.groupInvitations.list(GROUP).toArray()));
    theirs.push(await seconds(() => gitbeaker.GroupInvitations.all(GROUP, { perPage: 100 })));
  }
  const name = `list of ${ENTRIES} at ${LATENCY} ms`;
  print({ name: `${name}, steward`, value: median(ours), unit: "s" });
  print({ name: `${name}, @gitbeaker/rest`, value: median(theirs), unit: "s" });
  print({ name: "  steward beside it", value: median(theirs) / median(ours), unit: "times", atLeast: 5 });
}

/** Measures the seconds until a client has read the whole list. */
async function seconds(list: () => Promise<readonly unknown[]>): Promise<number> {
  const began = performance.now();
  const { length } = await list();
  if (length !== ENTRIES) throw new Error(`${length} entries came, not ${ENTRIES}`);
  return (performance.now() - began) / 1000;
}

async function main(): Promise<void> {
  await withService(0, singleReads);
  await withService(LATENCY, longList);
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
