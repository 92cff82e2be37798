import type { Client } from "../../../src/api";
import { ID } from "../company";
import type { Bench, Scenario } from "../laboratory";

const read = (name: string, ask: (client: Client) => Promise<unknown>): Scenario => ({
  name: `client: ${name}`,
  run: ({ client }) => ask(client),
});

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of list) found.push(each);
  return found;
}

/** Returns the records of a list, sorted by a key that is the same in each run. */
const sorted = async <T>(list: AsyncIterable<T>, by: (record: T) => string): Promise<T[]> =>
  (await all(list)).sort((a, b) => (by(a) < by(b) ? -1 : 1));

/** Scenarios that read records with all their fields, one for each operation. */
const RECORDS: readonly Scenario[] = [
  read("jobTokenScope.get", (client) => client.jobTokenScope.get(ID.web)),
  read("jobTokenScope.allowlist", (client) =>
    sorted(client.jobTokenScope.allowlist(ID.web), ({ path_with_namespace }) => path_with_namespace),
  ),
  read("jobTokenScope.groupsAllowlist", (client) => all(client.jobTokenScope.groupsAllowlist(ID.web))),
  read("protectedEnvironments.list", (client) => all(client.protectedEnvironments.list(ID.web))),
  read("protectedEnvironments.get", (client) => client.protectedEnvironments.get(ID.web, "production")),
  read("pages.get", (client) => client.pages.get(ID.web)),
  read("ciTemplates.list", async (client) => (await all(client.ciTemplates.list())).slice(0, 2)),
  read("ciTemplates.get", (client) => client.ciTemplates.get("Node")),
  read("containerProtectionRules.list", (client) => all(client.containerProtectionRules.list(ID.web))),
  read("projectInvitations.list", (client) =>
    sorted(client.projectInvitations.list(ID.web), ({ invite_email }) => invite_email),
  ),
  read("groupInvitations.list", (client) =>
    sorted(client.groupInvitations.list(ID.acme), ({ invite_email }) => invite_email),
  ),
  read("enterpriseUsers.list", (client) =>
    sorted(client.enterpriseUsers.list(ID.acme), ({ username }) => username),
  ),
  read("users.current", (client) => client.users.current()),
];

const names = async (list: AsyncIterable<{ readonly username: string }>): Promise<string[]> =>
  (await all(list)).map(({ username }) => username).sort();

/** Scenarios that read a list with a filter, one for each filter. */
const FILTERS: readonly Scenario[] = [
  ...(
    [
      { username: "devon" },
      { search: "achebe" },
      { active: true },
      { blocked: true },
      { created_after: "2022-01-01T00:00:00Z" },
      { created_before: "2022-01-01T00:00:00Z" },
      { two_factor: "enabled" },
    ] as const
  ).map((filter) =>
    read(`enterpriseUsers.list by ${Object.keys(filter)[0]}`, (client) =>
      names(client.enterpriseUsers.list(ID.acme, filter)),
    ),
  ),
  read(
    "projectInvitations.list by query",
    async (client) =>
      (await all(client.projectInvitations.list(ID.web, { query: "ada@acme.example" }))).length,
  ),
  read(
    "groupInvitations.list by query",
    async (client) =>
      (await all(client.groupInvitations.list(ID.acme, { query: "ada@acme.example" }))).length,
  ),
];

/** Returns a scenario that reads a list of more than one page: 101 records in two requests, each record once. */
const pages = (name: string, list: (client: Client) => AsyncIterable<unknown>): Scenario => ({
  name: `client: ${name}, more than a page`,
  async run({ client, arrived }: Bench) {
    const records = (await all(list(client))).map((record) => JSON.stringify(record));
    return { records: records.length, different: new Set(records).size, requests: arrived().length };
  },
});

const PAGES: readonly Scenario[] = [
  pages("jobTokenScope.allowlist", (client) => client.jobTokenScope.allowlist(ID.crowded)),
  pages("jobTokenScope.groupsAllowlist", (client) => client.jobTokenScope.groupsAllowlist(ID.crowded)),
  pages("protectedEnvironments.list", (client) => client.protectedEnvironments.list(ID.crowded)),
  pages("ciTemplates.list", (client) => client.ciTemplates.list()),
  pages("containerProtectionRules.list", (client) => client.containerProtectionRules.list(ID.crowded)),
  pages("projectInvitations.list", (client) => client.projectInvitations.list(ID.crowded)),
  pages("groupInvitations.list", (client) => client.groupInvitations.list(ID.crowd)),
  pages("enterpriseUsers.list", (client) => client.enterpriseUsers.list(ID.crowd)),
];

export const CLIENT_READS: readonly Scenario[] = [...RECORDS, ...FILTERS, ...PAGES];
