import { type Service, startService } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { createProvider, PROVIDER_SOURCE } from "../../../src/provider";
import { VirtualClock } from "../../api/support/virtual-clock";
import { runs, seed } from "../../support/capabilities";
import { KillingProxy, type Mishap } from "../kills/proxy";
import { EstateStack, numbers, type Resources } from "./support";

// A proxy makes a tenth of all requests end with 429, 502, 503 or a closed connection. The tests check that each apply still
// finishes in one run.

jest.setTimeout(600_000);

const provider = createProvider();
const PROJECTS = numbers(8);
const targets = ["acme/t0", "acme/t1"];

const FIXTURE = {
  groups: [{ path: "acme" }],
  projects: [
    ...PROJECTS.map((number) => ({ path: `acme/p${number}`, job_token_scope: { inbound_enabled: false } })),
    ...targets.map((path) => ({ path })),
  ],
};

/** Returns eighty objects, of all kinds that a project can have. */
const estate = (): Resources => {
  const each = <T extends object>(count: number, one: (project: string, index: number) => T) =>
    Object.fromEntries(
      PROJECTS.flatMap((number) =>
        numbers(count).map((index) => [`p${number}-${index}`, one(`acme/p${number}`, index)]),
      ),
    );
  return {
    steward_job_token_scope: each(1, (project) => ({ project, inbound_enabled: true })),
    steward_pages_settings: each(1, (project) => ({ project, force_https: false })),
    steward_protected_environment: each(3, (project, index) => ({
      project,
      name: `env-${index}`,
      deploy_access_levels: [{ access_level: 40 }],
    })),
    steward_container_protection_rule: each(2, (project, index) => ({
      project,
      repository_path_pattern: `${project}/image-${index}`,
      minimum_access_level_for_push: "maintainer",
    })),
    steward_job_token_allowlist_project: each(2, (project, index) => ({
      project,
      target_project: targets[index],
    })),
    steward_project_invitation: each(1, (project, index) => ({
      project,
      email: `ada-${index}@example.com`,
      access_level: 30,
    })),
  };
};

const BAD: readonly Mishap[] = [
  "429",
  "502",
  "502 after the work",
  "503",
  "503 after the work",
  "cut",
  "cut after the work",
];

/**
 * Returns a function that the proxy calls for each request, and that returns the fault of the request. Nine of ten requests
 * have no fault.
 */
function tenth(round: number): () => Mishap | undefined {
  const [chances] = fc.sample(
    fc.infiniteStream(fc.noBias(fc.integer({ min: 0, max: 10 * BAD.length - 1 }))),
    {
      numRuns: 1,
      seed: seed + round,
    },
  );
  return () => BAD[chances!.next().value as number];
}

/**
 * A stack behind a proxy that disturbs requests. Each stack has its own service. Pauses are skipped, so that tests are fast.
 */
class DisturbedStack {
  readonly #service: Service;
  readonly #proxy: KillingProxy;
  readonly #stack: EstateStack;
  readonly #providers = {
    [PROVIDER_SOURCE]: {
      ...provider,
      configure: (config, run) => provider.configure(config, { ...run, clock: new VirtualClock() }),
    } satisfies typeof provider,
  };

  private constructor(service: Service, proxy: KillingProxy, url: string) {
    this.#service = service;
    this.#proxy = proxy;
    this.#stack = new EstateStack({ ...service, url });
  }

  static async start(): Promise<DisturbedStack> {
    const service = await startService({ fixture: FIXTURE });
    const proxy = new KillingProxy(service.url);
    return new DisturbedStack(service, proxy, await proxy.start());
  }

  /** Applies without an error, and returns the number of requests. */
  async apply(resources: Resources, mishap: KillingProxy["mishap"] = () => undefined): Promise<number> {
    this.#stack.declare(resources);
    this.#proxy.begin();
    this.#proxy.mishap = mishap;
    await this.#stack.apply({ providers: this.#providers });
    this.#proxy.mishap = () => undefined;
    return this.#proxy.seen;
  }

  /** Returns whether a plan has changes. */
  async hasChanges(): Promise<boolean> {
    const plan = await this.#stack.plan({ providers: this.#providers });
    expect(plan.diagnostics).toEqual([]);
    return plan.hasChanges;
  }

  async close(): Promise<void> {
    this.#stack.remove();
    this.#proxy.close();
    await this.#service.close();
  }
}

/**
 * Returns the number of requests of one apply of all objects. Each call uses a new service. The next plan must be empty.
 */
async function requestsOfApply(mishap?: KillingProxy["mishap"]): Promise<number> {
  const stack = await DisturbedStack.start();
  try {
    const requests = await stack.apply(estate(), mishap);
    expect(await stack.hasChanges()).toBe(false);
    return requests;
  } finally {
    await stack.close();
  }
}

test("if a tenth of the requests fail, an apply sends on average at most 30 percent more requests", async () => {
  const faultless = await requestsOfApply();
  const rounds = numbers(runs(2, 20));
  let total = 0;
  for (const round of rounds) total += await requestsOfApply(tenth(round));
  expect(total / (faultless * rounds.length)).toBeLessThanOrEqual(1.3);
});

test("if an update takes effect after a 504 and a retry, Steward removes the duplicate access level", async () => {
  const stack = await DisturbedStack.start();
  const declared = (...levels: readonly number[]): Resources => ({
    steward_protected_environment: {
      production: {
        project: "acme/p0",
        name: "production",
        deploy_access_levels: levels.map((access_level) => ({ access_level })),
      },
    },
  });
  try {
    await stack.apply(declared(40));
    let updates = 0;
    await stack.apply(declared(40, 60), (isWrite) => {
      if (isWrite) updates += 1;
      return isWrite && updates === 1 ? "504 before the work" : undefined;
    });
    expect(updates).toBe(3);
    expect(await stack.hasChanges()).toBe(false);
  } finally {
    await stack.close();
  }
});
