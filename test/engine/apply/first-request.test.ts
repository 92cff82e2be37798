import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { apply, type PlanOptions, type RunEvent } from "cdktf-provider-steward/engine";
import { createProvider } from "cdktf-provider-steward/provider";
import { type Service, startService } from "cdktf-provider-steward/testing";

// The tests check how many responses an apply must await, one after the other, before it sends its first change.

const MEMBER = "token-of-maya";
const PROJECTS = ["acme/web", "acme/docs"] as const;

let folder: string;
let service: Service;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-first-"));
  service = await startService({
    fixture: {
      users: [{ username: "maya", token: MEMBER }],
      groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" }] }],
      projects: PROJECTS.map((project) => ({ path: project })),
    },
  });
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Returns twenty protected environments for each project. Users with at least the access level `level` may deploy to these
 * environments.
 */
const environments = (label: string, level: number) =>
  Object.fromEntries(
    PROJECTS.flatMap((project, at) =>
      Array.from({ length: 20 }, (_, number) => [
        `${label}_${at}_${number}`,
        { project, name: `env-${number}`, deploy_access_levels: [{ access_level: level }] },
      ]),
    ),
  );

interface Sent {
  readonly request: string;
  /**
   * The round in which the request was sent. The round is 1 until the first response has arrived. After that, the round is
   * one more than the highest round that already has a response.
   */
  readonly round: number;
}

interface Case {
  readonly access?: PlanOptions["access"];
  readonly label?: string;
  readonly level?: number;
}

/** Applies the environments, and returns the requests in the order in which they were sent. */
async function created(
  token: string,
  { access, label = "environment", level = 40 }: Case = {},
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  let round = 1;
  const open = new Map<string, number>();
  const onEvent = (event: RunEvent) => {
    if (event.kind !== "request") return;
    const { type, method, path: to } = event.request as { type: string; method: string; path: string };
    const request = `${method} ${to}`;
    if (type === "request") {
      sent.push({ request, round });
      open.set(request, round);
    }
    if (type === "answer") round = Math.max(round, 1 + (open.get(request) ?? 0));
  };
  const run = apply(
    {
      configuration: {
        terraform: {
          required_providers: { steward: { source: "registry.steward.example/steward/steward" } },
        },
        resource: { steward_protected_environment: environments(label, level) },
      },
    },
    {
      providers: [createProvider()],
      folder,
      env: { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: token },
      access,
    },
  );
  for await (const event of run.events) onEvent(event);
  const { succeeded, diagnostics } = await run.result;
  expect({ succeeded, diagnostics }).toEqual({ succeeded: true, diagnostics: [] });
  return sent;
}

const reads = (sent: readonly Sent[]) =>
  sent.filter(({ request }) => request.startsWith("GET")).map(({ request }) => request);

const memberReads = (sent: readonly Sent[]) => reads(sent).filter((request) => request.includes("/members"));

describe("the requests of an apply", () => {
  test.each<{ name: string; isAdmin: boolean; access?: Case["access"] }>([
    { name: "a Maintainer", isAdmin: false },
    { name: "an administrator", isAdmin: true },
    { name: "a Maintainer, with the access of the command", isAdmin: false, access: "brief" },
    { name: "an administrator, with all access", isAdmin: true, access: "whole" },
  ])(
    "with the token of $name, an apply sends the first change after at most two round trips",
    async ({ isAdmin, access }) => {
      const sent = await created(isAdmin ? service.adminToken : MEMBER, { access });
      const first = sent.find(({ request }) => request.startsWith("POST"));
      expect(first?.round).toBeLessThanOrEqual(3);
    },
  );

  test("an apply sends no GET request twice", async () => {
    const sent = reads(await created(service.adminToken));
    expect(sent).toEqual([...new Set(sent)]);
  });

  test("an apply that writes an access report reads the members of each project once", async () => {
    expect(memberReads(await created(MEMBER, { access: "brief" }))).toHaveLength(PROJECTS.length);
  });

  test("if all Developers can deploy, an apply with an access report reads no members", async () => {
    expect(memberReads(await created(MEMBER, { access: "brief", level: 30 }))).toEqual([]);
  });

  test("if only the addresses of environments change, an apply with an access report reads no members", async () => {
    await created(MEMBER);
    expect(memberReads(await created(MEMBER, { access: "brief", label: "renamed" }))).toEqual([]);
  });

  test("an apply without changes sends no request for the rights of the token", async () => {
    await created(MEMBER);
    expect(reads(await created(MEMBER)).filter((one) => /personal_access_tokens|user$/.test(one))).toEqual(
      [],
    );
  });
});
