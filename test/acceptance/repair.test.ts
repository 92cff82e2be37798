import fc from "fast-check";
import type { ByHand } from "../../src/provider/samples/sample";
import { containerOf, placed, SAMPLES } from "../provider/samples";
import { ownPath, withOwnPlaces } from "../provider/support/own-places";
import { Stack } from "../provider/support/stack";
import { PROJECT, startWorld, TOKEN, type World } from "../provider/support/world";
import { runs, seed } from "../support/capabilities";

const WEB = `/projects/${PROJECT.web}`;
/** One object of every resource, each in a place of its own. */
const SAMPLED = Object.fromEntries(
  Object.keys(SAMPLES).map((type) => [type, { it: placed(type, ownPath(type)) }]),
);

/** What is declared where the code and somebody change the same. */
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
  steward_project_invitation: {
    ana: { project: "acme/web", email: "ana@example.com", access_level: 30, expires_at: "2099-01-31" },
  },
};

/** Who may change all of that: Pages takes an administrator. */
const declarationsIn = ({ service }: World, resource: object) => ({
  provider: { steward: [{ base_url: service.url, token: TOKEN.administrator, max_attempts: 1 }] },
  resource,
});

/** What somebody may do by hand, and the drift that it is. */
interface Act {
  readonly name: string;
  readonly address: string;
  /** Nothing where the object vanishes. */
  readonly attributes: readonly string[];
  act(world: World): Promise<unknown>;
}

const at = (type: string) => `/${containerOf(type)}s/${encodeURIComponent(ownPath(type))}`;

const BY_HAND: readonly Act[] = Object.entries(SAMPLES).flatMap(([type, { byHand, deleteByHand }]) => {
  const act = (name: string, attributes: readonly string[], by: ByHand): Act => ({
    name: `${type}: ${name}`,
    address: `${type}.it`,
    attributes,
    act: ({ http }) => by(http, at(type)),
  });
  return [
    ...Object.entries(byHand).map(([name, by]) => act(name, [name], by)),
    ...(typeof deleteByHand === "function" ? [act("deleted", [], deleteByHand)] : []),
  ];
});

/** What the service holds of all that is declared, without what it numbers and dates on its own. */
async function live({ http }: World): Promise<unknown> {
  const all = await Promise.all(
    Object.entries(SAMPLES).flatMap(([type, { leaves }]) =>
      Object.keys(leaves).map((path) => http("GET", `${at(type)}/${path}`, undefined, TOKEN.administrator)),
    ),
  );
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

/** Each object is changed once: a second change of one may undo the first. */
const once = fc.uniqueArray(fc.constantFrom(...BY_HAND), {
  minLength: 1,
  selector: ({ address }) => address,
});

describe("drift and its repair", () => {
  test("name exactly what was changed by hand, and bring back exactly what was declared", async () => {
    await fc.assert(
      fc.asyncProperty(once, async (done) => {
        const world = await startWorld(withOwnPlaces());
        const stack = new Stack(world, declarationsIn(world, SAMPLED));
        try {
          expect((await stack.apply()).diagnostics).toEqual([]);
          const declared = await live(world);
          for (const { act } of done) await act(world);
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
      await world.http("PATCH", `${WEB}/job_token_scope`, { enabled: false });
      await world.http("PUT", `${WEB}/protected_environments/production`, {
        deploy_access_levels: [{ access_level: 30 }],
      });
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

function expectedOf(done: readonly Act[]): [string, string[]][] {
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
