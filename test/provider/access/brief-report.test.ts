import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { hasErrors } from "../../../src/diagnostics";
import type { AccessRequest, ConfiguredProvider } from "../../../src/framework";
import type { ValueObject } from "../../../src/schema";
import { runs, seed } from "../../support/capabilities";
import { withNulls } from "../support/host";
import { useOneWorld } from "../support/world";
import { expectBriefPart } from "./brief-report";
import { GROUPS, objectOf, PROJECTS, plan } from "./random-plans";
import { byPlace, type Change } from "./support";

// To describe access, a plan sends at most two additional requests for each project or group with changes. The counts
// of this brief report equal the counts of the full report.

const ROOT = "administrator-token";

const fixture: FixtureInput = {
  users: [
    { username: "root", admin: true, token: ROOT },
    ...["olga", "mona", "dave", "rick", "nina", "nils"].map((username) => ({ username })),
  ],
  groups: Object.entries(GROUPS).map(([path, id]) => ({
    path,
    id,
    members: [
      { user: "olga", role: "owner" },
      { user: "mona", role: "maintainer" },
      { user: "dave", role: "developer" },
      ...(path === "lib" ? [{ user: "rick", role: "reporter" as const }] : []),
    ],
  })),
  projects: Object.entries(PROJECTS).map(([path, id]) => ({
    path,
    id,
    members: [{ user: "rick", role: "reporter" as const }],
    shared_with: Object.keys(GROUPS).map((name) => ({ group: name, role: "guest" as const })),
    job_token_scope: { inbound_enabled: id % 2 === 0 },
    protected_environments: [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
    invitations: [{ email: "boss@example.com", role: "owner" as const }],
  })),
};

const world = useOneWorld(fixture);

const REFUSED: ReadonlySet<string> = new Set(["membership_differs", "already_exists"]);

/** Plans changes in one run, as an engine does. */
async function planned(run: ConfiguredProvider, changes: readonly Change[]): Promise<AccessRequest[]> {
  const found: AccessRequest[] = [];
  for (const [at, { type: short, given, id }] of changes.entries()) {
    const type = `steward_${short}`;
    const imported = id === undefined ? undefined : await run.importResource({ type, id });
    expect(imported?.diagnostics ?? []).toEqual([]);
    const prior = imported?.state;
    const on = { type, address: `${type}.number-${at}`, prior };
    const { attributes } = world.provider.schema.resources[type]!;
    const config = given === null ? undefined : withNulls(attributes, given);
    const answer = config && (await run.planResource({ ...on, config, existing: "tell" }));
    const problems = (answer?.diagnostics ?? []).filter((one) => hasErrors([one]));
    expect(problems.filter(({ code }) => !REFUSED.has(code))).toEqual([]);
    // An engine leaves out changes that the provider refuses.
    if (problems.length > 0) continue;
    found.push({ ...on, planned: answer?.planned, config });
  }
  return found;
}

const containersOf = (changes: readonly Change[]): number =>
  new Set(
    changes.map(({ given, id }) => {
      const path = given?.["project"] ?? given?.["group"];
      return id?.split(":")[0] ?? String({ ...GROUPS, ...PROJECTS }[path as keyof typeof GROUPS]);
    }),
  ).size;

const user = fc.constantFrom("nina", "nils", "rick");
const invitation: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(user, fc.constantFrom(...Object.keys(PROJECTS))).map(([name, at]) => ({
    type: "project_invitation",
    given: { project: at, user: name, access_level: 30 },
  })),
  fc.tuple(user, fc.constantFrom(...Object.keys(GROUPS))).map(([name, at]) => ({
    type: "group_invitation",
    given: { group: at, user: name, access_level: 30 },
  })),
);

test("a brief access report sends at most two requests per project or group", async () => {
  const mixed = fc
    .tuple(plan, fc.uniqueArray(invitation, { maxLength: 2, selector: objectOf }))
    .map(([one, other]) => [...one, ...other]);
  await fc.assert(
    fc.asyncProperty(mixed, async (changes) => {
      const run = world.connect(ROOT);
      const requests = await planned(run, changes);
      const full = await world.connect(ROOT).describeAccess!(requests);
      await expectBriefPart(world, run, requests, full, containersOf(changes));
      await world.disconnect();
    }),
    { seed, numRuns: runs(40, 5000) },
  );
}, 3_600_000);

const change = (type: string, given: ValueObject | null, id?: string): Change => ({
  type,
  given,
  ...(id !== undefined && { id }),
});

const staging = (path: string, ...deploy_access_levels: ValueObject[]): Change =>
  change("protected_environment", { project: path, name: "staging", deploy_access_levels });
const SHOP = { project: "acme/shop" };
const MAINTAINERS = { access_level: 40 };
const UNREAD = "a plan reads it only with --access";

/** The rows: the changes, the report, and the number of requests for it. */
const TABLE: readonly (readonly [
  title: string,
  changes: readonly Change[],
  says: Record<string, string[]>,
  sent: number,
])[] = [
  [
    "an environment needs the members of its project",
    [staging("acme/shop", MAINTAINERS)],
    { "acme/shop staging": ["deploy -dave", "protection off -> on"] },
    1,
  ],
  [
    "the members of one group that entries name are read as well",
    [staging("acme/shop", MAINTAINERS, { group: "lib" })],
    { "acme/shop staging": ["deploy +rick (through group lib)", "protection off -> on"] },
    2,
  ],
  [
    "a second group is not counted",
    [staging("acme/shop", MAINTAINERS, { group: "lib" }, { group: "open" })],
    {
      "acme/shop staging": [
        "deploy +rick (through group lib)",
        "protection off -> on",
        `not counted: group open: ${UNREAD}`,
      ],
    },
    2,
  ],
  [
    "a group that several projects name is read once",
    [
      staging("acme/shop", MAINTAINERS, { group: "lib" }, { group: "open" }),
      staging("lib/core", { group: "lib" }, MAINTAINERS),
    ],
    {
      "acme/shop staging": ["deploy +rick (through group lib)", "protection off -> on"],
      "lib/core staging": ["deploy +rick (through group lib)", "protection off -> on"],
    },
    4,
  ],
  [
    "groups above the group of an entry are not counted",
    [staging("acme/shop", { group: "lib", group_inheritance_type: 1 })],
    {
      "acme/shop staging": [
        "deploy -dave -mona -olga",
        "protection off -> on",
        `not counted: group lib: ${UNREAD}`,
      ],
    },
    1,
  ],
  [
    "an entry of an allowlist needs only the setting",
    [change("job_token_allowlist_project", { project: "acme/web/site", target_project: "acme/shop" })],
    { "acme/web/site": ["use_job_tokens +acme/shop"] },
    1,
  ],
  [
    "a limit that is switched on needs both allowlists",
    [change("job_token_scope", { ...SHOP, inbound_enabled: true }, "1")],
    { "acme/shop": ["use_job_tokens -every project", "job token limit off -> on"] },
    2,
  ],
  [
    "a limit that is switched off needs nothing",
    [change("job_token_scope", { project: "acme/web/site", inbound_enabled: false }, "2")],
    { "acme/web/site": ["use_job_tokens +every project", "job token limit on -> off"] },
    0,
  ],
];

test.each(TABLE)(
  "a brief report has the expected content and number of requests: %s",
  async (_, changes, says, sent) => {
    const run = world.connect(ROOT);
    const requests = await planned(run, changes);
    const full = await world.connect(ROOT).describeAccess!(requests);
    const brief = await expectBriefPart(world, run, requests, full, containersOf(changes));
    expect([byPlace(brief.brief), brief.sent]).toEqual([says, sent]);
  },
);

test("if the read of a group's members fails, the access report does not repeat the read for each project", async () => {
  const run = world.connect(ROOT);
  const entries = [MAINTAINERS, { group: "lib" }];
  const changes = Object.keys(PROJECTS).map((path) => staging(path, ...entries));
  const requests = await planned(run, changes);
  world.service.faults.add({ route: "/groups/:id/members", status: 403, always: true });
  const before = world.service.requests.all.length;
  const report = await run.describeAccess!(requests, { maxReads: 2 });
  world.service.faults.clear();
  expect(world.service.requests.all.length - before).toBe(changes.length + 1);
  for (const { notCounted } of report.places)
    expect(notCounted).toEqual([
      { what: "group lib", why: expect.stringContaining("its members can't be read: ") },
    ]);
});

test("if the members of a project can't be read, the access report says that they are not counted", async () => {
  const run = world.connect(ROOT);
  const requests = await planned(run, [staging("acme/shop", MAINTAINERS)]);
  world.service.faults.add({ route: "/projects/:id/members/all", status: 403 });
  expect(byPlace(await run.describeAccess!(requests, { maxReads: 2 }))).toEqual({
    "acme/shop staging": [
      "protection off -> on",
      expect.stringContaining("not counted: the project's members: "),
    ],
  });
});
