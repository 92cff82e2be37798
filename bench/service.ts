// Measures the embedded service in a separate process: requests per second, and how much slower a late page of a list
// is.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { median, print } from "./figures";
import { fillAllowlist } from "./support/crowded-allowlist";

const ENTRIES = 100_000;
const SECONDS = 5;
const CONNECTIONS = 10;
const PAGES = 200;
const TOKEN = "bench-administrator-token";

// autocannon runs in the process of the bench, and the service in another process. So both can use separate cores.
const RUNNER = `
  const { startService } = require(process.argv[1]);
  startService({ data: process.argv[2], adminToken: process.argv[3], settings: { maximumOffset: 1_000_000 } })
    .then(({ url }) => process.send(url));
`;

/** Starts a service with a data file. Returns its URL, and a function that stops it. */
async function start(data: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ["-e", RUNNER, path.resolve("dist", "service"), data, TOKEN], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    async stop() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

const headers = { "private-token": TOKEN, "content-type": "application/json" };

async function load(name: string, atLeast: number, request: Partial<autocannon.Options> & { url: string }) {
  const result = await autocannon({ connections: CONNECTIONS, duration: SECONDS, headers, ...request });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${name}: ${result.non2xx} answers were refusals, ${result.errors} requests failed`);
  }
  print({ name: `${name}, requests a second`, value: result.requests.average, unit: "req/s", atLeast });
  print({ name: `${name}, p50`, value: result.latency.p50, unit: "ms" });
  print({ name: `${name}, p99`, value: result.latency.p99, unit: "ms" });
}

/** Measures many requests one after the other, and returns their median time in milliseconds. */
async function timed(url: string): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < PAGES; count += 1) {
    const began = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    times.push(performance.now() - began);
  }
  return median(times);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  const data = path.join(folder, "data.db");
  try {
    await (await start(data)).stop();
    fillAllowlist(data, ENTRIES);
    const { url, stop } = await start(data);
    const api = `${url}/api/v4/projects`;
    const list = `${api}/1/job_token_scope/allowlist`;
    await load("read one record", 3_000, { url: `${api}/1/job_token_scope` });
    await load(`read a page of 20 of ${ENTRIES} entries`, 3_000, { url: list });
    let next = 2;
    await load("write: add an allowlist entry", 1_000, {
      url: `${api}/2/job_token_scope/allowlist`,
      requests: [
        {
          method: "POST",
          setupRequest: (request) => {
            next += 1;
            return { ...request, body: JSON.stringify({ target_project_id: next }) };
          },
        },
      ],
    });
    const first = await timed(`${list}?per_page=100&page=1`);
    const deep = await timed(`${list}?per_page=100&page=${ENTRIES / 100}`);
    print({ name: "first page of 100", value: first, unit: "ms" });
    print({ name: "the last page beside the first one", value: deep - first, unit: "ms more", atMost: 3 });
    await stop();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main().catch((problem: unknown) => {
  console.error(problem);
  process.exitCode = 1;
});
