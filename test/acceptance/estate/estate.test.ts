import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, type ServiceOptions, startService } from "cdktf-provider-steward/testing";
import { estateFixture, estateResources, RESOURCES_A_PROJECT } from "../../../bench/support/estate";
import type { EngineEvent } from "../../../src/engine";
import type { RequestEvent } from "../../../src/provider";
import { runs } from "../../support/capabilities";
import { EstateStack } from "./support";

// A company whose projects each have a scope, 8 allowlist entries, 6 protected environments and 5 container rules.

const PROJECTS = runs(30, 1000);
const REQUESTS_A_PROJECT = 6;

const folder = mkdtempSync(path.join(tmpdir(), "steward-estate-"));
const setup = { data: path.join(folder, "service.db"), adminToken: "estate-administrator-token" };
let service: Service;
let stack: EstateStack;

const start = (options: ServiceOptions) => startService({ ...setup, recordRequests: true, ...options });

beforeAll(async () => {
  service = await start({ fixture: estateFixture(PROJECTS) });
  stack = new EstateStack(service);
  stack.declare(estateResources(PROJECTS));
  await stack.apply();
});
afterAll(async () => {
  stack.remove();
  await service.close();
  rmSync(folder, { recursive: true });
});

test("a no-change plan asks for six things a project at the most, and tells steadily how far it is", async () => {
  const events: EngineEvent[] = [];
  service.requests.reset();
  const plan = await stack.plan({ onEvent: (event) => events.push(event) });
  expect(plan.hasChanges).toBe(false);
  expect(service.requests.count()).toBeLessThanOrEqual(REQUESTS_A_PROJECT * PROJECTS);
  const total = PROJECTS * RESOURCES_A_PROJECT;
  const done = events.flatMap((event) => (event.kind === "progress" ? [[event.done, event.total]] : []));
  expect(done).toEqual(Array.from({ length: total }, (_, index) => [index + 1, total]));
});

test("under a rate limit no request is refused, and it is told how long nothing is sent", async () => {
  await service.close();
  const rateLimit = { requests: 2 * PROJECTS, period: 1 };
  service = await start({ settings: { rateLimit } });
  stack.service = service;
  stack.declare(estateResources(PROJECTS));
  const events: RequestEvent[] = [];
  const plan = await stack.plan({ onRequest: (event) => events.push(event) });
  expect(plan.diagnostics).toEqual([]);
  expect(plan.hasChanges).toBe(false);
  expect(service.requests.count()).toBeGreaterThan(rateLimit.requests);
  expect(service.requests.all.filter(({ status }) => status === 429)).toEqual([]);
  expect(events).toContainEqual({
    kind: "waiting",
    milliseconds: expect.any(Number),
    reason: expect.stringContaining("limit"),
  });
});
