import fc from "fast-check";
import { Stack } from "../provider/support/stack";
import { GROUP, PROJECT, startWorld, TOKEN, type World } from "../provider/support/world";
import { runs, seed } from "../support/capabilities";
import { testCompleteness } from "../support/every-resource";

const WEB = `/projects/${PROJECT.web}`;
const WEB_TWO = `/projects/${PROJECT.webTwo}`;
const PLATFORM = `/groups/${GROUP.platform}`;
const RULES = `${WEB}/registry/protection/repository/rules`;

const RESOURCE = {
  steward_job_token_scope: { limit: { project: "acme/web", inbound_enabled: true } },
  steward_job_token_allowlist: {
    callers: { project: "acme/web", target_projects: ["acme/tools", "acme/docs"] },
  },
  steward_protected_environment: {
    production: {
      project: "acme/web",
      name: "production",
      deploy_access_levels: [{ access_level: 40 }, { user: "devon" }],
      approval_rules: [{ access_level: 40, required_approvals: 2 }],
    },
    staging: { project: "acme/web", name: "staging", deploy_access_levels: [{ access_level: 30 }] },
  },
  steward_container_protection_rule: {
    release: {
      project: "acme/web",
      repository_path_pattern: "acme/web/release*",
      minimum_access_level_for_push: "maintainer",
    },
  },
  steward_project_invitation: {
    ana: { project: "acme/web", email: "ana@example.com", access_level: 30, expires_at: "2099-01-31" },
  },
  steward_group_invitation: {
    bob: { group: "acme/platform", email: "bob@example.com", access_level: 20 },
  },
  steward_pages_settings: { site: { project: "acme/web", force_https: false, unique_domain_enabled: true } },
  // Where nobody owns the whole allowlist.
  steward_job_token_allowlist_project: { tools: { project: "acme/web-two", target_project: "acme/tools" } },
  steward_job_token_allowlist_group: { platform: { project: "acme/web-two", target_group: "acme/platform" } },
};

/** Who may change all of that: Pages takes an administrator. */
const declarationsIn = ({ service }: World, resource: object) => ({
  provider: { steward: [{ base_url: service.url, token: TOKEN.administrator, max_attempts: 1 }] },
  resource,
});

/** What somebody may do by hand, and the drift that it is. */
interface ByHand {
  readonly name: string;
  readonly address: string;
  /** Nothing where the object vanishes. */
  readonly attributes: readonly string[];
  act(world: World, ruleId: number): Promise<unknown>;
}

const BY_HAND: readonly ByHand[] = [
  {
    name: "switch the limit off",
    address: "steward_job_token_scope.limit",
    attributes: ["inbound_enabled"],
    act: ({ http }) => http("PATCH", `${WEB}/job_token_scope`, { enabled: false }),
  },
  {
    name: "put a project on the allowlist",
    address: "steward_job_token_allowlist.callers",
    attributes: ["target_projects"],
    act: ({ http }) =>
      http("POST", `${WEB}/job_token_scope/allowlist`, { target_project_id: PROJECT.runner }),
  },
  {
    name: "take a project off the allowlist",
    address: "steward_job_token_allowlist.callers",
    attributes: ["target_projects"],
    act: ({ http }) => http("DELETE", `${WEB}/job_token_scope/allowlist/${PROJECT.docs}`),
  },
  {
    name: "let developers deploy",
    address: "steward_protected_environment.production",
    attributes: ["deploy_access_levels"],
    act: ({ http }) =>
      http("PUT", `${WEB}/protected_environments/production`, {
        deploy_access_levels: [{ access_level: 30 }],
      }),
  },
  {
    name: "add an approval rule",
    address: "steward_protected_environment.production",
    attributes: ["approval_rules"],
    act: ({ http }) =>
      http("PUT", `${WEB}/protected_environments/production`, {
        approval_rules: [{ access_level: 30, required_approvals: 1 }],
      }),
  },
  {
    name: "unprotect an environment",
    address: "steward_protected_environment.staging",
    attributes: [],
    act: ({ http }) => http("DELETE", `${WEB}/protected_environments/staging`),
  },
  {
    name: "change the level of a rule",
    address: "steward_container_protection_rule.release",
    attributes: ["minimum_access_level_for_push"],
    act: ({ http }, id) => http("PATCH", `${RULES}/${id}`, { minimum_access_level_for_push: "owner" }),
  },
  {
    name: "add a level to a rule",
    address: "steward_container_protection_rule.release",
    attributes: ["minimum_access_level_for_delete"],
    act: ({ http }, id) => http("PATCH", `${RULES}/${id}`, { minimum_access_level_for_delete: "owner" }),
  },
  {
    name: "change the end of an invitation",
    address: "steward_project_invitation.ana",
    attributes: ["expires_at"],
    act: ({ http }) => http("PUT", `${WEB}/invitations/ana%40example.com`, { expires_at: "2098-01-31" }),
  },
  {
    name: "change the level of an invitation to a group",
    address: "steward_group_invitation.bob",
    attributes: ["access_level"],
    act: ({ http }) => http("PUT", `${PLATFORM}/invitations/bob%40example.com`, { access_level: 30 }),
  },
  {
    name: "make Pages redirect to HTTPS",
    address: "steward_pages_settings.site",
    attributes: ["force_https"],
    act: ({ http }) => http("PATCH", `${WEB}/pages`, { pages_https_only: true }, TOKEN.administrator),
  },
  {
    name: "take a project's own entry off the allowlist",
    address: "steward_job_token_allowlist_project.tools",
    attributes: [],
    act: ({ http }) => http("DELETE", `${WEB_TWO}/job_token_scope/allowlist/${PROJECT.tools}`),
  },
  {
    name: "take a group's own entry off the allowlist",
    address: "steward_job_token_allowlist_group.platform",
    attributes: [],
    act: ({ http }) => http("DELETE", `${WEB_TWO}/job_token_scope/groups_allowlist/${GROUP.platform}`),
  },
];

testCompleteness({
  about: "drift and its repair",
  samples: Object.fromEntries(BY_HAND.map((one) => [one.address.split(".")[0]!, one])),
  file: "test/acceptance/repair.test.ts",
});

/** What the service holds of all that is declared, without what it numbers and dates on its own. */
async function live({ http }: World): Promise<unknown> {
  const places = [
    ...["job_token_scope", "job_token_scope/allowlist", "protected_environments", "invitations"].map(
      (part) => `${WEB}/${part}`,
    ),
    ...["allowlist", "groups_allowlist"].map((list) => `${WEB_TWO}/job_token_scope/${list}`),
    `${PLATFORM}/invitations`,
    RULES,
  ];
  const all = await Promise.all([
    ...places.map((place) => http("GET", place)),
    http("GET", `${WEB}/pages`, undefined, TOKEN.administrator),
  ]);
  return JSON.parse(
    JSON.stringify(all, (name, value) =>
      name === "id" || name.endsWith("_at") ? (name === "expires_at" ? value : undefined) : sorted(value),
    ),
  );
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value) ? [...value].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)) : value;

/** Elements in an order that an id given anew does not change. */
const keyOf = (value: unknown): string =>
  JSON.stringify(value, (name, one) => (name === "id" || name === "created_at" ? undefined : one));

describe("drift and its repair", () => {
  test("name exactly what was changed by hand, and bring back exactly what was declared", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...BY_HAND), { minLength: 1 }), async (done) => {
        const world = await startWorld();
        const stack = new Stack(world, declarationsIn(world, RESOURCE));
        try {
          expect((await stack.apply()).diagnostics).toEqual([]);
          const declared = await live(world);
          const rules = (await world.http("GET", RULES)) as { id: number }[];
          for (const { act } of done) await act(world, rules[0]!.id);
          const { drifted } = await stack.drift();
          expect(drifted.map(({ change, attributes }) => [change.address, [...attributes].sort()])).toEqual(
            expectedOf(done),
          );
          expect(await stack.repair()).toEqual([]);
          expect(await live(world)).toEqual(declared);
          expect((await stack.drift()).drifted).toEqual([]);
        } finally {
          stack.remove();
          await world.close();
        }
      }),
      { numRuns: runs(6, 150), seed },
    );
  });

  test("leave alone what the code changed since it was applied, and say so", async () => {
    const world = await startWorld();
    const stack = new Stack(world, declarationsIn(world, RESOURCE));
    try {
      await stack.apply();
      const [first, , , deploy] = BY_HAND;
      await first!.act(world, 0);
      await deploy!.act(world, 0);
      const { production } = RESOURCE.steward_protected_environment;
      stack.declare(
        declarationsIn(world, {
          ...RESOURCE,
          steward_protected_environment: {
            ...RESOURCE.steward_protected_environment,
            production: { ...production, approval_rules: [] },
            extra: { project: "acme/web", name: "extra", deploy_access_levels: [{ access_level: 40 }] },
          },
        }),
      );
      expect(await stack.repair()).toEqual([
        ["steward_protected_environment.production", expect.stringContaining("approval_rules")],
      ]);
      expect(await world.http("GET", `${WEB}/job_token_scope`)).toMatchObject({ inbound_enabled: true });
      // What was not repaired is still drift, and what was never applied is still to be applied.
      const { drifted } = await stack.drift();
      expect(drifted.map(({ change }) => change.address)).toEqual([
        "steward_protected_environment.production",
      ]);
      expect((await stack.plan()).summary).toMatchObject({ add: 1, change: 1, remove: 0 });
    } finally {
      stack.remove();
      await world.close();
    }
  });
});

describe("a repair of what both the code and somebody changed", () => {
  let world: World;
  let stack: Stack;
  beforeEach(async () => {
    world = await startWorld();
    stack = new Stack(world, declarationsIn(world, RESOURCE));
    expect((await stack.apply()).diagnostics).toEqual([]);
  });
  afterEach(async () => {
    stack.remove();
    await world.close();
  });

  const declareAll = ({ resource }: { readonly resource: object }) =>
    stack.declare(declarationsIn(world, resource));
  /** Declares one object otherwise, and leaves all others as they were applied. */
  const declare = (type: keyof typeof RESOURCE, name: string, change: object) => {
    const all = RESOURCE[type] as Readonly<Record<string, object>>;
    declareAll({
      resource: { ...RESOURCE, [type]: { ...all, [name]: { ...all[name], ...change } } },
    });
  };
  const environments = () => world.http("GET", `${WEB}/protected_environments`);
  const unprotect = (name: string) => world.http("DELETE", `${WEB}/protected_environments/${name}`);
  const writes = () => world.service.requests.all.filter(({ method }) => method !== "GET");

  test("an invitation applied at one level, declared at another and set to a third by hand is left: repair wrote the declared level", async () => {
    declare("steward_project_invitation", "ana", { access_level: 20 });
    await world.http("PUT", `${WEB}/invitations/ana%40example.com`, { access_level: 40 });
    const { drifted } = await stack.drift();
    expect(drifted).toMatchObject([
      {
        attributes: ["access_level"],
        change: { before: { access_level: 30 }, after: { access_level: 40 } },
        declared: { access_level: 20 },
      },
    ]);
    world.service.requests.reset();
    expect(await stack.repair()).toEqual([
      ["steward_project_invitation.ana", expect.stringContaining("access_level")],
    ]);
    expect(writes()).toEqual([]);
    expect((await stack.drift()).drifted).toHaveLength(1);
  });

  test("a protected environment that was deleted by hand and loosened in the code is left: repair created it in the looser form", async () => {
    declare("steward_protected_environment", "production", { deploy_access_levels: [{ access_level: 30 }] });
    await unprotect("production");
    world.service.requests.reset();
    expect(await stack.repair()).toEqual([
      ["steward_protected_environment.production", expect.stringContaining("deploy_access_levels")],
    ]);
    expect(writes()).toEqual([]);
    expect(await environments()).toMatchObject([{ name: "staging" }]);
  });

  test("an environment whose approval rules were taken out of the code is not made anew without them", async () => {
    const { approval_rules: _, ...production } = RESOURCE.steward_protected_environment.production;
    const { staging } = RESOURCE.steward_protected_environment;
    declareAll({
      resource: { ...RESOURCE, steward_protected_environment: { production, staging } },
    });
    await unprotect("production");
    expect(await stack.repair()).toEqual([
      ["steward_protected_environment.production", expect.stringContaining("approval_rules")],
    ]);
    expect(await environments()).toMatchObject([{ name: "staging" }]);
  });

  test("one attribute that the code declares as it is live by now leaves the whole object to apply", async () => {
    declare("steward_project_invitation", "ana", { access_level: 40 });
    await world.http("PUT", `${WEB}/invitations/ana%40example.com`, {
      access_level: 40,
      expires_at: "2098-01-31",
    });
    const { drifted } = await stack.drift();
    expect(drifted[0]).toMatchObject({
      attributes: ["access_level", "expires_at"],
      declared: { access_level: 40 },
    });
    expect(await stack.repair()).toEqual([
      ["steward_project_invitation.ana", expect.stringContaining("access_level")],
    ]);
  });

  test("a value that is known after apply only leaves the object to apply", async () => {
    const { staging, production } = RESOURCE.steward_protected_environment;
    declareAll({
      resource: {
        ...RESOURCE,
        steward_protected_environment: {
          staging,
          production: { ...production, name: "${terraform_data.n.output}" },
        },
        terraform_data: { n: { input: "production" } },
      },
    });
    await unprotect("production");
    expect(await stack.repair()).toEqual([
      ["steward_protected_environment.production", expect.stringContaining("name is known after apply only")],
    ]);
  });

  test("what the code does not declare, and moves by itself, keeps no object from its repair", async () => {
    declareAll({
      resource: {
        ...RESOURCE,
        steward_protected_environment: {
          ...RESOURCE.steward_protected_environment,
          staging: {
            ...RESOURCE.steward_protected_environment.staging,
            lifecycle: { ignore_changes: ["approval_rules"] },
          },
        },
      },
    });
    await world.http("PUT", `${WEB}/protected_environments/staging`, {
      deploy_access_levels: [{ access_level: 60 }],
      approval_rules: [{ access_level: 40, required_approvals: 1 }],
    });
    expect(await stack.repair()).toEqual([]);
    expect(await environments()).toMatchObject([
      { name: "production" },
      {
        name: "staging",
        deploy_access_levels: [{ access_level: 30 }],
        approval_rules: [{ access_level: 40 }],
      },
    ]);
  });
});

function expectedOf(done: readonly ByHand[]): [string, string[]][] {
  const byAddress = new Map<string, Set<string>>();
  for (const { address, attributes } of done) {
    const known = byAddress.get(address) ?? new Set();
    for (const name of attributes) known.add(name);
    byAddress.set(address, known);
  }
  return [...byAddress]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([address, names]) => [address, [...names].sort()]);
}
