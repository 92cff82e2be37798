import { CONFIGURATION, usePlace } from "../support/place";

const place = usePlace("all");

const SCOPE = "/projects/acme%2Fshop/job_token_scope";
const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET").length;

describe("limits of an apply", () => {
  test.each([
    [["--max-changes", "2"], "the run would change 3 objects, and --max-changes allows 2"],
    [["--max-changes", "0"], "and --max-changes allows 0"],
  ])("%j refuses a plan with three changes and sends nothing", async (options, message) => {
    const { code, err } = await place.run(["apply", "--auto-approve", "--config", ".", ...options]);
    expect({ code, matches: err.replace(/\n│ /g, " ").includes(message), writes: writes() }).toEqual({
      code: 1,
      matches: true,
      writes: 0,
    });
  });

  test("refuse a saved plan too", async () => {
    await place.run(["plan", "--config", ".", "--out", "plan.steward"]);
    const { code, err } = await place.run(["apply", "plan.steward", "--max-changes", "1"]);
    expect({ code, matches: err.includes("More changes than allowed"), writes: writes() }).toEqual({
      code: 1,
      matches: true,
      writes: 0,
    });
  });

  test("allow a plan within them", async () => {
    const { code } = await place.run([
      "apply",
      "--auto-approve",
      "--config",
      ".",
      "--max-deletes",
      "0",
      "--max-changes",
      "3",
    ]);
    expect(code).toBe(0);
  });

  test("--max-deletes counts the deletes of a destroy", async () => {
    const before = writes();
    const { code, err } = await place.run([
      "destroy",
      "--auto-approve",
      "--config",
      ".",
      "--max-deletes",
      "2",
    ]);
    expect({ code, matches: err.includes("would delete 3 objects"), writes: writes() }).toEqual({
      code: 1,
      matches: true,
      writes: before,
    });
  });

  test("accept only whole numbers", async () => {
    const { code, err } = await place.run(["apply", "--config", ".", "--max-deletes", "few"]);
    expect({ code, matches: err.includes("Enter a whole number, 0 for none.") }).toEqual({
      code: 1,
      matches: true,
    });
  });
});

describe("drift --repair", () => {
  beforeEach(() => place.byHand("PATCH", SCOPE, { enabled: false }));

  test("without a terminal requires --auto-approve before it sends anything", async () => {
    place.service.requests.reset();
    const { code, err } = await place.run(["drift", "--repair", "--config", "."]);
    expect({
      code,
      matches: err.includes("Approval required"),
      asked: place.service.requests.all.length,
    }).toEqual({ code: 1, matches: true, asked: 0 });
  });

  test("shows the drift and the repair, applies it, and exits with 0", async () => {
    const { code, out } = await place.run([
      "drift",
      "--repair",
      "--auto-approve",
      "--config",
      ".",
      "--report",
      "repair.md",
      "--report",
      "repair.json",
    ]);
    expect(code).toBe(0);
    expect(out).toContain("steward_job_token_scope.limit differs on the service");
    expect(out).toContain("steward_job_token_scope.limit will be updated in-place");
    expect(out).toContain("Apply complete! Resources: 0 added, 1 changed, 0 destroyed.");
    expect(place.read("repair.md")).toContain("## Steward drift: 1 changed");
    const { objects } = JSON.parse(place.read("repair.json")).stacks[0];
    expect(objects.filter((one: { repaired?: true }) => one.repaired)).toMatchObject([
      { address: "steward_job_token_scope.limit", status: "changed" },
    ]);
    expect((await place.run(["drift", "--config", "."])).code).toBe(0);
  });

  test("without drift does nothing", async () => {
    await place.byHand("PATCH", SCOPE, { enabled: true });
    const before = writes();
    const { code, out } = await place.run(["drift", "--repair", "--auto-approve", "--config", "."]);
    expect({ code, writes: writes() }).toEqual({ code: 0, writes: before });
    expect(out).toContain("No drift. 3 objects checked");
  });

  test("skips attributes whose declaration changed, with name and reason, and exits with 2", async () => {
    const { production } = CONFIGURATION.resource.steward_protected_environment;
    const { steward_protected_environment: _, ...others } = CONFIGURATION.resource;
    const loosened = { ...production, deploy_access_levels: [{ access_level: 30 }] };
    place.write("main.tf.json", {
      ...CONFIGURATION,
      resource: { ...others, steward_protected_environment: { production: loosened } },
    });
    const environments = "/projects/acme%2Fshop/protected_environments/production";
    await place.byHand("DELETE", environments);
    const repair = ["drift", "--repair", "--auto-approve", "--config", "."];
    const { code, out, err } = await place.run([...repair, "--report", "left.json"]);
    expect(code).toBe(2);
    const address = "steward_protected_environment.production";
    const reason =
      "the code changed deploy_access_levels since it was applied: review the plan, then apply it";
    expect(err).toContain(`${address} is not repaired: ${reason}.\n`);
    expect(out).toContain("Apply complete! Resources: 0 added, 1 changed, 0 destroyed.");
    expect(await place.byHand("GET", environments)).toBe(404);
    const { objects } = JSON.parse(place.read("left.json")).stacks[0];
    expect(objects.find((one: { address: string }) => one.address === address)).toMatchObject({
      status: "vanished",
      not_repaired: reason,
    });
    expect(objects.filter((one: { repaired?: true }) => one.repaired)).toHaveLength(1);

    const { code: again, out: events } = await place.run([...repair, "--json"]);
    expect(again).toBe(2);
    expect(events).toContain('"type":"drift_not_repaired"');
    place.write("main.tf.json", CONFIGURATION);
    expect((await place.run(repair)).code).toBe(0);
    expect(await place.byHand("GET", environments)).toBe(200);
  });

  test("requires --repair for --auto-approve", async () => {
    const { code, err } = await place.run(["drift", "--auto-approve", "--config", "."]);
    expect({ code, matches: err.includes("Option requires another option") }).toEqual({
      code: 1,
      matches: true,
    });
  });
});
