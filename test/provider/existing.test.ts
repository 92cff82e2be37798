import { type Diagnostic, hasErrors } from "../../src/diagnostics";
import type { HostName } from "../../src/framework/protocol/connection";
import { RESOURCES } from "../../src/provider/registry";
import type { ValueObject } from "../../src/schema";
import { containerOf, ENTRIES, placeOf } from "./samples";
import { recordAnswer, refusal, useRunsBehind } from "./support/behind";
import { crowdOfGroups, crowdOfProjects, numbers } from "./support/crowd";
import { Host } from "./support/host";
import { FIXTURE, GROUP, PROJECT, TOKEN, useWorld } from "./support/world";

// If an object exists already, the service refuses to create it. For each resource with such a refusal, the plan finds
// the existing object before the create.

const COUNT = 5;
const codesOf = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
const world = useWorld({
  ...FIXTURE,
  groups: [...FIXTURE.groups!, ...crowdOfGroups(COUNT)],
  projects: [...FIXTURE.projects!, ...crowdOfProjects(COUNT)],
});
const behind = useRunsBehind();
const containers = { project: ["acme/web", PROJECT.web], group: ["acme/platform", GROUP.platform] } as const;

describe.each(ENTRIES)("%s", (type, entries) => {
  const [path, container] = containers[containerOf(type)];
  const declared = (index: number) =>
    new Host(world(), type).config({ [containerOf(type)]: path, ...entries.config(index) });
  const plan = (run = world().connect(), existing?: "tell" | "refuse") =>
    Promise.all(
      numbers(COUNT).map((index) =>
        run.planResource({ type, prior: undefined, config: declared(index), existing }),
      ),
    );
  const make = async (index: number) => {
    const [at, body] = entries.make(index);
    await world().http("POST", `${placeOf(type)}/${at}`, body);
  };
  const lists = () =>
    world().service.requests.all.filter(({ url }) => url.replace(/\?.*/, "").endsWith(`/${entries.list}`));

  test("the plan of several new objects finds the objects that already exist with one request for the list", async () => {
    await make(2);
    world().service.requests.reset();
    const answers = await plan(undefined, "tell");
    expect(lists()).toHaveLength(1);
    expect(
      answers.map(({ planned, diagnostics }) => planned !== undefined && !hasErrors(diagnostics)),
    ).toEqual(numbers(COUNT).map(() => true));
    const [live] = (await world().connect().listResource({ type, within: path })).objects;
    expect(answers.map(({ existing }) => existing?.id)).toEqual(
      numbers(COUNT).map((index) => (index === 2 ? live!.id : undefined)),
    );
    expect(live!.id.startsWith(`${container}:`)).toBe(true);
  });

  test("if the host does not import objects, the plan of an existing object reports an error with the id", async () => {
    await make(1);
    const answers = await plan(undefined, "refuse");
    expect(answers.map(({ diagnostics }) => codesOf(diagnostics))).toEqual(
      numbers(COUNT).map((index) => (index === 1 ? ["already_exists"] : [])),
    );
    const [found] = answers[1]!.diagnostics;
    expect(found).toMatchObject({ action: { kind: "import" }, cause: expect.any(String) });
    expect(found!.detail).toContain(`"${(found!.action as { id: string }).id}"`);
  });

  test("if the host announced a read of an object, the plan does not report that the object already exists", async () => {
    await make(0);
    const run = world().connect();
    const { objects } = await world().connect().listResource({ type, within: path });
    run.expectReads!(
      objects.map(({ id }) => ({ type, id })),
      [],
    );
    for (const { existing } of await plan(run, "tell")) expect(existing).toBeUndefined();
  });
});

/**
 * Resources whose lists show all existing objects. Invitations are not in this list, because the members of the project
 * also matter for them.
 */
const LISTED = ENTRIES.filter(
  ([type]) => RESOURCES.find((one) => `steward_${one.type}` === type)?.onPlan?.create === undefined,
);

describe.each(LISTED)("%s", (type, entries) => {
  const host = () => new Host(world(), type);
  const config: ValueObject = { project: "acme/web", ...entries.config(0) };

  test.each([
    [403, [{ severity: "warning", code: "existing_not_checked" }]],
    [404, []],
    [500, [{ severity: "error", code: "service_failed" }]],
  ] as const)(
    "if the request for the list returns the status %d, the plan has the diagnostics %j",
    async (status, expected) => {
      const connect = await behind(
        world(),
        ({ url }) => (url.includes(`/${entries.list}`) ? refusal(status, "no") : undefined),
        { max_attempts: 1 },
      );
      const { existing, diagnostics } = await connect().planResource({
        ...{ type, prior: undefined, existing: "tell" },
        config: host().config(config),
      });
      expect(existing).toBeUndefined();
      expect(diagnostics).toMatchObject(expected);
      expect(diagnostics).toHaveLength(expected.length);
    },
  );

  // Releases of the platform refuse with different texts and statuses.
  test.each([
    [409, "Protected environment 'production' already exists"],
    [400, "400 Bad request - production is already protected"],
    [422, "is already protected"],
    [422, "Repository path pattern has already been taken"],
    [400, "Target project is already in the job token scope"],
    [409, "has been taken"],
  ] as const)(
    "if a create is refused with %d and %j, the error says that the object exists",
    async (status, message) => {
      const plan = await host().plan(undefined, config);
      const [path, body] = entries.make(0);
      await world().http("POST", `${placeOf(type)}/${path}`, body);
      const connect = await behind(world(), ({ method }) =>
        method === "POST" ? refusal(status, message) : undefined,
      );
      const { state, diagnostics } = await host().apply(plan, connect());
      expect(state).toBeUndefined();
      expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
    },
  );
});

describe.each([
  ["steward_project_invitation", { project: "acme/web" }, `/projects/${PROJECT.web}/invitations`],
  ["steward_group_invitation", { group: "acme/platform" }, `/groups/${GROUP.platform}/invitations`],
])("%s", (type, within, path) => {
  const observed = useWorld(FIXTURE, undefined, "observed");

  test.each([
    "The member's email address has already been taken",
    "Invite email has already been taken",
    "Member already been invited",
  ])("if an invitation is refused with %j, the error says that the invitation exists", async (reason) => {
    const host = new Host(observed(), type);
    const invited = { email: "ada@example.com", access_level: 30 };
    const plan = await host.plan(undefined, { ...within, ...invited });
    // Another client sends an invitation just after the apply has checked that there is none.
    const connect = await behind(observed(), async ({ method }) => {
      if (method !== "POST") return undefined;
      await observed().http("POST", path, invited, TOKEN.owner);
      return recordAnswer(201, { status: "error", message: { "ada@example.com": reason } });
    });
    const { diagnostics } = await host.apply(plan, connect());
    expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
  });
});

describe("a live name that differs from a declared name only by Unicode normalization", () => {
  const LIVE = "cafe\u0301";
  const DECLARED = LIVE.normalize("NFC");
  const type = "steward_protected_environment";
  const deploy_access_levels = [{ access_level: 40 }];
  const make = (list: string, name: string) =>
    world().http("POST", `/projects/1/${list}`, {
      name,
      ...(list !== "environments" && { deploy_access_levels }),
    });
  const plan = (name: string, existing: "tell" | "refuse") =>
    world()
      .connect()
      .planResource({
        ...{ type, prior: undefined, existing },
        config: new Host(world(), type).config({ project: "acme/web", name, deploy_access_levels }),
      });

  test.each([
    ["a protected environment", "protected_environments", LIVE, DECLARED],
    ["a protected environment with a letter like one of ASCII", "protected_environments", "\u212a8s", "K8s"],
    ["an environment without a protection", "environments", LIVE, DECLARED],
  ])(
    "the plan refuses the name of %s, also for hosts that import existing objects",
    async (_title, list, live, declared) => {
      await make(list, live);
      for (const existing of ["tell", "refuse"] as const) {
        const planned = await plan(declared, existing);
        expect(codesOf(planned.diagnostics)).toEqual(["live_name_not_normalized"]);
        expect(planned.existing).toBeUndefined();
      }
    },
  );

  test("if two live names differ only by normalization, the plan uses the object with exactly the declared name", async () => {
    for (const name of [LIVE, DECLARED]) await make("protected_environments", name);
    const planned = await plan(DECLARED, "tell");
    expect(planned).toMatchObject({ existing: { id: `1:${DECLARED}` }, diagnostics: [] });
  });

  test("an import by the live or the declared name fails with the error live_name_not_normalized", async () => {
    await make("protected_environments", LIVE);
    for (const name of [LIVE, DECLARED]) {
      const { state, diagnostics } = await world()
        .connect()
        .importResource({ type, id: `acme/web:${name}` });
      expect([state, codesOf(diagnostics)]).toEqual([undefined, ["live_name_not_normalized"]]);
    }
    const { objects } = await world().connect().listResource({ type, within: "acme/web" });
    expect(objects).toMatchObject([
      { label: LIVE, undeclarable: expect.stringContaining("Unicode form NFC") },
    ]);
  });
});

// Tests in which the embedded engine and Terraform differ. The embedded engine reads the journal of a killed run.
// Terraform has no journal.

/** Plans and applies a new object under one host. */
async function create(by: HostName, type: string, config: ValueObject) {
  const host = new Host(world(), type);
  const run = world().connect(TOKEN.maintainer, { host: by });
  return host.apply(await host.plan(undefined, config, run), run);
}

/** Resources whose objects consist of a key only. */
const ONLY_A_KEY = ENTRIES.filter(([type]) =>
  RESOURCES.some((one) => one.isEntry === true && `steward_${one.type}` === type),
);

describe.each(ONLY_A_KEY)("%s", (type, entries) => {
  const config = { [containerOf(type)]: "acme/web", ...entries.config(0) };
  const id = `${PROJECT.web}:${entries.key(0, 1)}`;
  /** The id as messages and commands print it. */
  const readable = `acme/web:${entries.key(0, 1)}`;
  beforeEach(async () => {
    const [path, body] = entries.make(0);
    await world().http("POST", `${placeOf(type)}/${path}`, body);
  });

  test("under the embedded engine, the create of an entry that already exists fails, and the error suggests the import command", async () => {
    const { state, diagnostics } = await create("steward", type, config);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
    expect(diagnostics[0]!.action).toEqual({ kind: "import", id: readable });
  });

  test("under Terraform, the create of an existing entry succeeds with a warning, and stores the entry in the state", async () => {
    const { state, diagnostics } = await create("terraform", type, config);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "taken_over" }]);
    expect(diagnostics[0]!.detail).toContain(`"${readable}"`);
    expect(state!.attributes["id"]).toBe(id);
    const host = new Host(world(), type);
    expect(await host.drift(state!, config)).toEqual([]);
    await host.destroy(state!);
    expect(await host.refresh(state!)).toBeUndefined();
  });
});

test("under Terraform, the create of a protected environment that already exists fails, and the error suggests the import command", async () => {
  const config = { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] };
  await new Host(world(), "steward_protected_environment").bring(undefined, config);
  const { state, diagnostics } = await create("terraform", "steward_protected_environment", config);
  expect(state).toBeUndefined();
  expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
  expect(diagnostics[0]!.action).toEqual({ kind: "import", id: "acme/web:production" });
});
