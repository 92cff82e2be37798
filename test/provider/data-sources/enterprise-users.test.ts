import type { Attributes, ValueObject } from "../../../src/schema";
import { listed, readData } from "../support/data-sources";
import { FIXTURE, GROUP, TOKEN, useWorld } from "../support/world";

const type = "steward_enterprise_users";
const world = useWorld({
  ...FIXTURE,
  users: [
    ...FIXTURE.users!,
    {
      username: "ann",
      id: 61,
      name: "Ann Lee",
      enterprise_group: "acme",
      two_factor_enabled: true,
      created_at: "2024-01-10",
      profile: { location: "Oslo", last_activity_on: "2026-01-31", bio: "Builds." },
      identities: [{ provider: "group_saml", extern_uid: "ann@idp", saml_provider_id: 7 }],
      scim_identities: [{ group: "acme", extern_uid: "scim-ann", active: false }],
    },
    { username: "ben", id: 62, enterprise_group: "acme", state: "blocked", created_at: "2025-06-01" },
  ],
});
const users = (given: ValueObject) =>
  listed(world(), type, "users", { group: "acme", ...given }, TOKEN.owner);
const names = async (given: ValueObject) => (await users(given)).map((user) => user["username"]).sort();

test("the data source shows every field, identities too, under the API's own names and types", async () => {
  const shown = await users({});
  const raw = (await world().http("GET", `/groups/${GROUP.acme}/enterprise_users`)) as readonly ValueObject[];
  expect(shown).toEqual(raw);
  expect(shown.find(({ username }) => username === "ann")).toMatchObject({
    id: 61,
    location: "Oslo",
    organization: null,
    shared_runners_minutes_limit: null,
    two_factor_enabled: true,
    bot: false,
    identities: [{ provider: "group_saml", extern_uid: "ann@idp", saml_provider_id: 7 }],
    scim_identities: [{ extern_uid: "scim-ann", group_id: GROUP.acme, active: false }],
  });
  const { type: list } = world().provider.schema.dataSources[type]!.attributes["users"]!;
  const { nested } = list as { readonly nested: Attributes };
  expect(Object.keys(shown[0]!).sort()).toEqual(Object.keys(nested).sort());
});

test.each<[ValueObject, string[]]>([
  [{ username: "ben" }, ["ben"]],
  [{ search: "lee" }, ["ann"]],
  [{ active: true }, ["ann"]],
  [{ active: false, blocked: false }, ["ann", "ben"]],
  [{ blocked: true }, ["ben"]],
  [{ created_after: "2025-01-01T00:00:00Z" }, ["ben"]],
  [{ created_before: "2025-01-01T00:00:00Z" }, ["ann"]],
  [{ two_factor: "enabled" }, ["ann"]],
  [{ two_factor: "disabled" }, ["ben"]],
])("%j", async (filter, expected) => {
  expect(await names(filter)).toEqual(expected);
});

test.each<[ValueObject, string]>([
  [{ two_factor: "on" }, "two_factor"],
  [{ created_after: "2025-01-01" }, "created_after"],
  [{ created_before: "2025-02-30T00:00:00Z" }, "created_before"],
  [{ created_before: "2025-01-01T25:00:00Z" }, "created_before"],
])("%j is told before anything is sent", async (filter, attribute) => {
  expect(await readData(world(), type, { group: "acme", ...filter })).toMatchObject({
    diagnostics: [{ severity: "error", code: "invalid_value", attribute: [attribute] }],
  });
  expect(world().service.requests.count()).toBe(0);
});

test("only owners of a top-level group see its users", async () => {
  expect(await readData(world(), type, { group: "acme" }, TOKEN.maintainer)).toMatchObject({
    diagnostics: [{ severity: "error", code: "forbidden" }],
  });
  expect(await readData(world(), type, { group: "acme/platform" }, TOKEN.owner)).toMatchObject({
    diagnostics: [{ severity: "error", code: "bad_request" }],
  });
});
