import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Terminal } from "../../../src/cli/terminal/terminal";
import { type CompatMode, type FixtureInput, type Service, startService } from "../../../src/service";
import { delegate } from "../../support/delegate";
import { type Begun, beginInProcess, runInProcess } from "./in-process";
import { type Ended, type ProcessOptions, Steward } from "./process";

export const TOKENS = {
  maintainer: "maintainer-token-1",
  developer: "developer-token-1",
  reader: "read-only-token-1",
} as const;

const FIXTURE: FixtureInput = {
  users: [
    { username: "maya", token: TOKENS.maintainer },
    { username: "devon", token: TOKENS.developer },
    { username: "bot", tokens: [{ token: TOKENS.reader, name: "reader", scopes: ["read_api"] }] },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" },
        { user: "bot", role: "maintainer" },
        { user: "devon", role: "developer" },
      ],
    },
  ],
  projects: [
    { path: "acme/shop", environments: ["production"], job_token_scope: { inbound_enabled: false } },
    { path: "acme/tools" },
    { path: "acme/docs" },
  ],
};

/** A configuration with a data source, a setting, an authoritative set, a protected environment and outputs. */
export const CONFIGURATION = {
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  provider: { steward: [{}] },
  data: { steward_project: { shop: { project: "acme/shop" } } },
  resource: {
    steward_job_token_scope: {
      limit: {
        "//": { metadata: { path: "shop/limit" } },
        project: "${data.steward_project.shop.id}",
        inbound_enabled: true,
      },
    },
    steward_job_token_allowlist: {
      callers: { project: "${steward_job_token_scope.limit.project}", target_projects: ["acme/tools"] },
    },
    steward_protected_environment: {
      production: {
        "//": { metadata: { path: "shop/production" } },
        project: "${data.steward_project.shop.id}",
        name: "production",
        deploy_access_levels: [{ access_level: 40 }],
      },
    },
  },
  output: { environment: { value: "${steward_protected_environment.production.id}" } },
};

/** A folder with a configuration. Each place has its own embedded service. */
export interface Place {
  readonly folder: string;
  readonly service: Service;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file in the folder. Values other than strings are written as JSON. */
  write(name: string, content: unknown): string;
  read(name: string): string;
  start(args: readonly string[], env?: ProcessOptions["env"]): Steward;
  run(args: readonly string[], env?: ProcessOptions["env"]): Promise<Ended>;
  /** Starts a command in this process. The test can interrupt it. */
  begin(args: readonly string[], env?: ProcessOptions["env"], ask?: Terminal["ask"]): Begun;
  /** Runs a command in a subfolder. */
  runIn(below: string, args: readonly string[], env?: ProcessOptions["env"]): Promise<Ended>;
  /** Makes a manual change on the service. Returns the status. */
  byHand(method: string, path: string, body?: object, token?: string): Promise<number>;
  close(): Promise<void>;
}

/** Opens a place for the tests of a file: one for all tests ("all"), or one for each test ("each"). */
export function usePlace(when: "all" | "each", ...given: Parameters<typeof openPlace>): Place {
  let current: Place;
  const open = async () => {
    current = await openPlace(...given);
  };
  (when === "all" ? beforeAll : beforeEach)(open);
  (when === "all" ? afterAll : afterEach)(() => current.close());
  return delegate(() => current);
}

export async function openPlace(
  fixture: FixtureInput | string = FIXTURE,
  compat: CompatMode = "strict",
): Promise<Place> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-cli-"));
  const service = await startService({ fixture, compat, recordRequests: true });
  const env = { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: TOKENS.maintainer };
  const write = (name: string, content: unknown): string => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  };
  write("main.tf.json", CONFIGURATION);
  const start = (args: readonly string[], more: ProcessOptions["env"] = {}) =>
    new Steward(args, { folder, env: { ...env, ...more } });
  return {
    folder,
    service,
    env,
    write,
    read: (name) => readFileSync(path.join(folder, name), "utf8"),
    start,
    begin: (args, more = {}, ask = undefined) =>
      beginInProcess(args, { folder, env: { ...env, ...more }, ...(ask && { ask }) }),
    run: (args, more = {}) => runInProcess(args, { folder, env: { ...env, ...more } }),
    runIn: (below, args, more = {}) =>
      runInProcess(args, { folder: path.join(folder, below), env: { ...env, ...more } }),
    async byHand(method, url, body, token = TOKENS.maintainer) {
      const root = url.startsWith("/_steward/") ? service.url : `${service.url}/api/v4`;
      const response = await fetch(root + url, {
        method,
        headers: { "private-token": token, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      return response.status;
    },
    async close() {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
