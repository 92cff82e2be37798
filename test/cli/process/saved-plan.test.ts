import { statSync } from "node:fs";
import { CONFIGURATION, openPlace, type Place } from "../support/place";

// Each test starts processes; a loaded machine takes its time.
jest.setTimeout(60_000);

const HERE = ["--config", "."];

describe("a saved plan", () => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace();
  });
  afterEach(() => place.close());

  test("is applied as it was shown, with no question and nothing said again", async () => {
    const planned = await place.run(["plan", "--out", "plan.steward", ...HERE]);
    expect(planned.code).toBe(0);
    expect(planned.out).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
    expect(planned.out.endsWith("    steward apply plan.steward\n")).toBe(true);
    expect(statSync(`${place.folder}/plan.steward`).mode & 0o777).toBe(0o600);
    const shown = await place.run(["show", "plan.steward"]);
    expect(planned.out.startsWith(shown.out)).toBe(true);
    const applied = await place.run(["apply", "plan.steward"]);
    expect(applied.err).not.toContain("Error");
    expect(applied.out).toContain("Apply complete! Resources: 3 added, 0 changed, 0 destroyed.");
    expect(applied.code).toBe(0);
    const after = await place.run(["plan", "--detailed-exitcode", ...HERE]);
    expect(after.code).toBe(0);
    const again = await place.run(["apply", "plan.steward"]);
    expect(again.code).toBe(1);
    expect(again.err).toContain("State has changed since the plan");
  });

  test("is shown as JSON", async () => {
    await place.run(["plan", "--out", "plan.steward", ...HERE]);
    const { out, code } = await place.run(["show", "--json", "plan.steward"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ format_version: "1.2", applyable: true });
    expect(CONFIGURATION).toBeDefined();
  });
});
