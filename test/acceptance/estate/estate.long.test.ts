import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { estateFixture, estateResources, RESOURCES_A_PROJECT } from "../../../bench/support/estate";
import type { EngineEvent } from "../../../src/engine";
import type { RequestEvent } from "../../../src/framework";
import { onTerminal } from "../../cli/support/on-terminal";
import { type Ended, steward } from "../../cli/support/process";
import { describeWith, programFor, runs } from "../../support/capabilities";
import { type LimitedProxy, limitedProxy } from "./limited-proxy";
import { EstateStack } from "./support";

// A company whose projects each have a scope, 8 allowlist entries, 6 protected environments and 5 container rules.

const PROJECTS = runs(30, 1000);
const REQUESTS_A_PROJECT = 6;
/** The token of a second administrator. The service counts the requests of each administrator separately. */
const OTHER_TOKEN = "token-of-ida";

const folder = mkdtempSync(path.join(tmpdir(), "steward-estate-"));
let service: Service;
let stack: EstateStack;

beforeAll(async () => {
  const users = [{ username: "ida", admin: true, token: OTHER_TOKEN }];
  service = await startService({ recordRequests: true, fixture: { ...estateFixture(PROJECTS), users } });
  stack = new EstateStack(service);
  stack.declare(estateResources(PROJECTS));
  await stack.apply();
});
afterAll(async () => {
  stack.remove();
  await service.close();
  rmSync(folder, { recursive: true });
});

test("a plan without changes sends at most six requests per project", async () => {
  const events: EngineEvent[] = [];
  service.requests.reset();
  const plan = await stack.plan({ onEvent: (event) => events.push(event) });
  expect(plan.hasChanges).toBe(false);
  expect(service.requests.count()).toBeLessThanOrEqual(REQUESTS_A_PROJECT * PROJECTS);
  const total = PROJECTS * RESOURCES_A_PROJECT;
  const progress = events.flatMap((event) => (event.kind === "progress" ? [event] : []));
  expect(new Set(progress.map((event) => event.total))).toEqual(new Set([total]));
  const done = progress.map((event) => event.done);
  expect(done).toEqual([...new Set(done)].sort((one, other) => one - other));
  expect(done.at(-1)).toBe(total);
  // A progress event can cover all objects of one page, but not the objects of several pages. The command emits at least
  // one progress event per project.
  expect(done.length).toBeGreaterThanOrEqual(PROJECTS);
});

test("under a rate limit, a plan pauses, and the service refuses no request", async () => {
  const proxy = await limitedProxy(service.url, 3 * PROJECTS);
  stack.service = { url: proxy.url, adminToken: service.adminToken, requests: service.requests };
  stack.declare(estateResources(PROJECTS));
  const events: RequestEvent[] = [];
  const plan = await stack.plan({ onRequest: (event) => events.push(event) });
  proxy.close();
  expect(plan.diagnostics).toEqual([]);
  expect(plan.hasChanges).toBe(false);
  expect(proxy.counts.sent).toBeGreaterThan(3 * PROJECTS);
  expect(proxy.counts.refused).toBe(0);
  expect(events).toContainEqual({
    type: "rate_limit",
    milliseconds: expect.any(Number),
    reason: expect.stringContaining("limit"),
  });
});

describe("steward plan with more requests than a rate limit allows", () => {
  // A soak uses the rate limit of the platform. The smaller limit still allows the highest number of concurrent
  // requests.
  const [requests, seconds] = runs(0, 1) === 1 ? [2000, 30] : [62, 6];
  let proxy: LimitedProxy;
  const total = PROJECTS * RESOURCES_A_PROJECT;
  const python = programFor("python");
  let inPipe: Promise<Ended>;
  let shownOnTerminal: ReturnType<typeof onTerminal>;
  beforeAll(async () => {
    proxy = await limitedProxy(service.url, requests, seconds);
    stack.declare(estateResources(PROJECTS), { provider: { steward: [{}] } });
    // Each plan uses its own copy of the state, so that no plan waits for the lock.
    const copy = path.join(folder, "copy.tfstate");
    copyFileSync(stack.stateFile, copy);
    const plan = (state: string) => [
      "plan",
      "--config",
      stack.folder,
      "--state",
      state,
      "--detailed-exitcode",
    ];
    const at = (token: string) => ({
      folder: stack.folder,
      env: { STEWARD_BASE_URL: proxy.url, STEWARD_TOKEN: token },
    });
    inPipe = steward(plan(stack.stateFile), at(service.adminToken));
    if (python !== undefined) shownOnTerminal = onTerminal(python, plan(copy), at(OTHER_TOKEN));
    await Promise.allSettled([inPipe, shownOnTerminal]);
  }, 300_000);
  afterAll(() => proxy.close());

  // The first requests of a plan compare paths. The progress starts after these requests, because the plan completes
  // objects only when it reads lists.
  test("without a terminal, plan prints its waits and its progress as separate lines", async () => {
    const { code, out, err } = await inPipe;
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("No changes.") });
    expect(err).toMatch(/^Waiting \d+s: the rate limit is exhausted\.$/m);
    // The command prints its progress every ten seconds, so on a fast machine it prints no progress.
    const lines = err.trimEnd().split("\n");
    expect(lines.filter((line) => !/^(?:Waiting|Reading|Working)\b.*$/.test(line))).toEqual([]);
    expect(err).not.toContain("\r");
  });

  test("plan waits before the rate limit, so that the service refuses no request with 429", () => {
    const plans = python === undefined ? 1 : 2;
    expect(proxy.counts.sent).toBeGreaterThan(plans * requests);
    expect(proxy.counts.refused).toBe(0);
  });

  describeWith("python", "on a terminal", () => {
    test("on a terminal, the progress line counts down the seconds of a wait", async () => {
      const { code, shown } = await shownOnTerminal;
      expect(code).toBe(0);
      const all = (pattern: RegExp) => [...shown.matchAll(pattern)].map(([, count]) => Number(count));
      const done = all(new RegExp(`Reading objects\\.\\.\\. (\\d+) of ${total}, \\d+ requests`, "g"));
      expect(done).toEqual([...done].sort((one, other) => one - other));
      expect(new Set(done).size).toBeGreaterThanOrEqual(2);
      const waits = all(/Waiting (\d+)s: the rate limit is exhausted\. Reading/g);
      // On a busy machine, the output skips some seconds of the countdown, so the test does not expect every second.
      expect(Math.min(...waits)).toBeLessThan(Math.max(...waits));
      expect(shown).toMatch(/about \d+s left/);
    });
  });
});
