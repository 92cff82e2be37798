import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import type { ConfiguredProvider, PlannedRequest } from "../../../src/framework";
import { runs, seed } from "../../support/capabilities";
import { HttpProxy } from "../../support/http-proxy";
import { providerConfig, startWorld } from "../support/world";
import { GROUPS, PROJECTS, plan } from "./random-plans";
import { type Change, requestsOf } from "./support";

// The law: the requests that a plan shows are those that the service gets from its apply.

const ROOT = "administrator-token";

const FIXTURE: FixtureInput = {
  users: [{ username: "root", admin: true, token: ROOT }],
  groups: Object.entries(GROUPS).map(([path, id]) => ({ path, id })),
  projects: Object.entries(PROJECTS).map(([path, id]) => ({
    path,
    id,
    shared_with: Object.keys(GROUPS).map((name) => ({ group: name, role: "guest" as const })),
    job_token_scope: { projects: Object.keys(PROJECTS).filter((other) => other !== path), groups: ["lib"] },
    protected_environments: [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
    invitations: [{ email: "boss@example.com", role: "owner" as const }],
  })),
};

async function holds(changes: readonly Change[]): Promise<void> {
  const world = await startWorld(FIXTURE);
  const sent: PlannedRequest[] = [];
  const proxy = new HttpProxy(world.service.url, async (passage) => {
    if (passage.isWrite) {
      const body = (await passage.body()).toString();
      const path = passage.url.replace("/api/v4", "").replaceAll("%2E", ".");
      sent.push({ method: passage.method, path, ...(body !== "" && { body: JSON.parse(body) }) });
    }
    passage.answer(await passage.forward());
  });
  const open: ConfiguredProvider[] = [];
  try {
    const base_url = await proxy.start();
    const connect = () => {
      const { provider } = world.provider.configure(
        providerConfig(world.provider, { base_url, token: ROOT }),
        {},
      );
      open.push(provider!);
      return provider!;
    };
    const requests = await requestsOf({ ...world, connect }, changes, ROOT);
    const rehearsal = connect();
    const shown = await Promise.all(requests.map((request) => rehearsal.rehearse!(request)));
    expect(sent).toEqual([]);
    const run = connect();
    for (const [at, request] of requests.entries()) {
      await run.applyResource(request);
      expect([request.address, sorted(shown[at]!.requests)]).toEqual([
        request.address,
        sorted(sent.splice(0)),
      ]);
    }
  } finally {
    await Promise.all(open.map((one) => one.close()));
    proxy.close();
    await world.close();
  }
}

/** Several writes of one object are sent at the same time. */
const sorted = (requests: readonly PlannedRequest[]): string[] =>
  requests.map((request) => JSON.stringify(request)).sort();

test("the requests that a plan shows are those that the service gets from its apply", async () => {
  await fc.assert(fc.asyncProperty(plan, holds), { seed, numRuns: runs(20, 300) });
}, 3_600_000);
