import { usePlace } from "../support/place";

const place = usePlace("all");
beforeAll(async () => {
  await place.run(["apply", "--auto-approve", "--config", "."]);
});

const drift = (...options: string[]) => place.run(["drift", "--config", ".", ...options]);
const SCOPE = "/projects/acme%2Fshop/job_token_scope";
const STAGING = { name: "staging", deploy_access_levels: [{ access_level: 40 }] };

/** Tests build on each other: each continues after the drift run of the previous one. */
describe("scheduled drift runs", () => {
  test("do not look for undeclared objects without --coverage", async () => {
    await place.byHand("POST", "/projects/acme%2Fshop/protected_environments", STAGING);
    expect((await drift()).code).toBe(0);
  });

  test("report undeclared objects with their ids with --coverage, and exit with 2", async () => {
    const { code, out } = await drift("--coverage", "--report", "first.json", "--report", "first.xml");
    expect(code).toBe(2);
    expect(out).toContain("  # steward_protected_environment 1:staging is on the service but not declared\n");
    expect(out).toContain("Unmanaged: 1 (1 project or group searched).\n");
    expect(JSON.parse(place.read("first.json"))).toMatchObject({
      command: "drift",
      result: "found",
      coverage: ["project 1"],
    });
    expect(place.read("first.xml")).toContain('failures="1"');
  });

  test("end with a total as the last event with --json", async () => {
    const { code, out } = await drift("--coverage", "--json");
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(2);
    expect(events.at(-1)).toMatchObject({
      type: "drift_summary",
      drift: { checked: 3, changed: 0, vanished: 0, unmanaged: 1 },
    });
    expect(events.find(({ type }) => type === "resource_unmanaged")).toMatchObject({
      resource: { resource_type: "steward_protected_environment", id_key: "id", id_value: "1:staging" },
    });
    place.write("first-events.json", out);
  });

  test.each(["first.json", "first-events.json"])(
    "with --since %s it is known, and the exit is 0",
    async (file) => {
      const { code, out } = await drift("--coverage", "--since", file);
      expect(out).toContain("Unmanaged: 1 difference known from the earlier run, no new ones. ");
      expect(code).toBe(0);
    },
  );

  test("with only known drift say so instead of reporting no drift", async () => {
    await place.byHand("PATCH", SCOPE, { enabled: false });
    expect((await drift("--report", "known.json")).code).toBe(2);
    const reports = ["--report", "again.md", "--report", "again.json"];
    const { code, out } = await drift("--since", "known.json", ...reports);
    expect({ code, out: out.trim() }).toEqual({
      code: 0,
      out: "1 difference known from the earlier run, no new ones. 3 objects checked.",
    });
    expect(place.read("again.md")).toContain(
      "## Steward drift: 1 difference known from the earlier run, no new ones, 3 objects checked",
    );
    const { objects } = JSON.parse(place.read("again.json")).stacks[0];
    expect(objects.filter((one: { known?: true }) => one.known)).toMatchObject([
      { address: "steward_job_token_scope.limit", status: "in_sync" },
    ]);
    await place.byHand("PATCH", SCOPE, { enabled: true });
  });

  test("with --target or --exclude name the addresses in the report: other objects were not checked", async () => {
    await drift("--target", "steward_job_token_scope.limit", "--report", "part.json");
    expect(JSON.parse(place.read("part.json"))).toMatchObject({
      result: "clean",
      limited_to: { targets: ["steward_job_token_scope.limit"] },
    });
    await drift("--exclude", "steward_protected_environment.production", "--report", "part.json");
    expect(JSON.parse(place.read("part.json"))).toMatchObject({
      result: "clean",
      limited_to: { excludes: ["steward_protected_environment.production"] },
    });
  });

  test("name in the report what the declaration of a drifted object refers to, for the graph of its page", async () => {
    const allowlist = "/projects/1/job_token_scope/allowlist";
    expect(await place.byHand("POST", allowlist, { target_project_id: 3 })).toBe(201);
    await drift("--report", "graph.json", "--report", "graph.html");
    const { objects } = JSON.parse(place.read("graph.json")).stacks[0];
    expect(objects.filter((one: { depends_on?: string[] }) => one.depends_on)).toMatchObject([
      { address: "steward_job_token_allowlist.callers", depends_on: ["steward_job_token_scope.limit"] },
    ]);
    expect(place.read("graph.html")).toContain('id="dependencies"');
    expect(await place.byHand("DELETE", `${allowlist}/3`)).toBe(204);
  });

  test("report only new drift with --since", async () => {
    await place.byHand("PATCH", SCOPE, { enabled: false });
    const { code, out } = await drift("--coverage", "--since", "first.json", "--report", "second.json");
    expect(code).toBe(2);
    expect(out).toContain("steward_job_token_scope.limit differs on the service");
    expect(out).not.toContain("1:staging is on the service");
  });

  test("pass on known drift to the next run in reports and events", async () => {
    place.write("second-events.json", (await drift("--coverage", "--since", "first.json", "--json")).out);
    for (const earlier of ["second.json", "second-events.json"])
      expect((await drift("--coverage", "--since", earlier)).code).toBe(0);
  });

  test("show ignored differences with their reasons", async () => {
    place.write(
      "ignore.yaml",
      "- {object: steward_job_token_scope.limit, attribute: inbound_enabled, reason: a migration}\n- {object: 'steward_protected_environment *', kind: unmanaged, reason: theirs}\n",
    );
    const { code, out } = await drift("--coverage", "--ignore", "ignore.yaml");
    expect(code).toBe(0);
    expect(out).toContain("1 difference ignored, no others. 3 objects checked.");
    expect(out).not.toContain("No drift");
    expect(out).toContain("Ignored:\n  steward_job_token_scope.limit: inbound_enabled: a migration\n");
    expect(out).toContain("Ignored:\n  steward_protected_environment 1:staging: theirs\n");
  });

  test("warn about ignore entries that match nothing", async () => {
    place.write("typo.yaml", "- {object: steward_job_token_scope.limits, reason: a migration}\n");
    const { err } = await drift("--ignore", "typo.yaml");
    expect(err).toContain("Warning: Ignore entry matches nothing");
    expect(err).toContain("steward_job_token_scope.limits");
  });

  test.each([
    [["--ignore", "nowhere.yaml"], "Ignore file can't be used"],
    [["--since", "nowhere.json"], "Earlier run can't be used"],
    [["--since", "terraform.tfstate"], "Earlier run can't be used"],
    [["--coverage", "--target", "steward_job_token_scope.limit"], "Conflicting options"],
    [["--coverage", "--exclude", "steward_job_token_scope.limit"], "Conflicting options"],
    [
      ["--target", "steward_job_token_scope.limit", "--exclude", "steward_job_token_scope.x"],
      "Conflicting options",
    ],
  ])("refuse %j before any request", async (options, summary) => {
    const { code, err, out } = await drift(...options);
    expect({ code, out, matches: err.includes(summary) }).toEqual({ code: 1, out: "", matches: true });
  });

  test("write neither the state nor the service", async () => {
    const state = place.read("terraform.tfstate");
    place.service.requests.reset();
    expect((await drift("--coverage")).code).toBe(2);
    expect(place.read("terraform.tfstate")).toBe(state);
    expect([...new Set(place.service.requests.all.map(({ method }) => method))]).toEqual(["GET"]);
  });
});
