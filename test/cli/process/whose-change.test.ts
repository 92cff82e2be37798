import { CONFIGURATION, usePlace } from "../support/place";

const HERE = ["--config", "."];

const place = usePlace("each");
beforeEach(async () => {
  await place.run(["apply", "--auto-approve", ...HERE]);
});

const events = (out: string, type: string) =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter((event) => event.type === type);

describe("a value that was changed outside", () => {
  const report = (name: string) => JSON.parse(place.read(name)).stacks[0].objects;

  test("is marked on its attribute, in the plan, its events and its reports", async () => {
    await place.byHand("PATCH", "/projects/acme%2Fshop/job_token_scope", { enabled: false });
    const { out } = await place.run([
      "plan",
      ...HERE,
      "--out",
      "saved.plan",
      "--report",
      "plan.json",
      "--report",
      "plan.md",
    ]);
    const line = "~ inbound_enabled = false -> true # changed outside: applied true, live false\n";
    expect(out).toContain(line);
    expect((await place.run(["show", "saved.plan"])).out).toContain(line);
    expect(place.read("plan.md")).toContain(line.replace("~", "!"));
    const limit = report("plan.json").find((one: { address: string }) => one.address.endsWith(".limit"));
    expect(limit.attributes).toEqual([
      expect.objectContaining({ name: "inbound_enabled", changed_outside: { applied: true, live: false } }),
    ]);
    const [planned] = events((await place.run(["plan", ...HERE, "--json"])).out, "planned_change");
    expect(planned.change.changed_outside).toEqual([
      { name: "inbound_enabled", sensitive: false, applied: true, live: false },
    ]);
  });

  test("is marked on the elements of a set: which were added, and which were removed", async () => {
    const allowlist = "/projects/acme%2Fshop/job_token_scope/allowlist";
    await place.byHand("POST", allowlist, { target_project_id: 3 });
    await place.byHand("DELETE", `${allowlist}/2`);
    const environment = "/projects/acme%2Fshop/protected_environments/production";
    await place.byHand("PUT", environment, { deploy_access_levels: [{ user_id: 2 }] });
    const { out } = await place.run(["plan", ...HERE, "--report", "plan.md"]);
    expect(out).toContain(
      [
        "      ~ target_projects = [ # changed outside",
        '          - "acme/docs", # added outside',
        '          + "acme/tools", # removed outside',
        "        ]",
      ].join("\n"),
    );
    expect(out).toContain("          - { # added outside\n");
    expect(place.read("plan.md")).toContain('-     "acme/docs", # added outside\n');
  });

  test("is not marked where the configuration alone changed", async () => {
    const limit = { ...CONFIGURATION.resource.steward_job_token_scope.limit, inbound_enabled: false };
    place.write("main.tf.json", {
      ...CONFIGURATION,
      resource: { ...CONFIGURATION.resource, steward_job_token_scope: { limit } },
    });
    const { out } = await place.run(["plan", ...HERE]);
    expect(out).toContain("~ inbound_enabled = true -> false\n");
  });
});

test("an object that was deleted outside is marked where the plan creates it again", async () => {
  await place.byHand("DELETE", "/projects/acme%2Fshop/protected_environments/production");
  const reports = ["plan.json", "plan.md", "plan.html"].flatMap((file) => ["--report", file]);
  const { out } = await place.run(["plan", ...HERE, ...reports]);
  expect(out).toContain("  # (was deleted outside since the last apply)\n");
  const sentence = "1 object was deleted outside of Steward since the last apply: applying creates it again.";
  expect(out).toContain(`\n${sentence}\n`);
  for (const file of ["plan.md", "plan.html"]) expect(place.read(file)).toContain(sentence);
  expect(place.read("plan.md")).toContain(
    "- ➕ create, deleted outside `steward_protected_environment.production`",
  );
  const objects = JSON.parse(place.read("plan.json")).stacks[0].objects as { deleted_outside?: true }[];
  expect(objects.filter((one) => one.deleted_outside)).toHaveLength(1);
  const [planned] = events((await place.run(["plan", ...HERE, "--json"])).out, "planned_change");
  expect(planned.change.deleted_outside).toBe(true);
});

test("the destroy of a setting says that the setting stays, and the destroy of an object does not", async () => {
  const { out } = await place.run(["plan", "--destroy", ...HERE, "--report", "plan.json"]);
  expect(out.match(/# \(the setting stays on the service as it is\)/g)).toHaveLength(1);
  expect(out).toMatch(
    /steward_job_token_scope\.limit will be destroyed\n(?: {2}#.*\n)*? {2}# \(the setting stays/,
  );
  const objects = JSON.parse(place.read("plan.json")).stacks[0].objects as {
    type: string;
    stays_on_service?: true;
  }[];
  expect(objects.filter((one) => one.stays_on_service).map(({ type }) => type)).toEqual([
    "steward_job_token_scope",
  ]);
});

test("the report of an apply has the values that were known only after it", async () => {
  await place.run(["destroy", "--auto-approve", ...HERE]);
  await place.run(["apply", "--auto-approve", ...HERE, "--report", "apply.json", "--report", "apply.md"]);
  expect(place.read("apply.md")).not.toContain("known after apply");
  const objects = JSON.parse(place.read("apply.json")).stacks[0].objects as { id?: string; diff: string }[];
  expect(objects.map(({ id }) => id)).toEqual(["1", "1", "1:production"]);
  expect(objects[2]!.diff).toContain('+ id                      = "1:production"');
});
