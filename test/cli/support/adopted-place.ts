import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FixtureInput } from "../../../src/service";
import { openPlace, type Place, TOKENS } from "./place";

/** The place of the running test. */
export let place: Place;
export async function open(fixture?: FixtureInput): Promise<void> {
  place = await openPlace(fixture);
}

export const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET");
export const events = (out: string): Record<string, unknown>[] =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
/** The texts of a folder's files, by name. */
export const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path.join(place.folder, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(path.join(place.folder, folder, name), "utf8")]),
  );

export const shop: FixtureInput = {
  users: [
    {
      username: "maya",
      token: TOKENS.maintainer,
      tokens: [{ token: TOKENS.reader, name: "reader", scopes: ["read_api"] }],
    },
    { username: "owner", token: TOKENS.developer },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" },
        { user: "owner", role: "owner" },
      ],
      invitations: [{ email: "new@example.com", role: "developer" }],
    },
    { path: "acme/team" },
  ],
  projects: [
    {
      path: "acme/shop",
      job_token_scope: { inbound_enabled: false },
      protected_environments: [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
      invitations: [{ email: "ada@example.com", role: "guest" }],
    },
    { path: "acme/plain", topics: ["payments"] },
    { path: "acme/old", archived: true },
    { path: "acme/team/tool", job_token_scope: { inbound_enabled: false } },
  ],
};
