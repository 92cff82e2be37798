import { parse } from "yaml";
import { UNKNOWN, type ValueObject } from "../../../src/schema";
import { readTranscript, type Step } from "../../support/transcripts/parse";
import { useOneWorld, useWorld } from "../support/world";
import { company, TOKEN } from "./company";
import { byPlace, type Change, describeChanges, requestsOf } from "./support";

// Tests the access lines of a plan: who gains access, who loses it, and which places are not counted. The laws in this
// folder and the simulator (`invariants/of-access.ts`) compare these lines with the service.

const world = useWorld(company());

const change = (type: string, given: ValueObject | null, id?: string): Change => ({
  type,
  given: given && { ...(!("group" in given) && { project: "acme/shop" }), ...given },
  ...(id !== undefined && { id }),
});
const maintainers = [{ access_level: 40 }];

/**
 * Runs the steps of a test. `change TYPE [id of the live object] {declaration}` is a change, and `gone` instead of the
 * declaration destroys the object. `access PLACE: LINE` is a line that the report must have. Other steps prepare the
 * service.
 */
async function tells(steps: readonly Step[]): Promise<void> {
  const changes: Change[] = [];
  const told: Record<string, unknown[]> = {};
  let token: string = TOKEN.root;
  for (const { word, rest } of steps) {
    const [, path = "", json = ""] = /^(\S+) (.*)$/.exec(rest) ?? [];
    if (word === "POST") await world().http("POST", path, parse(json), TOKEN.root);
    else if (word === "fault") world().service.faults.add(parse(rest) as never);
    else if (word === "as") token = TOKEN[rest as keyof typeof TOKEN];
    else if (word === "access") {
      const [, place = "", text = ""] = /^(.*?): (.*)$/.exec(rest)!;
      told[place] ??= [];
      told[place].push(text.startsWith("~ ") ? expect.stringMatching(text.slice(2)) : text);
    } else {
      expect(word).toBe("change");
      const [, type, id, given = ""] = /^(\w+) (?:\[(.*?)\] )?(.*)$/.exec(rest)!;
      changes.push(change(type!, given === "gone" ? null : (parse(given) as ValueObject), id));
    }
  }
  expect(byPlace(await describeChanges(world(), changes, token))).toEqual(told);
}

const { tests } = readTranscript(__dirname, "access");
test.each(tests.map(({ title, steps }) => [title, steps] as const))("%s", (_, steps) => tells(steps));

test("if a declaration's entries are unknown until apply, the access report lists the declaration under `notCounted`", async () => {
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

test("the access report of an earlier apply says who gained and who lost access", async () => {
  const changes = [
    change("protected_environment", null, "1:production"),
    change("job_token_scope", { inbound_enabled: false }, "1"),
    change("job_token_scope", { project: "acme/docs", inbound_enabled: true }, "3"),
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

test("for an allowlist's destroy, the access report shows the live entries instead of the entries in the state", async () => {
  const [request] = await requestsOf(world(), [change("job_token_allowlist", null, "1")], TOKEN.root);
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

/** Returns the number of requests that describe the access of changes, by route. */
async function asked(changes: readonly Change[], at = world()) {
  const requests = await requestsOf(at, changes, TOKEN.root);
  const run = at.connect(TOKEN.root);
  at.service.requests.reset();
  const report = await run.describeAccess!(requests);
  const routes = at.service.requests.all.map(({ route }) => route!);
  const counts = new Map(routes.map((route) => [route, routes.filter((one) => one === route).length]));
  return { report, counts: Object.fromEntries(counts) };
}

test("with isPartial, the access report lists the groups on which a project's access depends", async () => {
  const changes = [
    change("protected_environment", { name: "staging", deploy_access_levels: [{ group: "secret/release" }] }),
  ];
  const requests = await requestsOf(world(), changes, TOKEN.root);
  const touchedBy = async (options: object) => {
    world().service.requests.reset();
    const { touched } = await world().connect(TOKEN.root).describeAccess!(requests, options);
    return { touched, routes: world().service.requests.all.map(({ route }) => route) };
  };
  const whole = await touchedBy({});
  expect(whole.touched).toEqual([{ kind: "project", name: "acme/shop" }]);
  expect(whole.routes).not.toContain("/projects/:id");
  const { touched } = await touchedBy({ isPartial: true });
  const { shared_with_groups: shares } = (await world().http(
    "GET",
    "/projects/1",
    undefined,
    TOKEN.root,
  )) as {
    readonly shared_with_groups: readonly { readonly group_full_path: string }[];
  };
  const names = new Set(["secret/release", ...shares.map(({ group_full_path: path }) => path)]);
  expect(touched).toEqual([
    {
      kind: "project",
      name: "acme/shop",
      dependsOn: [...names].sort().map((name) => ({ kind: "group", name })),
    },
  ]);
});

test("for any number of environments, the access report reads the members of a project or group once", async () => {
  const inherited = { group: "secret/release", group_inheritance_type: 1 };
  const changes = ["staging", "review", "demo"].flatMap((name) => {
    const given = { name, deploy_access_levels: [...maintainers, inherited] };
    return ["acme/shop", "acme/docs"].map((project) =>
      change("protected_environment", { project, ...given }),
    );
  });
  const { report, counts } = await asked(changes);
  expect(report.places).toHaveLength(6);
  expect(counts).toEqual({
    // The requests for the group and for its parent group: their records and their direct members.
    "/groups/:id": 2,
    "/groups/:id/members": 2,
    // The requests for two projects: their members and their protected environments. The plan has already looked up
    // their paths.
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

  test("the access report sends one request for each user in an entry and for each member of an entry's group", async () => {
    const deploy_access_levels = [{ access_level: 30 }, { user: "crowd-7" }, { group: "secret/release" }];
    const { report, counts } = await asked(
      [change("protected_environment", { name: "staging", deploy_access_levels })],
      crowded,
    );
    expect(byPlace(report)).toEqual({
      "acme/shop staging": ["deploy +crowd-7 +lena (through group secret/release)", "protection off -> on"],
    });
    // The first page shows that the list is too long to be read.
    expect(counts).toMatchObject({ "/projects/:id/members/all": 1, "/projects/:id/members/all/:user_id": 2 });
  });

  test("with isWhole, the access report says that members with access by level are not counted", async () => {
    const given = { name: "staging", deploy_access_levels: [{ access_level: 30 }] };
    const requests = await requestsOf(crowded, [change("protected_environment", given)], TOKEN.root);
    const report = await crowded.connect(TOKEN.root).describeAccess!(requests, { isWhole: true });
    expect(byPlace(report)["acme/shop staging"]).toContainEqual(
      expect.stringMatching(/^not counted: members by level/),
    );
  });

  test("if a plan changes the lowest level for deployments, the access report says that members by level are not counted", async () => {
    const { report } = await asked(
      [change("protected_environment", { name: "staging", deploy_access_levels: maintainers })],
      crowded,
    );
    expect(byPlace(report)).toEqual({
      "acme/shop staging": [
        "protection off -> on",
        "not counted: members by level: the list of members has more than 20 pages, or the service does not return its length",
      ],
    });
  });
});
