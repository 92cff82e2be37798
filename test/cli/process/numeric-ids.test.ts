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
/** The projects that a command looked up. */
async function lookUps(...args: string[]) {
  place.service.requests.reset();
  const ended = await place.run([...args, ...HERE]);
  const urls = place.service.requests.all
    .filter(({ route }) => route === "/projects/:id")
    .map(({ url }) => url);
  return { ...ended, urls: urls.sort() };
}

describe("a project that the code names by its number", () => {
  test("is shown as a path in creates, updates, destroys of settings and drift, with one look-up", async () => {
    declare({ steward_job_token_scope: { a: limit("1"), b: limit("2") } });
    const created = await lookUps("plan");
    expect(created.out).toContain("  # (project acme/shop)\n");
    expect(created.urls).toEqual(["/api/v4/projects/1", "/api/v4/projects/2"]);
    await apply();
    await place.byHand("PATCH", "/projects/2/job_token_scope", { enabled: false });
    const drift = await lookUps(
      "drift",
      "--report",
      "drift.json",
      "--report",
      "drift.md",
      "--report",
      "drift.xml",
    );
    expect(drift.out).toContain(
      "  # steward_job_token_scope.b differs on the service (applied -> live)\n  # (project acme/tools)\n",
    );
    expect(drift.urls).toEqual(["/api/v4/projects/2"]);
    const url = `${place.service.url}/acme/tools`;
    expect(JSON.parse(place.read("drift.json")).stacks[0].objects[1]).toMatchObject({
      project: "acme/tools",
      url,
      id: "2",
    });
    expect(place.read("drift.md")).toContain(`  project [\`acme/tools\`](${url}), id \`2\`\n`);
    expect(place.read("drift.xml")).toContain(`project acme/tools\nurl ${url}\nid 2\n`);
    // An object that does not change is not looked up.
    const updated = await lookUps("plan");
    expect(updated.out).toContain("will be updated in-place\n  # (project acme/tools)\n");
    expect(updated.urls).toEqual(["/api/v4/projects/2"]);
    declare({ steward_job_token_scope: { renamed: limit("2") } });
    const moved = await lookUps("plan", "--json");
    const changes = moved.out
      .split("\n")
      .filter((line) => line.includes('"planned_change"'))
      .map((line) => JSON.parse(line).change);
    expect(changes.map(({ action, project }) => [action, project])).toEqual([
      ["delete", "acme/shop"],
      ["update", "acme/tools"],
    ]);
    expect(moved.urls).toEqual(["/api/v4/projects/1", "/api/v4/projects/2"]);
  });

  test("needs no look-up in a plan without changes", async () => {
    declare({ steward_job_token_scope: { a: limit("1") } });
    await apply();
    expect((await lookUps("plan")).urls).toEqual([]);
    expect((await lookUps("drift")).urls).toEqual([]);
  });

  test("is shown as a path by `show` of a saved plan, which a changed path in the file can't mislead", async () => {
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
