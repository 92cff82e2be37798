import { HttpProxy } from "../../support/http-proxy";
import { changedPlan } from "../support/changed-plan";
import { usePlace } from "../support/place";

// Projects that the code names by their numbers: 1 is acme/shop, 2 is acme/tools.

const place = usePlace("each");

const HERE = ["--config", "."];
const limit = (project: string) => ({ project, inbound_enabled: true });
const declare = (resource: object) =>
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource,
  });
const apply = async () => expect((await place.run(["apply", "--auto-approve", ...HERE])).code).toBe(0);
describe("a project that the code names by its number", () => {
  test("`show` of a saved plan shows a number as a path, which a changed path in the file can't mislead", async () => {
    declare({ steward_job_token_scope: { a: limit("1") } });
    expect((await place.run(["plan", ...HERE, "--out", "plan.steward"])).code).toBe(0);
    const shown = await place.run(["show", "plan.steward"]);
    expect(shown.out).toContain("  # (project acme/shop)\n");
    const saved = place.read("plan.steward");
    place.write(
      "changed.steward",
      changedPlan(saved, (body) => body.replace("acme/shop", "acme/docs")),
    );
    const refused = await place.run(["apply", "changed.steward"]);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("steward_job_token_scope.a (path)"),
    ]);
    const applied = await place.run(["apply", "plan.steward", "--report", "apply.json"]);
    expect(applied.code).toBe(0);
    expect(JSON.parse(place.read("apply.json")).stacks[0].objects[0]).toMatchObject({ project: "acme/shop" });
  });

  test("stays a number if the look-up fails, which changes nothing else", async () => {
    declare({ steward_job_token_scope: { a: limit("1") } });
    await apply();
    const proxy = new HttpProxy(place.service.url, async (passage) => {
      if (passage.url.endsWith("/projects/1")) return passage.refuse(403, "403 Forbidden");
      passage.answer(await passage.forward());
    });
    const STEWARD_BASE_URL = await proxy.start();
    const plan = ["plan", "--destroy", "--detailed-exitcode", ...HERE];
    const { code, out, err } = await place.run(plan, { STEWARD_BASE_URL });
    await proxy.close();
    expect([code, err]).toEqual([2, ""]);
    expect(out).toContain("  # (project 1)\n");
    expect((await place.run(plan)).out).toContain("  # (project acme/shop)\n");
  });
});
