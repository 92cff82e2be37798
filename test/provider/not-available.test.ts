import type { StoredState } from "../../src/framework/protocol/protocol";
import { createProvider } from "../../src/provider";
import type { ValueObject } from "../../src/schema";
import { describeEvery, isSent, SAMPLES } from "./samples";
import { Host } from "./support/host";
import { PROJECT, startWorld, TOKEN, type World } from "./support/world";

// If a feature is disabled, all its paths return 404, although the project is readable. Steward must not take the
// project's objects for deleted.

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.service.faults.clear());
afterAll(() => world.close());

const { resources } = createProvider().schema;
const kindOf = (type: string) => ("group" in resources[type]!.attributes ? "group" : "project");

const switchOff = (type: string): void => {
  for (const route of SAMPLES[type]!.feature.routes) {
    world.service.faults.add({ route: `/${kindOf(type)}s/:id/${route}`, status: 404, always: true });
  }
};

describeEvery((type, sample) => {
  let state: StoredState;
  beforeAll(async () => {
    state = await new Host(world, type).bring(undefined, sample.config);
  });
  // The resource of the next suite may own the same entries.
  afterAll(async () => {
    world.service.faults.clear();
    await new Host(world, type).destroy(state);
  });

  test.each([
    ["a maintainer's", TOKEN.maintainer],
    ["an administrator's", TOKEN.administrator],
  ])(
    "if the feature is off, a read with %s token keeps the object, and the error names the feature",
    async (_who, token) => {
      switchOff(type);
      const answer = await new Host(world, type, token).read(state);
      expect(answer.state).toEqual(state);
      expect(answer.diagnostics).toMatchObject([
        { severity: "error", code: "not_available", summary: `Not available in this ${kindOf(type)}` },
      ]);
      const { detail, action } = answer.diagnostics[0]!;
      expect(detail).toContain(sample.feature.name);
      expect(detail).toContain(`The feature is off in this ${kindOf(type)}`);
      expect(action).toEqual({ kind: "forget", type });
    },
  );

  if (isSent(sample.writes.destroy)) {
    test("if the feature is off, a destroy that would send a request fails and keeps the object in the state", async () => {
      switchOff(type);
      const { state: left, diagnostics } = await new Host(world, type).destroy(state);
      expect(left).toEqual(state);
      expect(diagnostics.map(({ code }) => code)).toEqual(["not_available"]);
    });
  } else {
    test("if the feature is off, a destroy that sends no request removes the object from the state", async () => {
      switchOff(type);
      expect(await new Host(world, type).destroy(state)).toEqual({ diagnostics: [] });
    });
  }
});

describe("protected environments that were deleted from the service", () => {
  const type = "steward_protected_environment";
  const host = () => new Host(world, type);
  const declared = (name: string): ValueObject => ({
    project: String(PROJECT.tools),
    name,
    deploy_access_levels: [{ access_level: 40 }],
  });
  const requested = () => world.service.requests.all.map(({ url }) => url.replace(/\?.*/, ""));
  const at = `/api/v4/projects/${PROJECT.tools}`;
  let states: StoredState[];
  beforeEach(async () => {
    const names = ["one", "two", "three"];
    states = await Promise.all(names.map((name) => host().bring(undefined, declared(name))));
    for (const name of names) {
      await world.http("DELETE", `/projects/${PROJECT.tools}/protected_environments/${name}`);
    }
    world.service.requests.reset();
  });

  test("if the list of protected environments is readable, reads drop the missing environments from the state", async () => {
    const run = world.connect();
    expect(await Promise.all(states.map((state) => host().read(state, run)))).toEqual(
      states.map(() => ({ diagnostics: [] })),
    );
    expect(requested().filter((url) => url === `${at}/protected_environments`)).toHaveLength(1);
    // The requests: one for the list, one for the project, and one for each environment that the list does not contain.
    // Only the requests for single environments prove that an environment is gone.
    expect(requested()).toHaveLength(3 + 1 + 1);
  });

  test("if the list of protected environments returns 404, all environments stay in the state", async () => {
    world.service.faults.add({
      route: "/projects/:id/protected_environments",
      status: 404,
      always: true,
    });
    const run = world.connect();
    const answers = [];
    for (const state of states) answers.push(await host().read(state, run));
    expect(answers).toMatchObject(
      states.map((state) => ({ state, diagnostics: [{ code: "not_available" }] })),
    );
    // The requests: one for the first environment, one for the list, and one for the project.
    expect(requested()).toHaveLength(1 + 1 + 1);
  });

  test("if the list of protected environments returns 403, a missing environment stays in the state", async () => {
    world.service.faults.add({ route: "/projects/:id/protected_environments", status: 403, always: true });
    expect(await host().read(states[0]!)).toMatchObject({
      state: states[0]!,
      diagnostics: [{ severity: "error", code: "forbidden" }],
    });
  });
});

test("if a project is archived and its feature is off, a read warns that the project is archived", async () => {
  const type = "steward_job_token_scope";
  const state = await new Host(world, type).bring(undefined, {
    project: String(PROJECT.runner),
    inbound_enabled: true,
  });
  await world.http("PUT", `/projects/${PROJECT.runner}`, { archived: true });
  switchOff(type);
  expect(await new Host(world, type).read(state)).toMatchObject({
    state,
    diagnostics: [{ severity: "warning", code: "archived_project" }],
  });
});
