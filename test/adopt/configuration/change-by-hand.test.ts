import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fromListing, writeConfiguration } from "../../../src/adopt";
import { apply, drift, listLive } from "../../../src/engine";
import { containerOf, deletesByHand, ENTRIES, placed, SAMPLES } from "../../provider/samples";
import { crowdOfGroups, crowdOfProjects } from "../../provider/support/crowd";
import { Host } from "../../provider/support/host";
import { ownPath, withOwnPlaces } from "../../provider/support/own-places";
import { TOKEN, useOneWorld } from "../../provider/support/world";
import { findingsOf } from "../support/adopted";

// After an adoption, drift and plan show each manual change. The changes cover every attribute and object, and
// settings with a default value.

const company = withOwnPlaces();
const world = useOneWorld({
  ...company,
  groups: [...company.groups!, ...crowdOfGroups(1)],
  projects: [...company.projects!, ...crowdOfProjects(1)],
});
let folder: string;
const source = () => ({ configuration: folder });
const run = () => ({
  providers: [world.provider],
  folder,
  env: { STEWARD_BASE_URL: world.service.url, STEWARD_TOKEN: TOKEN.administrator },
});

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-by-hand-"));
  for (const type of Object.keys(SAMPLES))
    await new Host(world, type, TOKEN.administrator).bring(undefined, placed(type, ownPath(type)));
  const connected = world.connect(TOKEN.administrator);
  const listing = await listLive(world.provider, connected, { names: ["acme"], contents: "nested" });
  const settings = fromListing(listing, world.provider.schema);
  const options = { format: "json", allSettings: false, includeEmails: true } as const;
  for (const file of writeConfiguration(settings, options))
    writeFileSync(path.join(folder, file.path), file.text);
  expect((await apply(source(), run()).result).succeeded).toBe(true);
  known = await look();
});
afterAll(() => rmSync(folder, { recursive: true }));

let known: readonly string[];
const look = async () => findingsOf(await drift(source(), { ...run(), coverage: true }).result);

/** Expects that a manual change causes a new finding. The finding must name the place and the changed value. */
async function isSeen(at: string, what: string, change: () => Promise<unknown>): Promise<void> {
  await change();
  const found = await look();
  const fresh = found.filter((one) => !known.includes(one));
  known = found;
  expect({ fresh }).toEqual({ fresh: expect.arrayContaining([expect.stringContaining(what)]) });
  expect(fresh.every((one) => one.startsWith(`${at} `))).toBe(true);
}

/** `adopt` declares the entries of a project as one allowlist, so the entries have the resource type of the allowlist. */
const adoptedAs = (type: string) => type.replace(/(allowlist)_\w+$/, "$1");
const place = (type: string, at: string) => `/${containerOf(type)}s/${encodeURIComponent(at)}`;

test("after adopt and apply, drift reports nothing", () => {
  expect(known).toEqual([]);
});

test.each(Object.entries(SAMPLES))(
  "after adopt, drift reports each manual change of %s",
  async (type, { byHand }) => {
    const at = ownPath(type);
    for (const [name, change] of Object.entries(byHand))
      await isSeen(at, name, () => change(world.http, place(type, at)));
    const remove = SAMPLES[type]!.deleteByHand;
    if (deletesByHand(type) !== undefined && typeof remove === "function")
      await isSeen(at, adoptedAs(type), () => remove(world.http, place(type, at)));
  },
);

test.each(ENTRIES)(
  "after adopt, drift reports a new %s that a user added by hand",
  async (type, { make }) => {
    const at = containerOf(type) === "group" ? ownPath(type) : "acme/tools";
    const [part, body] = make(0);
    await isSeen(at, adoptedAs(type), () => world.http("POST", `${place(type, at)}/${part}`, body));
  },
);

test.each([
  ["the limit on job tokens", "job_token_scope", { enabled: false }, "inbound_enabled"],
  ["the redirect of Pages", "pages", { pages_https_only: false }, "force_https"],
  ["the domain of Pages", "pages", { pages_unique_domain_enabled: true }, "unique_domain_enabled"],
])(
  "after adopt of a project with the default for %s, drift reports a manual change",
  async (_, part, body, name) => {
    await isSeen("acme/runner", name, () =>
      world.http("PATCH", `/projects/acme%2Frunner/${part}`, body, TOKEN.administrator),
    );
  },
);
