import { type Service, startService } from "cdktf-provider-steward/testing";
import { Gate } from "./gate";
import { EstateStack, numbers, type Resources } from "./support";

// The tests check how many requests are sent at the same time. The gate passes requests on only after all expected requests
// have arrived. If a client sent its requests one after the other, the first request would wait forever.

const ENTRIES = 1000;
export const PAGES = ENTRIES / 100 + 1;
/** The default concurrency limit: its value at the start, and its highest value. */
export const [INITIAL_LIMIT, MAX_LIMIT] = [10, 50];
export const CROWDED = "1";
export const EMPTY = "2";
const targets = numbers(ENTRIES).map((index) => `estate/target-${index}`);
export const ids = numbers(30).map((index) => String(index + 3));

export let service: Service;
export let gate: Gate;
export let stack: EstateStack;

/** Sets up a service behind a gate, and a separate stack for each test. */
export function useGate(): void {
  // If a client sends too few requests at once, the test waits until this timeout. The timeout is long enough for a slow
  // machine.
  jest.setTimeout(30_000);
  beforeAll(async () => {
    service = await startService({
      fixture: {
        groups: [{ path: "estate" }],
        projects: [
          { path: "estate/shop", id: Number(CROWDED), job_token_scope: { projects: targets } },
          { path: "estate/empty", id: Number(EMPTY) },
          ...targets.map((path, index) => ({ path, id: index + 3 })),
        ],
      },
    });
    gate = await Gate.open(service.url);
  });
  afterAll(async () => {
    gate.close();
    await service.close();
  });
  beforeEach(() => {
    stack = new EstateStack({ ...service, url: gate.url });
  });
  afterEach(() => stack.remove());
}

export const isWrite = (sent: string) => (method: string) => method === sent;
export const isPageAfterFirst = (_: string, url: string) => /allowlist\?.*&page=(?!1$)\d+$/.test(url);
export const isList = (method: string, url: string) =>
  method === "GET" && /\/(allowlist|rules|protected_environments)\b/.test(url);

export const named = (given: readonly string[], one: (name: string) => object) =>
  Object.fromEntries(given.map((name) => [`r${name}`, one(name)]));
export const entries = (of: readonly string[]): Resources => ({
  steward_job_token_allowlist_project: named(of, (target) => ({ project: EMPTY, target_project: target })),
});
export const whole = (target_projects: readonly string[], project = EMPTY): Resources => ({
  steward_job_token_allowlist: { this: { project, target_projects, target_groups: [] } },
});
export const ofCrowded = (of: readonly string[]): Resources => ({
  steward_job_token_allowlist_project: named(of, (target) => ({ project: CROWDED, target_project: target })),
});
