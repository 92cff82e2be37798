import { TOKENS, usePlace } from "../support/place";

const FIXTURE = {
  users: [
    { username: "maya", token: TOKENS.maintainer, admin: true },
    { username: "devon", token: TOKENS.developer },
  ],
  groups: [{ path: "acme", members: [{ user: "devon", role: "developer" as const }] }],
  projects: [
    {
      path: "acme/shop",
      job_token_scope: { inbound_enabled: false, projects: ["acme/legacy", "acme/tools"] },
    },
    { path: "acme/tools" },
    { path: "acme/legacy" },
  ],
};
const SETTINGS = {
  steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } },
  steward_job_token_allowlist: { callers: { project: "acme/shop", target_projects: ["acme/tools"] } },
  steward_pages_settings: { site: { project: "acme/shop", force_https: false } },
};
const ENVIRONMENT = {
  steward_protected_environment: {
    production: { project: "acme/shop", name: "production", deploy_access_levels: [{ access_level: 40 }] },
  },
};

const place = usePlace("each", FIXTURE);

const declare = (resource: object, more: object = {}) =>
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource,
    ...more,
  });
const HERE = ["--config", "."];
const routesOf = (work: Promise<unknown>) => {
  place.service.requests.reset();
  return work.then(() => place.service.requests.all.map(({ method, route }) => `${method} ${route}`).sort());
};

describe("a create of a setting that exists anyway", () => {
  test("shows the live value that each declared attribute replaces", async () => {
    declare(SETTINGS);
    const { code, out } = await place.run(["plan", ...HERE]);
    expect(code).toBe(0);
    expect(out).toContain("+ inbound_enabled  = true # live: false\n");
    expect(out).toContain('+ target_projects = [ # live: ["acme/tools", "acme/legacy"]\n');
    expect(out).toContain("+ force_https           = false # live: true\n");
    // What is not declared replaces nothing.
    expect(out).toContain("+ unique_domain_enabled = (known after apply)\n");
    expect(out).toContain("+ unpublish_on_destroy  = false\n");
  });

  test("has the live values as data in events and JSON reports, and as text in all other reports", async () => {
    declare(SETTINGS);
    const files = ["plan.json", "plan.md", "plan.xml"];
    const { out } = await place.run([
      "plan",
      ...HERE,
      "--json",
      ...files.flatMap((file) => ["--report", file]),
    ]);
    const events = out.split("\n").filter((line) => line.includes('"planned_change"'));
    expect(events.map((line) => JSON.parse(line).change.live)).toEqual([
      { target_projects: ["acme/tools", "acme/legacy"] },
      { inbound_enabled: false },
      { force_https: true },
    ]);
    const [allowlist, limit] = JSON.parse(place.read("plan.json")).stacks[0].objects;
    expect(limit.attributes).toContainEqual({
      name: "inbound_enabled",
      sensitive: false,
      after: true,
      live: false,
    });
    expect(allowlist.attributes).toContainEqual(
      expect.objectContaining({ name: "target_projects", live: ["acme/tools", "acme/legacy"] }),
    );
    for (const file of files) expect(place.read(file)).toContain("inbound_enabled  = true # live: false");
  });

  test("shows the same from a saved plan, which holds nothing of it in Terraform's JSON", async () => {
    declare(SETTINGS);
    await place.run(["plan", ...HERE, "--out", "plan.steward"]);
    const shown = await place.run(["show", "plan.steward"]);
    expect(shown.out).toContain("+ inbound_enabled  = true # live: false\n");
    const json = await place.run(["show", "--json", "plan.steward"]);
    expect(json.out).not.toContain('"live"');
    expect(json.out).not.toContain('"replaced"');
    const reads = await routesOf(place.run(["apply", "plan.steward", "--report", "apply.json"]));
    expect(reads.filter((route) => route === "GET /projects/:id/job_token_scope")).toHaveLength(1);
    const objects = JSON.parse(place.read("apply.json")).stacks[0].objects;
    expect(objects[1]).toMatchObject({ status: "done" });
    expect(objects[1].attributes).toContainEqual(
      expect.objectContaining({ name: "inbound_enabled", after: true, live: false }),
    );
  });

  test("costs one request for each setting, and none with --refresh=false or for other objects", async () => {
    declare({ ...SETTINGS, ...ENVIRONMENT });
    const allowlist = "GET /projects/:id/job_token_scope/allowlist";
    expect(await routesOf(place.run(["plan", ...HERE, "--refresh=false"]))).toEqual([
      "GET /projects/:id",
      "GET /projects/:id",
      allowlist,
    ]);
    expect(await routesOf(place.run(["plan", ...HERE]))).toEqual([
      "GET /projects/:id",
      "GET /projects/:id",
      "GET /projects/:id/job_token_scope",
      allowlist,
      "GET /projects/:id/job_token_scope/groups_allowlist",
      "GET /projects/:id/pages",
    ]);
  });

  test("says why the live values are not known, and the plan goes on", async () => {
    const { steward_job_token_allowlist: _, ...settings } = SETTINGS;
    declare({ ...settings, ...ENVIRONMENT });
    const reports = ["plan.json", "plan.md", "plan.xml"];
    const { code, out, err } = await place.run(
      ["plan", ...HERE, "--detailed-exitcode", ...reports.flatMap((file) => ["--report", file])],
      { STEWARD_TOKEN: TOKENS.developer },
    );
    expect([code, err]).toEqual([2, ""]);
    const why = "live values not known: the token's user may not do this (403)";
    expect(out).toContain(`  # (project acme/shop)\n  # (${why})\n`);
    expect(out.split(why)).toHaveLength(3);
    const [limit] = JSON.parse(place.read("plan.json")).stacks[0].objects;
    expect(limit).toMatchObject({ live_not_known: "the token's user may not do this (403)" });
    expect(place.read("plan.md")).toContain(
      "live values not known: `the token's user may not do this (403)`",
    );
    expect(place.read("plan.xml")).toContain(why);
  });

  test("reads nothing while its project is known only after apply", async () => {
    declare({
      terraform_data: { made: {} },
      steward_job_token_scope: {
        limit: { project: "${terraform_data.made.id}", inbound_enabled: true },
      },
    });
    const plan = place.run(["plan", ...HERE]);
    expect(await routesOf(plan)).toEqual([]);
    expect((await plan).out).not.toContain("live");
  });

  test("hides the live value of a sensitive attribute everywhere", async () => {
    declare(
      {
        steward_pages_settings: {
          site: { project: "acme/shop", primary_domain: "${var.domain}", force_https: false },
        },
      },
      { variable: { domain: { type: "string", sensitive: true, default: "" } } },
    );
    const { out } = await place.run([
      "plan",
      ...HERE,
      "--json",
      "--report",
      "plan.json",
      "--out",
      "plan.steward",
    ]);
    expect(out).toContain('"live":{"force_https":true}');
    const [site] = JSON.parse(place.read("plan.json")).stacks[0].objects;
    expect(site.attributes).toContainEqual({ name: "primary_domain", sensitive: true });
    expect(place.read("plan.steward")).toContain('"replaced":{"live":{"force_https":true}}');
  });
});
