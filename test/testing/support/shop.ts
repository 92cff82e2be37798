import { type App, TerraformOutput, TerraformStack, Testing } from "cdktf";
import {
  AccessLevel,
  JobTokenScope,
  ProtectedEnvironment,
  type ProtectedEnvironmentDeployAccessLevels,
  StewardProvider,
  type StewardProviderConfig,
} from "cdktf-provider-steward";
import {
  type FixtureInput,
  type Service,
  startService,
  type Tested,
  testStack,
} from "cdktf-provider-steward/testing";

export const TOKEN = "token-of-maya";
export const PROJECTS = ["acme/web-shop", "acme/tools", "acme/docs", "acme/site", "acme/api"];

export const FIXTURE: FixtureInput = {
  users: [{ username: "maya", token: TOKEN }, { username: "devon" }, { username: "oskar" }],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" },
        { user: "devon", role: "developer" },
      ],
    },
  ],
  projects: PROJECTS.map((path) => ({ path, job_token_scope: { inbound_enabled: false } })),
};

interface ShopConfig {
  /** The projects, each with two resources. */
  readonly projects?: readonly string[];
  readonly deployers?: readonly ProtectedEnvironmentDeployAccessLevels[];
  readonly provider?: StewardProviderConfig;
  /** The text with which the construct ids of the limits end. */
  readonly limit?: string;
}

/** A stack as users write it, without any code for tests. */
export class Shop extends TerraformStack {
  constructor(scope: App, id: string, config: ShopConfig = {}) {
    super(scope, id);
    const {
      projects = PROJECTS,
      deployers = [{ accessLevel: AccessLevel.MAINTAINER }],
      provider,
      limit: end = "limit",
    } = config;
    new StewardProvider(this, "steward", provider);
    for (const project of projects) {
      const name = project.replace("/", "-");
      const limit = new JobTokenScope(this, `${name}-${end}`, { project, inboundEnabled: true });
      new ProtectedEnvironment(this, `${name}-production`, {
        project,
        name: "production",
        deployAccessLevels: [...deployers],
      });
      new TerraformOutput(this, `${name}-id`, { value: limit.id });
    }
  }
}

export const shop = (config: ShopConfig = {}): Shop => new Shop(Testing.app(), "shop", config);

/** Starts a service for the tests of one file. */
export function useService(fixture: FixtureInput = FIXTURE): {
  readonly service: Service;
  test(tested: Tested): ReturnType<typeof testStack>;
  /** Sends a request as the administrator. */
  send(method: string, path: string, body?: unknown): Promise<unknown>;
} {
  let service: Service | undefined;
  beforeEach(async () => {
    service = await startService({ fixture });
  });
  afterEach(() => service?.close());
  return {
    get service() {
      return service!;
    },
    test: (tested) => testStack(tested, { service: service!, token: TOKEN }),
    async send(method, path, body) {
      const answer = await fetch(`${service!.url}/api/v4${path}`, {
        method,
        headers: { "PRIVATE-TOKEN": service!.adminToken, "Content-Type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return answer.status === 204 ? undefined : answer.json();
    },
  };
}
