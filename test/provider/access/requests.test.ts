import { startService } from "cdktf-provider-steward/testing";
import { createProvider } from "../../../src/provider";
import type { ValueObject } from "../../../src/schema";
import { providerConfig, type World } from "../support/world";
import { company, TOKEN } from "./company";
import { byPlace, type Change, describeChanges } from "./support";

/** A world whose service records requests. */
async function openWorld(fixture = company()) {
  const service = await startService({ fixture, recordRequests: true });
  const provider = createProvider();
  const open: { close(): Promise<void> }[] = [];
  const connect: World["connect"] = (token = TOKEN.root) => {
    const configured = provider.configure(providerConfig(provider, { base_url: service.url, token }), {})
      .provider!;
    open.push(configured);
    return configured;
  };
  const close = async () => {
    await Promise.all(open.map((one) => one.close()));
    await service.close();
  };
  return { service, provider, connect, close } as unknown as World;
}

const environment = (project: string, name: string, ...levels: ValueObject[]): Change => ({
  type: "protected_environment",
  given: { project, name, deploy_access_levels: levels },
});

test("members of a project and of a group are read once, however many environments name them", async () => {
  const world = await openWorld();
  try {
    const changes = ["staging", "review", "demo"].flatMap((name) =>
      ["acme/shop", "acme/docs"].map((project) => ({
        ...environment(
          project,
          name,
          { access_level: 40 },
          { group: "secret/release", group_inheritance_type: 1 },
        ),
      })),
    );
    const { connect } = world;
    const asked: string[] = [];
    const counting = {
      ...world,
      connect: (token?: string) => {
        const run = connect(token);
        const describe = run.describeAccess!;
        return {
          ...run,
          describeAccess: (...given: Parameters<typeof describe>) => {
            world.service.requests.reset();
            return describe(...given);
          },
        };
      },
    };
    const report = await describeChanges(counting, changes);
    asked.push(...world.service.requests.all.map(({ method, route }) => `${method} ${route}`));
    expect(report.places).toHaveLength(6);
    const counts = Object.fromEntries(
      [...new Set(asked)].sort().map((one) => [one, asked.filter((each) => each === one).length]),
    );
    expect(counts).toEqual({
      // The group and the group above it: their records, and their direct members.
      "GET /groups/:id": 2,
      "GET /groups/:id/members": 2,
      // Two projects: their members, and their protected environments. The plan looked their paths up.
      "GET /projects/:id/members/all": 2,
      "GET /projects/:id/protected_environments": 2,
    });
  } finally {
    await world.close();
  }
});

describe("a project with more than 20 pages of members", () => {
  const CROWD = 2_001;
  const fixture = () => {
    const one = company();
    const crowd = Array.from({ length: CROWD }, (_, at) => `crowd-${at}`);
    one.users!.push(...crowd.map((username) => ({ username })));
    one.projects![0]!.members = crowd.map((user) => ({ user, role: "guest" as const }));
    return one;
  };
  let world: World;
  beforeAll(async () => {
    world = await openWorld(fixture());
  });
  afterAll(() => world.close());

  test("the people whom entries name are looked up singly", async () => {
    const levels = [{ access_level: 30 }, { user: "crowd-7" }, { group: "secret/release" }];
    const report = await describeChanges(world, [environment("acme/shop", "staging", ...levels)]);
    expect(byPlace(report)).toEqual({
      "acme/shop staging": ["deploy +crowd-7 +lena (through group secret/release)", "protection off -> on"],
    });
    // The first page told that there are too many.
    expect(world.service.requests.count("GET", "/projects/:id/members/all")).toBe(1);
    expect(world.service.requests.count("GET", "/projects/:id/members/all/:user_id")).toBe(2);
  });

  test("a change of the lowest level is not counted by person", async () => {
    const report = await describeChanges(world, [environment("acme/shop", "staging", { access_level: 40 })]);
    expect(byPlace(report)).toEqual({
      "acme/shop staging": [
        "protection off -> on",
        "not counted: members by level: the project has more than 2,000 members",
      ],
    });
  });
});
