import { usePlace } from "../support/place";

// An object that can't be read is an error of that object and never reported as unchanged.

const SHOP = "acme%2Fshop";
const settings = (enabled: boolean, level = 40) => ({
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  provider: { steward: [{}] },
  resource: {
    steward_job_token_scope: {
      shop: { project: "acme/shop", inbound_enabled: true },
      docs: { project: "acme/docs", inbound_enabled: enabled },
    },
    steward_protected_environment: {
      production: {
        project: "acme/shop",
        name: "production",
        deploy_access_levels: [{ access_level: level }],
      },
      staging: {
        project: "acme/shop",
        // Objects that depend on an unreadable object are counted too.
        name: "staging-${steward_protected_environment.production.name}",
        deploy_access_levels: [{ access_level: 40 }],
      },
    },
  },
});

const place = usePlace("each");
beforeEach(async () => {
  place.write("main.tf.json", settings(true));
  expect((await run("apply", "--auto-approve")).code).toBe(0);
});

const run = (...args: string[]) => place.run([...args, "--config", "."]);
const state = () => JSON.parse(place.read("terraform.tfstate")) as { readonly resources: readonly object[] };
const enabledInDocs = async (): Promise<unknown> => {
  const response = await fetch(`${place.service.url}/api/v4/projects/acme%2Fdocs/job_token_scope`, {
    headers: { "private-token": place.env["STEWARD_TOKEN"]! },
  });
  return ((await response.json()) as { readonly inbound_enabled: unknown }).inbound_enabled;
};

const ENVIRONMENTS = "/projects/:id/protected_environments";
const featureIsOff = (): void => {
  for (const route of [ENVIRONMENTS, `${ENVIRONMENTS}/:name`]) {
    place.service.faults.add({ route, status: 404, always: true });
  }
};
const COUNT = "2 objects could not be checked";

describe("with a disabled feature", () => {
  beforeEach(featureIsOff);

  test.each([
    ["plan", []],
    ["plan", ["--refresh-only"]],
    ["plan", ["--destroy"]],
    ["apply", ["--auto-approve"]],
    ["drift", []],
  ])(
    "%s %j counts unchecked objects, exits with 1, and does not report them as unchanged",
    async (command, options) => {
      const before = state();
      const { code, out, err } = await run(command, ...options);
      expect(code).toBe(1);
      expect(out).toContain(COUNT);
      expect(out).not.toMatch(/No changes|No drift|matches|all as in the state|is gone/);
      expect(err).toContain("Not available in this project");
      expect(err).toContain("steward state rm steward_protected_environment.production");
      expect(state().resources).toEqual(before.resources);
    },
  );

  test("apply changes everything else, reports unchecked objects, and keeps their state", async () => {
    const before = state();
    place.write("main.tf.json", settings(false));
    const { code, out } = await run("apply", "--auto-approve");
    expect(code).toBe(1);
    expect(out).toContain("Plan: 0 to add, 1 to change, 0 to destroy. 2 objects could not be checked.");
    expect(out).toContain("Apply incomplete, see the errors. Resources: 0 added, 1 changed, 0 destroyed.");
    expect(await enabledInDocs()).toBe(false);
    const ofType = (resources: readonly object[]) =>
      resources.filter((one) => (one as { type: string }).type === "steward_protected_environment");
    expect(ofType(state().resources)).toEqual(ofType(before.resources));
    expect(ofType(before.resources)).toHaveLength(2);
  });

  test("a saved plan of the other objects can be applied", async () => {
    place.write("main.tf.json", settings(false, 60));
    expect((await run("plan", "--out", "saved.plan")).code).toBe(1);
    const { code, out, err } = await place.run(["apply", "saved.plan"]);
    expect(code).toBe(1);
    expect(out).toContain(
      "Apply incomplete, see the errors. Resources: 0 added, 1 changed, 0 destroyed. " + COUNT,
    );
    expect(err).toContain("Not available in this project");
    expect(await enabledInDocs()).toBe(false);
  });

  test("--json and reports name unchecked objects", async () => {
    const { out } = await run("plan", "--json", "--report", "plan.json", "--report", "plan.md");
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.filter(({ type }) => type === "resource_unchecked")).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ type: "change_summary", changes: { unchecked: 2 } });
    const report = JSON.parse(place.read("plan.json"));
    expect(report).toMatchObject({ result: "failed", stacks: [{ unchecked: 2 }] });
    expect(
      report.stacks[0].objects.filter((one: { unchecked?: boolean }) => one.unchecked === true),
    ).toMatchObject([{ status: "failed" }, { status: "failed" }]);
    expect(place.read("plan.md")).toContain(COUNT);
    expect(place.read("plan.md")).not.toContain("no changes");
  });

  test("an ignore entry accepts unreadable objects", async () => {
    place.write(
      "ignore.yaml",
      "- {object: steward_protected_environment.*, kind: unchecked, reason: off until the move is over}\n",
    );
    const { code, out, err } = await run("drift", "--ignore", "ignore.yaml", "--report", "drift.json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(
      "Ignored:\n  steward_protected_environment.production: off until the move is over\n",
    );
    expect(out).not.toContain("could not be checked");
    expect(JSON.parse(place.read("drift.json"))).toMatchObject({
      result: "clean",
      stacks: [{ unchecked: 0, ignored: [{}, {}] }],
    });
    // Accepted objects do not prevent the repair of others.
    await place.byHand("PATCH", "/projects/acme%2Fdocs/job_token_scope", { enabled: false });
    const repair = await run("drift", "--repair", "--auto-approve", "--ignore", "ignore.yaml");
    expect({ code: repair.code, err: repair.err.includes("Not available") }).toEqual({ code: 0, err: false });
    expect(await enabledInDocs()).toBe(true);
  });
});

test("an ignore entry does not accept an outage", async () => {
  place.write("ignore.yaml", "- {object: '*', reason: everything}\n");
  place.service.faults.add({ route: "/projects/:id/job_token_scope", status: 500, always: true });
  const { code, out } = await run("drift", "--ignore", "ignore.yaml");
  expect(code).toBe(1);
  expect(out).toContain(COUNT);
});

test("a project that the token can no longer read is an error, not an empty plan", async () => {
  for (const route of [
    "/projects/:id",
    ENVIRONMENTS,
    `${ENVIRONMENTS}/:name`,
    "/projects/:id/job_token_scope",
  ]) {
    place.service.faults.add({ route, status: 404, always: true });
  }
  const before = place.read("terraform.tfstate");
  const { code, out, err } = await run("plan");
  expect(code).toBe(1);
  expect(out).toContain("Plan: 0 to add, 0 to change, 0 to destroy. 4 objects could not be checked.");
  expect(out).not.toContain("No changes");
  expect(err).toContain("No longer visible, kept in the state");
  expect(place.read("terraform.tfstate")).toBe(before);
});

test("objects of an archived project are a notice, and the exit code is 0", async () => {
  await place.byHand("PUT", `/projects/${SHOP}`, { archived: true });
  featureIsOff();
  const { code, out } = await run("drift");
  expect(code).toBe(0);
  expect(out).not.toContain("could not be checked");
});

test("a 404 for an administrator means that the project is deleted: apply removes its objects from the state", async () => {
  const administrator = { STEWARD_TOKEN: place.service.adminToken };
  const asAdministrator = (...args: string[]) => place.run([...args, "--config", "."], administrator);
  await fetch(`${place.service.url}/api/v4/projects/acme%2Fdocs`, {
    method: "DELETE",
    headers: { "private-token": place.service.adminToken },
  });
  const planned = await asAdministrator("plan");
  expect(planned.err).toContain("The whole project is gone");
  expect(planned.out).not.toContain("could not be checked");
  // Remaining declarations are errors of their own and do not keep objects in the state.
  expect(planned.err).toContain("No such project");
  expect((await asAdministrator("apply", "--auto-approve")).code).toBe(1);
  expect((await run("state", "list")).out).not.toContain("steward_job_token_scope.docs");
  expect((await run("state", "list")).out).toContain("steward_job_token_scope.shop");
});
