import { UNKNOWN, type ValueObject } from "../../../src/schema";
import { useOneWorld, useWorld } from "../support/world";
import { company, TOKEN } from "./company";
import { byPlace, type Change, describeChanges, requestsOf } from "./support";

// What a plan tells of access: who gains and who loses, and what can't be counted. That it is what the service gives, the laws
// beside this table and the simulator (`invariants/of-access.ts`) show.

const world = useWorld(company());

const shop = (type: string, given: ValueObject | null, id?: string): Change => ({
  type,
  given: given && { project: "acme/shop", ...given },
  ...(id !== undefined && { id }),
});
const environment = (name: string, given: ValueObject | null, id?: string) =>
  shop("protected_environment", given && { name, ...given }, id);
const production = (given: ValueObject | null) => environment("production", given, "1:production");
const rule = (repository_path_pattern: string, push: string, id?: string) =>
  shop(
    "container_protection_rule",
    { repository_path_pattern, minimum_access_level_for_push: push },
    id && `1:${id}`,
  );
const docs = (type: string, given: ValueObject, id?: string): Change => ({
  type,
  given: { project: "acme/docs", ...given },
  ...(id !== undefined && { id }),
});
const maintainers = [{ access_level: 40 }];
const invited = { email: "new@example.com", access_level: 30 };
/** Somebody invited this address before. */
const invite = (more: object = {}) =>
  world().http("POST", "/projects/1/invitations", { ...invited, ...more }, TOKEN.root);

type Row = readonly [
  title: string,
  changes: readonly Change[],
  told: Readonly<Record<string, unknown>>,
  before?: (() => unknown) | undefined,
  token?: string,
];

const ROWS: readonly Row[] = [
  [
    "a new protection shows who loses: an unprotected environment can be deployed to from Developer up",
    [environment("staging", { deploy_access_levels: [...maintainers, { user: "rita" }] })],
    { "acme/shop staging": ["deploy +rita -devon -dora", "protection off -> on"] },
  ],
  [
    "the end of a protection shows who gains, and that no approval is needed any more",
    [production(null)],
    {
      "acme/shop production": [
        "deploy +devon +dora -lena (through group secret/release)",
        "approve -maya -oskar",
        "protection on -> off",
        "approvals 2 -> 0",
      ],
    },
  ],
  [
    "administrators of the instance are not counted by person, and level 60 admits nobody else",
    [production({ deploy_access_levels: [{ access_level: 60 }], approval_rules: [] })],
    {
      "acme/shop production": [
        "deploy -lena (through group secret/release) -maya -oskar",
        "approve -maya -oskar",
        "approvals 2 -> 0",
        "administrators named to deploy no -> level 60, not counted by person",
      ],
    },
  ],
  [
    // hugo, the Owner of the group above, is a member by the share; the number of approvals alone changes nobody.
    "inherited members of a group count only with group_inheritance_type 1, and only members of the project",
    [
      production({
        deploy_access_levels: [...maintainers, { group: "secret/release", group_inheritance_type: 1 }],
        approval_rules: [{ access_level: 40, required_approvals: 1 }],
      }),
    ],
    { "acme/shop production": ["deploy +hugo (through group secret/release)", "approvals 2 -> 1"] },
  ],
  [
    "a change that concerns nobody is not reported",
    [
      production({
        deploy_access_levels: [{ group: "111" }, ...maintainers],
        approval_rules: [{ access_level: 40, required_approvals: 2 }],
      }),
    ],
    {},
  ],
  [
    "approval rules that are not declared stay as they are",
    [production({ deploy_access_levels: maintainers })],
    { "acme/shop production": ["deploy -lena (through group secret/release)"] },
  ],
  [
    "a group that the token can't see is not counted",
    [production({ deploy_access_levels: [{ access_level: 30 }, { group: "111" }] })],
    {
      "acme/shop production": [
        "deploy +devon +dora",
        "not counted: group 111: its members can't be read: the object does not exist, or the token can't see it (404)",
      ],
    },
    undefined,
    TOKEN.maya,
  ],
  [
    "a member with a custom role is not counted",
    [environment("staging", { deploy_access_levels: maintainers })],
    {
      "acme/shop staging": [
        "deploy -devon -dora",
        "protection off -> on",
        "not counted: nina: has the custom role Releaser",
      ],
    },
    () => invite({ email: undefined, user_id: 8, member_role_id: 7 }),
  ],
  [
    "a project whose members can't be read has no people, and the reason",
    [environment("staging", { deploy_access_levels: maintainers })],
    {
      "acme/shop staging": [
        "protection off -> on",
        expect.stringMatching(/^not counted: the project's members: /),
      ],
    },
    () => world().service.faults.add({ route: "/projects/:id/members/all", status: 403, always: true }),
  ],
  [
    "entries of the allowlist gain and lose",
    [shop("job_token_allowlist", { target_projects: ["acme/docs"], target_groups: ["secret"] }, "1")],
    { "acme/shop": ["use_job_tokens +secret +acme/docs -acme/tools"] },
  ],
  [
    "a set that a whole list leaves out is no revocation",
    [shop("job_token_allowlist", { target_groups: ["secret"] }, "1")],
    { "acme/shop": ["use_job_tokens +secret"] },
  ],
  [
    "a new limit shows that every project loses access, except those that are allowed",
    [
      docs("job_token_scope", { inbound_enabled: true }, "3"),
      docs("job_token_allowlist_project", { target_project: "acme/tools" }),
    ],
    {
      "acme/docs": ["use_job_tokens -every project (except project acme/tools)", "job token limit off -> on"],
    },
  ],
  [
    "the end of the limit shows that every project gains access",
    [shop("job_token_scope", { inbound_enabled: false }, "1")],
    { "acme/shop": ["use_job_tokens +every project", "job token limit on -> off"] },
  ],
  [
    "an entry changes nothing while the limit is off",
    [docs("job_token_allowlist_project", { target_project: "acme/tools" })],
    {},
  ],
  ["destroying the setting leaves it", [shop("job_token_scope", null, "1")], {}],
  [
    "what replaces an entry that another object declares keeps it",
    [
      shop("job_token_allowlist_project", null, "1:2"),
      shop("job_token_allowlist", { target_projects: ["acme/tools"] }),
    ],
    {},
  ],
  [
    "a higher level shows who pushes images no more",
    [rule("acme/shop/web*", "owner", "21")],
    { "acme/shop acme/shop/web*": ["push_images -maya", "minimum level for push maintainer -> owner"] },
  ],
  [
    "who can push without a minimum level is not counted: the API does not say it",
    [rule("acme/shop/api", "maintainer")],
    {
      "acme/shop acme/shop/api": [
        "minimum level for push none -> maintainer",
        "not counted: who can push without a minimum level: the API does not define it",
      ],
    },
  ],
  [
    "another rule that may match the same images is named",
    [rule("acme/*/web-api", "owner")],
    {
      "acme/shop acme/*/web-api": expect.arrayContaining([
        "not counted: the rule acme/shop/web*: it may match the same images",
      ]),
    },
  ],
  [
    // Somebody of the group that an entry names may have that address.
    "a user is a member at once, an e-mail address once the invitation is accepted",
    [
      shop("project_invitation", { user: "nina", access_level: 20 }),
      shop("project_invitation", { email: "new@example.com", access_level: 10 }),
    ],
    {
      "acme/shop": ["membership +new@example.com (as Guest once accepted) +nina (as Reporter)"],
      "acme/shop production": [
        "not counted: new@example.com: is invited by e-mail, and the token can't see whose address it is",
      ],
    },
  ],
  [
    "a new Developer of a group deploys to environments that name it",
    [
      { type: "group_invitation", given: { group: "secret/release", user: "nina", access_level: 30 } },
      shop("job_token_allowlist_project", { target_project: "acme/docs" }),
    ],
    {
      "acme/shop production": ["deploy +nina (through group secret/release)"],
      "acme/shop": ["use_job_tokens +acme/docs"],
      "secret/release": [
        "membership +nina (as Developer)",
        "not counted: projects of secret/release without a change in this plan: their environments are not read, and the memberships are inherited there",
      ],
    },
  ],
  [
    "a new Developer of a project deploys to what is not protected",
    [shop("project_invitation", { user: "nina", access_level: 30 })],
    {
      "acme/shop": ["membership +nina (as Developer)"],
      "acme/shop not protected": ["deploy +nina"],
    },
  ],
  [
    "another level of a pending invitation is no new member: it shows the levels",
    [shop("project_invitation", { ...invited, access_level: 20 }, "1:new@example.com")],
    { "acme/shop": ["invitation of new@example.com Developer -> Reporter"] },
    () => invite(),
  ],
  [
    "the withdrawal of an invitation takes nothing away",
    [shop("project_invitation", null, "1:new@example.com")],
    {},
    () => invite(),
  ],
];

test.each(ROWS.map((row) => [row[0], row] as const))("%s", async (_, row) => {
  const [, changes, told, before, token = TOKEN.root] = row;
  await before?.();
  expect(byPlace(await describeChanges(world(), changes, token))).toEqual(told);
});

test("entries that are known only after apply are not counted, and the declaration is named", async () => {
  const request = (name: string, unknown: ValueObject) => {
    const config = { project: "acme/shop", name: "staging", deploy_access_levels: [], ...unknown };
    const type = "steward_protected_environment";
    const planned = { attributes: { ...config, id: null }, private: undefined };
    return { type, address: `${type}.${name}`, prior: undefined, planned, config };
  };
  const report = await world().connect(TOKEN.root).describeAccess!([
    request("one", { deploy_access_levels: UNKNOWN }),
    request("two", { project: UNKNOWN }),
  ]);
  expect(byPlace(report)).toEqual({
    "acme/shop staging": [
      "not counted: steward_protected_environment.one: deploy_access_levels is known only after apply",
    ],
  });
  expect(report.notCounted).toEqual([
    { what: "steward_protected_environment.two", why: "its project is known only after apply" },
  ]);
});

test("in reverse a report says what was done that the changes would undo: who would lose has gained", async () => {
  const changes = [
    production(null),
    shop("job_token_scope", { inbound_enabled: false }, "1"),
    docs("job_token_scope", { inbound_enabled: true }, "3"),
  ];
  const requests = await requestsOf(world(), changes, TOKEN.root);
  expect(byPlace(await world().connect(TOKEN.root).describeAccess!(requests, { isReversed: true }))).toEqual({
    "acme/shop production": [
      "deploy +lena (through group secret/release) -devon -dora",
      "approve +maya +oskar",
      "protection off -> on",
      "approvals 0 -> 2",
    ],
    "acme/shop": ["use_job_tokens -every project (except project acme/tools)", "job token limit off -> on"],
    "acme/docs": ["use_job_tokens +every project", "job token limit on -> off"],
  });
});

test("a whole list that ends takes away what is live of the sets that it manages, also where its state is older", async () => {
  const [request] = await requestsOf(world(), [shop("job_token_allowlist", null, "1")], TOKEN.root);
  const list = "/projects/1/job_token_scope/allowlist";
  await world().http("DELETE", `${list}/2`, undefined, TOKEN.root);
  await world().http("POST", list, { target_project_id: 3 }, TOKEN.root);
  const prior = request!.prior!;
  const groupsAlone = { ...prior, attributes: { ...prior.attributes, target_projects: null } };
  const told = async (held: typeof prior) =>
    byPlace(await world().connect(TOKEN.root).describeAccess!([{ ...request!, prior: held }]));
  expect(await told(prior)).toEqual({ "acme/shop": ["use_job_tokens -acme/docs"] });
  expect(await told(groupsAlone)).toEqual({});
});

/** What describing changes asks the service, by route. */
async function asked(changes: readonly Change[], at = world()) {
  const requests = await requestsOf(at, changes, TOKEN.root);
  const run = at.connect(TOKEN.root);
  at.service.requests.reset();
  const report = await run.describeAccess!(requests);
  const routes = at.service.requests.all.map(({ route }) => route!);
  const counts = new Map(routes.map((route) => [route, routes.filter((one) => one === route).length]));
  return { report, counts: Object.fromEntries(counts) };
}

test("members of a project and of a group are read once, however many environments name them", async () => {
  const inherited = { group: "secret/release", group_inheritance_type: 1 };
  const changes = ["staging", "review", "demo"].flatMap((name) => {
    const given = { name, deploy_access_levels: [...maintainers, inherited] };
    return [shop("protected_environment", given), docs("protected_environment", given)];
  });
  const { report, counts } = await asked(changes);
  expect(report.places).toHaveLength(6);
  expect(counts).toEqual({
    // The group and the group above it: their records, and their direct members.
    "/groups/:id": 2,
    "/groups/:id/members": 2,
    // Two projects: their members, and their protected environments. The plan looked their paths up.
    "/projects/:id/members/all": 2,
    "/projects/:id/protected_environments": 2,
  });
});

describe("a project with more than 20 pages of members", () => {
  const fixture = company();
  const crowd = Array.from({ length: 2_001 }, (_, at) => `crowd-${at}`);
  fixture.users!.push(...crowd.map((username) => ({ username })));
  fixture.projects![0]!.members = crowd.map((user) => ({ user, role: "guest" as const }));
  const crowded = useOneWorld(fixture);

  test("the people whom entries name are looked up singly", async () => {
    const deploy_access_levels = [{ access_level: 30 }, { user: "crowd-7" }, { group: "secret/release" }];
    const { report, counts } = await asked([environment("staging", { deploy_access_levels })], crowded);
    expect(byPlace(report)).toEqual({
      "acme/shop staging": ["deploy +crowd-7 +lena (through group secret/release)", "protection off -> on"],
    });
    // The first page told that there are too many.
    expect(counts).toMatchObject({ "/projects/:id/members/all": 1, "/projects/:id/members/all/:user_id": 2 });
  });

  test("a change of the lowest level is not counted by person", async () => {
    const { report } = await asked([environment("staging", { deploy_access_levels: maintainers })], crowded);
    expect(byPlace(report)).toEqual({
      "acme/shop staging": [
        "protection off -> on",
        "not counted: members by level: the project has more than 2,000 members",
      ],
    });
  });
});
