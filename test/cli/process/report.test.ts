import type { Report } from "../../../src/cli/document/model";
import { CONFIGURATION, usePlace } from "../support/place";

const place = usePlace("all");

const HERE = ["--config", "."];

describe("a plan of the embedded engine as JSON", () => {
  /** The report of a plan without times, the service and constructs, which Terraform's JSON does not have. */
  const comparable = ({
    started_at: _started,
    finished_at: _finished,
    run: _run,
    stacks,
    ...rest
  }: Report) => ({
    ...rest,
    stacks: stacks.map((stack) => ({
      ...stack,
      objects: stack.objects.map(({ construct: _, url: __, ...object }) => object),
    })),
  });

  /** Plans, and compares its report with the report of the plan's JSON. */
  async function expectSameReport(mode: readonly string[] = []): Promise<Report> {
    await place.run(["plan", ...HERE, ...mode, "--out", "saved.plan", "--report", "own.json"]);
    const shown = await place.run(["show", "--json", "saved.plan"]);
    place.write("plan.json", shown.out);
    await place.run(["report", "--plan-json", "plan.json", "--report", "r.json"]);
    const theirs = JSON.parse(place.read("r.json")) as Report;
    const own = JSON.parse(place.read("own.json")) as Report;
    expect(comparable(theirs)).toEqual(comparable(own));
    return theirs;
  }

  test("gives the same report as the plan itself", async () => {
    // The live values that new settings replace have no place in Terraform's JSON.
    expect((await expectSameReport(["--refresh=false"])).result).toBe("found");
    await place.run(["apply", "--auto-approve", ...HERE]);
    expect((await expectSameReport()).result).toBe("clean");
    await place.byHand("PATCH", "/projects/acme%2Fshop/job_token_scope", { enabled: false });
    await expectSameReport();
    await expectSameReport(["--refresh-only"]);
    const less = structuredClone(CONFIGURATION) as { resource: Record<string, object>; output?: object };
    delete less.resource["steward_protected_environment"];
    delete less.output;
    place.write("main.tf.json", less);
    await expectSameReport();
    place.write("main.tf.json", CONFIGURATION);
    await expectSameReport(["--destroy"]);
    await expectSameReport(["--replace", "steward_protected_environment.production"]);
  });
});
