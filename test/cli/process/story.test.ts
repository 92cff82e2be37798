import { usePlace } from "../support/place";

const place = usePlace("all");

const HERE = ["--config", "."];

/** Tests build on each other: each continues with the stack of the previous one. */
describe("the lifecycle of a stack, from plan to destroy", () => {
  test("validate needs neither token nor service", async () => {
    const blind = { STEWARD_BASE_URL: "", STEWARD_TOKEN: "" };
    const { code, out, err } = await place.run(["validate", ...HERE], blind);
    expect({ code, out, err }).toEqual({ code: 0, out: "Success! The configuration is valid.\n", err: "" });
  });

  test("plan shows what would be created, and changes nothing", async () => {
    const { code, out } = await place.run(["plan", "--detailed-exitcode", ...HERE]);
    expect(code).toBe(2);
    expect(out).toContain(
      "  # steward_job_token_scope.limit will be created\n  # (project acme/shop)\n  # (construct shop/limit)\n",
    );
    expect(out).toContain("      + inbound_enabled  = true # live: false\n");
    expect(out).toContain("  + environment = (known after apply)\n");
    expect(out.endsWith("\nPlan: 3 to add, 0 to change, 0 to destroy.\n")).toBe(true);
    expect(() => place.read("terraform.tfstate")).toThrow("ENOENT");
  });

  test("apply reports changes on stderr, and summary and outputs on stdout", async () => {
    const { code, out, err } = await place.run(["apply", "--auto-approve", ...HERE]);
    expect(code).toBe(0);
    expect(
      out.endsWith(
        '\nApply complete! Resources: 3 added, 0 changed, 0 destroyed.\n\nOutputs:\n\nenvironment = "1:production"\n',
      ),
    ).toBe(true);
    expect(err).toContain("steward_protected_environment.production: Creating...\n");
    expect(err).toMatch(
      /steward_protected_environment.production: Creation complete after \d+s \[id=1:production\]\n/,
    );
  });

  test("after an apply the plan is empty and there is no drift", async () => {
    const plan = await place.run(["plan", "--detailed-exitcode", ...HERE]);
    expect(plan).toEqual({
      code: 0,
      out: "\nNo changes. Your infrastructure matches the configuration.\n",
      err: "",
    });
    const drift = await place.run(["drift", ...HERE]);
    expect(drift).toEqual({ code: 0, out: "\nNo drift. 3 objects checked: all as in the state.\n", err: "" });
  });

  test("show and output only need the state file", async () => {
    const shown = await place.run(["show", "--json", "terraform.tfstate"]);
    expect(JSON.parse(shown.out)).toMatchObject({
      format_version: "1.0",
      values: { outputs: { environment: { value: "1:production", type: "string", sensitive: false } } },
    });
    const text = await place.run(["show", "terraform.tfstate"]);
    expect(text.out).toContain('resource "steward_job_token_scope" "limit" {\n    id               = "1"\n');
    const state = ["--state", "terraform.tfstate"];
    expect((await place.run(["output", "environment", "--raw", ...state])).out).toBe("1:production");
    expect((await place.run(["output", ...state, "environment", "--json"])).out).toBe('"1:production"\n');
    expect((await place.run(["output", ...state])).out).toBe('environment = "1:production"\n');
  });

  test("drift reports manual changes and writes nothing", async () => {
    expect(
      await place.byHand("POST", "/projects/1/job_token_scope/allowlist", { target_project_id: 3 }),
    ).toBe(201);
    expect(await place.byHand("PATCH", "/projects/1/job_token_scope", { enabled: false })).toBe(204);
    expect(await place.byHand("DELETE", "/projects/1/protected_environments/production")).toBe(204);
    const before = place.read("terraform.tfstate");
    const { code, out, err } = await place.run(["drift", ...HERE]);
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(out).toBe(`
  # steward_job_token_allowlist.callers differs on the service (applied -> live)
  # (project acme/shop)
      ~ target_projects = [
          + "acme/docs",
            # (1 unchanged element hidden)
        ]

  # steward_job_token_scope.limit differs on the service (applied -> live)
  # (project acme/shop)
  # (construct shop/limit)
      ~ inbound_enabled = true -> false

  # steward_protected_environment.production is gone from the service
  # (project acme/shop)
  # (construct shop/production)

Drift: 2 changed, 1 vanished (3 objects checked).
`);
    expect(place.read("terraform.tfstate")).toBe(before);
  });

  test("drift --json ends with the result", async () => {
    const { code, out } = await place.run(["drift", "--json", ...HERE]);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(code).toBe(2);
    expect(lines[0]).toMatchObject({ type: "version" });
    expect(lines.filter(({ type }) => type === "resource_drift")).toHaveLength(3);
    expect(lines.at(-1)).toMatchObject({
      type: "drift_summary",
      drift: { checked: 3, changed: 2, vanished: 1 },
    });
  });

  test("refresh-only shows manual changes, plan shows how to revert them, apply reverts them", async () => {
    const look = await place.run(["plan", "--refresh-only", ...HERE]);
    expect(look.out).toContain("Note: Objects have changed outside of Steward");
    expect(look.out).toContain("# steward_protected_environment.production has been deleted");
    const { out } = await place.run(["plan", ...HERE]);
    expect(out).toContain("# steward_protected_environment.production will be created");
    expect(out).toContain("Plan: 1 to add, 2 to change, 0 to destroy.");
    const applied = await place.run(["apply", "--auto-approve", ...HERE]);
    expect(applied.out).toContain("Apply complete! Resources: 1 added, 2 changed, 0 destroyed.");
    expect((await place.run(["plan", "--detailed-exitcode", ...HERE])).code).toBe(0);
  });

  test("apply --json reports events, the result last", async () => {
    await place.byHand("PATCH", "/projects/1/job_token_scope", { enabled: false });
    const { code, out, err } = await place.run(["apply", "--auto-approve", "--json", ...HERE]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const types = out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types.filter((type) => !type.startsWith("refresh_"))).toEqual([
      "version",
      "resource_drift",
      "planned_change",
      "outputs",
      "change_summary",
      "apply_start",
      "apply_complete",
      "outputs",
      "change_summary",
    ]);
  });

  test("destroy leaves an empty state", async () => {
    const planned = await place.run(["plan", "--destroy", ...HERE]);
    expect(planned.out).toContain("Plan: 0 to add, 0 to change, 3 to destroy.");
    const { code, out } = await place.run(["destroy", "--auto-approve", ...HERE]);
    expect(code).toBe(0);
    expect(out.endsWith("\nDestroy complete! Resources: 3 destroyed.\n")).toBe(true);
    expect(JSON.parse(place.read("terraform.tfstate"))).toMatchObject({ resources: [], outputs: {} });
    expect((await place.run(["show", "terraform.tfstate"])).out).toBe("The state is empty.\n");
  });
});
