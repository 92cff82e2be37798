import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startService } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { client } from "../client";

const TOKEN = "token-of-the-administrator";
const PROJECTS = 400;
const WRITERS = 8;

/**
 * A program that serves a data file as `steward serve` does. The program loads the built service from `dist`, so that
 * the test kills the service that users run.
 */
const RUNNER = `
  const { startService } = require(process.argv[1]);
  startService({ data: process.argv[2], adminToken: process.argv[3] }).then(({ url }) => process.send(url));
`;

async function serve(data: string): Promise<{ child: ChildProcess; url: string }> {
  const service = path.resolve(__dirname, "../../../dist/service");
  const child = spawn(process.execPath, ["-e", RUNNER, service, data, TOKEN], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [url] = (await once(child, "message")) as [string];
  return { child, url };
}

/**
 * Adds entries with several concurrent writers. Kills the process after this number of responses, and returns the
 * entries that were acknowledged.
 */
async function writeUntilKilled(
  data: string,
  targets: readonly number[],
  killAfter: number,
): Promise<number[]> {
  const { child, url } = await serve(data);
  const send = client({ url, adminToken: TOKEN });
  const answered: number[] = [];
  const waiting = [...targets];
  let killed = false;
  const write = async (): Promise<void> => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      const json = { target_project_id: target };
      const answer = await send("POST", "/projects/1/job_token_scope/allowlist", { json }).catch((reason) => {
        if (killed) return undefined;
        throw reason;
      });
      if (answer === undefined) return;
      if (answer.status !== 201) throw new Error(`entry ${target} was answered ${answer.status}`);
      answered.push(target);
      if (answered.length === killAfter) killed = child.kill("SIGKILL");
    }
  };
  const ended = once(child, "exit");
  try {
    await Promise.all(Array.from({ length: WRITERS }, write));
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
  return answered;
}

async function allowlist(data: string): Promise<Set<number>> {
  const service = await startService({ data, adminToken: TOKEN });
  const ids = new Set<number>();
  for (let page = 1; ; page += 1) {
    const list = `/projects/1/job_token_scope/allowlist?per_page=100&page=${page}`;
    const { body, headers } = await client(service)("GET", list);
    for (const { id } of body as { id: number }[]) ids.add(id);
    if (headers.get("x-next-page") === "") break;
  }
  await service.close();
  return ids;
}

const KILLS = runs(2, 50);

test(
  `after each of ${KILLS} kills during writes, the data file contains every write that got a response`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: PROJECTS - 20 }), async (killAfter) => {
        const folder = mkdtempSync(path.join(tmpdir(), "steward-kill-"));
        try {
          const data = path.join(folder, "data.db");
          const targets = Array.from({ length: PROJECTS - 1 }, (_, index) => index + 2);
          const fixture = {
            groups: [{ path: "acme" }],
            projects: [1, ...targets].map((id) => ({ path: `acme/p${id}`, id })),
          };
          await (await startService({ data, fixture, adminToken: TOKEN })).close();
          const answered = await writeUntilKilled(data, targets, killAfter);
          expect(answered.length).toBeGreaterThanOrEqual(killAfter);
          const kept = await allowlist(data);
          expect(answered.filter((target) => !kept.has(target))).toEqual([]);
          // An entry can exist without a response if its request was sent. No other entry may exist.
          expect(kept.size).toBeLessThanOrEqual(answered.length + WRITERS + 1);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
      { seed, numRuns: KILLS, endOnFailure: true },
    );
  },
  runs(60_000, 600_000),
);
