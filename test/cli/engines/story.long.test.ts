import { existsSync } from "node:fs";
import path from "node:path";
import { describeWith } from "../../support/capabilities";
import { CONFIGURATION, openPlace, type Place, TOKENS } from "../support/place";

// Each test starts processes; a loaded machine takes its time.
jest.setTimeout(120_000);

const HERE = ["--config", "."];
const shop = "/projects/acme%2Fshop";

interface Event {
  readonly type: string;
  readonly "@level": string;
  readonly changes?: { readonly operation: string; readonly add: number };
  readonly [name: string]: unknown;
}

const events = (out: string): Event[] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);

/** What drift tells in the end; what goes along is told by whoever looks. */
const findings = (out: string) =>
  events(out)
    .filter(({ type }) => ["resource_drift", "drift_summary", "diagnostic"].includes(type))
    .map(({ "@timestamp": _, ...rest }) => rest);

/** One story; each test goes on where the one before ended. */
describeWith("engine", "with --engine, steward runs that program", (program) => {
  const ENGINE = ["--engine", path.basename(program)];
  let place: Place;
  beforeAll(async () => {
    place = await openPlace();
  });
  afterAll(() => place.close());

  test("plan --detailed-exitcode says 2, and writes no state", async () => {
    const { code, out } = await place.run(["plan", "--detailed-exitcode", ...HERE, ...ENGINE]);
    expect(code).toBe(2);
    expect(out).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
    expect(out).toContain("# steward_protected_environment.production will be created");
    expect(existsSync(path.join(place.folder, "terraform.tfstate"))).toBe(false);
  });

  test("apply without a terminal needs --auto-approve, as ever", async () => {
    const { code, err } = await place.run(["apply", ...HERE, ...ENGINE]);
    expect(code).toBe(1);
    expect(err).toContain("Approval needed");
  });

  test("apply --json gives the program's events, and the result last", async () => {
    const { code, out } = await place.run(["apply", "--auto-approve", "--json", ...HERE, ...ENGINE]);
    expect(code).toBe(0);
    const all = events(out);
    expect(all.at(-1)).toMatchObject({ type: "change_summary", changes: { operation: "apply", add: 3 } });
    expect(all.filter(({ type }) => type === "apply_complete").length).toBeGreaterThanOrEqual(3);
    expect(all.map(({ type }) => type)).toContain("planned_change");
  });

  test("both engines go on with the state, and find nothing to do", async () => {
    for (const engine of [[], ENGINE])
      expect((await place.run(["plan", "--detailed-exitcode", ...HERE, ...engine])).code).toBe(0);
  });

  test("drift is told as by our own engine, without and with drift, and writes no state", async () => {
    const state = place.read("terraform.tfstate");
    const both = async (...args: string[]) => [
      await place.run(["drift", ...HERE, ...args]),
      await place.run(["drift", ...HERE, ...ENGINE, ...args]),
    ];
    const [own, theirs] = await both();
    expect(theirs).toEqual(own);
    expect(own!.code).toBe(0);
    await place.byHand("PATCH", `${shop}/job_token_scope`, { enabled: false });
    await place.byHand("DELETE", `${shop}/protected_environments/production`);
    // What is not declared is no drift.
    await place.byHand("POST", `${shop}/job_token_scope/groups_allowlist`, { target_group_id: 1 });
    const [ownDrift, theirDrift] = await both();
    expect(theirDrift).toEqual(ownDrift);
    expect(ownDrift!.code).toBe(2);
    expect(ownDrift!.out).toContain("Drift: 1 changed, 1 vanished");
    const [ownEvents, theirEvents] = await both("--json");
    expect(findings(theirEvents!.out)).toEqual(findings(ownEvents!.out));
    expect(place.read("terraform.tfstate")).toBe(state);
  });

  test.each(["all", ["inbound_enabled"]])("what ignore_changes = %j names is no drift", async (ignored) => {
    const ignoring = structuredClone(CONFIGURATION);
    const lifecycle = { ignore_changes: ignored };
    Object.assign(ignoring.resource.steward_job_token_scope.limit, { lifecycle });
    place.write("main.tf.json", ignoring);
    for (const engine of [[], ENGINE]) {
      const { out } = await place.run(["drift", ...HERE, ...engine]);
      expect(out).toContain("Drift: 0 changed, 1 vanished");
    }
    place.write("main.tf.json", CONFIGURATION);
  });

  test("plan --refresh-only takes no account of the configuration; apply mends", async () => {
    const refresh = await place.run(["plan", "--refresh-only", ...HERE, ...ENGINE]);
    expect(refresh.out).toContain("steward_protected_environment.production has been deleted");
    const mended = await place.run(["apply", "--auto-approve", ...HERE, ...ENGINE]);
    expect(mended.out).toContain("Resources: 1 added, 1 changed, 0 destroyed.");
  });

  test("output and show read the state, without a configuration where a file is named", async () => {
    const own = await place.run(["output", "--json", "--state", "terraform.tfstate"]);
    expect(await place.run(["output", "--json", "--state", "terraform.tfstate", ...ENGINE])).toEqual(own);
    expect((await place.run(["output", "environment", "--raw", ...HERE, ...ENGINE])).out).toBe(
      "1:production",
    );
    const shown = await place.run(["show", "--json", "terraform.tfstate", ...ENGINE]);
    expect(JSON.parse(shown.out)).toEqual(
      JSON.parse((await place.run(["show", "--json", "terraform.tfstate"])).out),
    );
    expect((await place.run(["show", ...HERE, ...ENGINE])).out).toContain("# steward_job_token_scope.limit:");
  });

  test("destroy takes everything away", async () => {
    const { code, out } = await place.run(["destroy", "--auto-approve", ...HERE, ...ENGINE]);
    expect(code).toBe(0);
    expect(out).toContain("Destroy complete! Resources: 3 destroyed.");
  });

  test("import takes over what is live", async () => {
    await place.byHand("POST", `${shop}/protected_environments`, {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
    });
    const address = "steward_protected_environment.production";
    const { code } = await place.run(["import", address, "acme/shop:production", ...HERE, ...ENGINE]);
    expect(code).toBe(0);
    const refused = await place.run([
      "import",
      address,
      "acme/shop:production",
      "--json",
      ...HERE,
      ...ENGINE,
    ]);
    expect(refused.code).toBe(1);
    expect(events(refused.out).at(-1)).toMatchObject({
      type: "diagnostic",
      diagnostic: { code: "engine_failed", address },
    });
  });

  test("a diagnostic of the provider is shown once, with the attribute; the token is nowhere", async () => {
    const wrong = structuredClone(CONFIGURATION);
    wrong.resource.steward_protected_environment.production.deploy_access_levels = [{ access_level: 41 }];
    place.write("wrong/main.tf.json", wrong);
    const { code, out, err } = await place.run(["plan", "--config", "wrong", ...ENGINE], {
      STEWARD_LOG: "trace",
      TF_LOG: "trace",
    });
    expect(code).toBe(1);
    expect(`${out}${err}`.split(/^Error: /m)).toHaveLength(2);
    expect(err).toContain("deploy_access_levels");
    expect(`${out}${err}`).not.toContain(TOKENS.maintainer);
    expect(err.length).toBeGreaterThan(10_000);
  });
});
