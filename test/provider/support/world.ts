import {
  type CompatMode,
  type FixtureInput,
  type Service,
  startService,
} from "cdktf-provider-steward/testing";
import type { ConfiguredProvider, Provider, RunOptions } from "../../../src/framework/protocol/protocol";
import { createProvider } from "../../../src/provider";
import { GROUP, MEMBER_ROLE, PROJECT, TOKEN, USER } from "../../../src/provider/samples/company";
import type { Http } from "../../../src/provider/samples/sample";
import { VirtualClock } from "../../api/support/virtual-clock";
import { delegate } from "../../support/delegate";

export { GROUP, type Http, PROJECT, TOKEN, USER };

/**
 * The members of a project who are not members of its group, and the groups that it is shared with. Samples refer to
 * these people and groups.
 */
export const PEOPLE: Pick<NonNullable<FixtureInput["projects"]>[number], "members" | "shared_with"> = {
  members: [{ user: "devon", role: "developer" }],
  shared_with: [
    { group: "acme/approvers", role: "developer" },
    { group: "acme/platform", role: "developer" },
  ],
};

/** The owners of groups with invitations. Only Owners may read and change these invitations. */
const OWNERS: NonNullable<NonNullable<FixtureInput["groups"]>[number]["members"]> = [
  { user: "maya", role: "owner" },
  { user: "auditor", role: "owner" },
];

export const FIXTURE: FixtureInput = {
  users: [
    { username: "maya", id: USER.maya, token: TOKEN.maintainer },
    { username: "devon", id: USER.devon },
    { username: "stranger", id: USER.stranger },
    { username: "auditor", id: USER.auditor, tokens: [{ token: TOKEN.readOnly, scopes: ["read_api"] }] },
    { username: "outsider", id: USER.outsider, token: TOKEN.outsider },
    { username: "oskar", id: USER.oskar, token: TOKEN.owner },
    { username: "ida", id: USER.ida, token: TOKEN.administrator, admin: true },
  ],
  groups: [
    {
      path: "acme",
      id: GROUP.acme,
      members: [
        { user: "oskar", role: "owner" },
        { user: "maya", role: "maintainer" },
        { user: "auditor", role: "maintainer" },
      ],
      member_roles: [
        { id: MEMBER_ROLE.reviewer, name: "Reviewer", base_role: "developer" },
        { id: MEMBER_ROLE.releaser, name: "Releaser", base_role: "developer" },
      ],
    },
    { path: "acme/platform", id: GROUP.platform, members: OWNERS },
    {
      path: "acme/approvers",
      id: GROUP.approvers,
      members: [{ user: "devon", role: "developer" }, ...OWNERS],
    },
  ],
  projects: [
    {
      path: "acme/web",
      id: PROJECT.web,
      job_token_scope: { inbound_enabled: false },
      pages: { domains: ["web.example.com", "www.example.com"], deployments: [{}, { path_prefix: "next" }] },
      ...PEOPLE,
    },
    { path: "acme/web-two", id: PROJECT.webTwo, ...PEOPLE },
    { path: "acme/tools", id: PROJECT.tools },
    { path: "acme/runner", id: PROJECT.runner },
    {
      path: "acme/docs",
      id: PROJECT.docs,
      former_paths: ["acme/handbook"],
      pages: { domains: ["docs.example.com"] },
    },
    { path: "acme/hidden", id: PROJECT.hidden },
    { path: "acme/archived", id: PROJECT.archived, archived: true },
  ],
};

export interface World {
  readonly service: Service;
  readonly provider: Provider;
  /** Sends a request by hand, by default as the owner. */
  readonly http: Http;
  /** Starts a run with this token. */
  connect(token?: string, run?: RunOptions): ConfiguredProvider;
  /** Ends all runs that are still open. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a service with a fixture, and a provider for it. If `compat` is `observed`, the service has the habits of the
 * live platform; `habits` adds single habits.
 */
export async function startWorld(
  fixture: FixtureInput | string = FIXTURE,
  provider = createProvider(),
  compat: CompatMode = "strict",
  habits: readonly string[] = [],
): Promise<World> {
  const service = await startService({ fixture, compat, habits });
  const open: ConfiguredProvider[] = [];
  const disconnect = async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  };
  return {
    service,
    provider,
    http: httpAs(service, TOKEN.owner),
    connect(token = TOKEN.maintainer, run = {}) {
      const answer = provider.configure(
        providerConfig(provider, { base_url: service.url, token }),
        // With this clock, pauses take no time.
        { clock: new VirtualClock(), ...run },
      );
      if (answer.provider === undefined) throw new Error(JSON.stringify(answer.diagnostics));
      open.push(answer.provider);
      return answer.provider;
    },
    disconnect,
    async close() {
      await disconnect();
      await service.close();
    },
  };
}

/** Makes one world for all tests of a file. */
export function useOneWorld(...given: Parameters<typeof startWorld>): World {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(...given);
  });
  afterAll(() => world.close());
  return delegate(() => world);
}

/** Makes a new world for each test of a file. A test that writes nothing leaves its world to the next test. */
export function useWorld(
  fixture: FixtureInput = FIXTURE,
  provider?: Provider,
  compat?: CompatMode,
): () => World {
  let world: World | undefined;
  let isWritten = false;
  const end = async () => {
    await world?.close();
    world = undefined;
  };
  beforeEach(async () => {
    if (world !== undefined) return;
    world = await startWorld(fixture, provider, compat);
    isWritten = false;
    const { requests } = world.service;
    const record = requests.record.bind(requests);
    requests.record = (request) => {
      isWritten ||= request.method !== "GET";
      record(request);
    };
  });
  afterEach(async () => {
    if (isWritten) return end();
    await world!.disconnect();
    world!.service.requests.reset();
    world!.service.faults.clear();
  });
  afterAll(end);
  return () => world!;
}

/** Returns a complete configuration of the provider as hosts send it: omitted arguments are null. */
export const providerConfig = (provider: Provider, given: Record<string, string | number>) => ({
  ...Object.fromEntries(Object.keys(provider.schema.provider.attributes).map((name) => [name, null])),
  ...given,
});

function httpAs({ url }: Pick<Service, "url">, by: string): Http {
  return async (method, path, body, token = by) => {
    const response = await fetch(`${url}/api/v4${path}`, {
      method,
      headers: { "private-token": token, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} by hand: ${response.status} ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  };
}
