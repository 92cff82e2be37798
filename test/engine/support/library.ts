import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { EngineOptions, PlannedStack, Run, RunEvent, StackSource } from "cdktf-provider-steward/engine";
import { createProvider } from "cdktf-provider-steward/provider";
import { type Service, startService } from "cdktf-provider-steward/testing";

const SOURCE = "registry.steward.example/steward/steward";
const PROJECTS = ["acme/web", "acme/docs", "acme/tools"] as const;

let folder: string;
let service: Service;

/** Sets up tests that use the engine as another program does. Each test has a new service on loopback and a new folder. */
export function useLibrary() {
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "steward-library-"));
    service = await serviceWith("token-of-maya");
  });
  afterEach(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder;
    },
    get service() {
      return service;
    },
  };
}

export const serviceWith = (token: string) =>
  startService({
    fixture: {
      users: [{ username: "maya", token }],
      groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" }] }],
      projects: PROJECTS.map((project) => ({ path: project, job_token_scope: { inbound_enabled: false } })),
    },
  });

export const optionsFor = (more: Partial<EngineOptions> = {}): EngineOptions => ({
  providers: [createProvider()],
  folder,
  env: { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: "token-of-maya" },
  ...more,
});

const terraform = { required_providers: { steward: { source: SOURCE } } };
export const scope = (project: string, more: object = {}) => ({ project, inbound_enabled: true, ...more });

/** Returns a configuration with these job token scopes. */
export const configurationOf = (
  scopes: Readonly<Record<string, object>>,
  more: object = {},
): StackSource => ({
  configuration: {
    terraform,
    provider: { steward: {} },
    resource: { steward_job_token_scope: scopes },
    ...more,
  },
});
export const WEB = configurationOf({ web: scope("acme/web") });

/** Writes the same configuration to a file, next to the state. */
export function declared(scopes: Readonly<Record<string, object>>): string {
  const file = path.join(folder, "main.tf.json");
  writeFileSync(file, JSON.stringify((configurationOf(scopes) as { configuration: object }).configuration));
  return file;
}

/** A configuration of two objects. The second object depends on the first object. */
export const CHAIN = configurationOf({
  first: scope("acme/web"),
  second: scope("acme/docs", { depends_on: ["steward_job_token_scope.first"] }),
});

export const stateIn = (place = folder) =>
  JSON.parse(readFileSync(path.join(place, "terraform.tfstate"), "utf8")) as {
    resources: { name: string; instances: { attributes: Record<string, unknown> }[] }[];
  };
export const inState = () => stateIn().resources.map(({ name }) => name);

export const isLimited = async (project: string, { url }: Service = service, token = "token-of-maya") => {
  const answer = await fetch(`${url}/api/v4/projects/${encodeURIComponent(project)}/job_token_scope`, {
    headers: { "PRIVATE-TOKEN": token },
  });
  return ((await answer.json()) as { inbound_enabled: boolean }).inbound_enabled;
};
export const writes = ({ requests }: Service = service) =>
  requests.all.filter(({ method }) => method !== "GET");

/** Waits for the end of a run. Returns all events and the result. */
export async function followed<Result>(run: Run<RunEvent, Result>) {
  const events: RunEvent[] = [];
  for await (const event of run.events) events.push(event);
  return { events, result: await run.result };
}

export const summaryOf = ([stack]: readonly PlannedStack[]) => stack!.plan!.summary;
export const codesOf = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
  diagnostics.map(({ code }) => code);
