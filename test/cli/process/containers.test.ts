import { CONFIGURATION, usePlace } from "../support/place";

const HERE = ["--config", "."];

const place = usePlace("each");

type Json = Readonly<Record<string, unknown>>;

const changesIn = (out: string): Json[] =>
  out
    .split("\n")
    .filter((line) => line.includes('"planned_change"'))
    .map((line) => (JSON.parse(line) as { change: Json }).change);

describe("the project of each change", () => {
  test("is shown as a path if the code names it by the id that a data source returns, without another request", async () => {
    const { out } = await place.run(["plan", ...HERE, "--json", "--report", "plan.json"]);
    const url = `${place.service.url}/acme/shop`;
    expect(changesIn(out)).toEqual([
      expect.objectContaining({ project: "acme/shop", url }),
      expect.objectContaining({ project: "acme/shop", url }),
      expect.objectContaining({ project: "acme/shop", url }),
    ]);
    const { stacks } = JSON.parse(place.read("plan.json"));
    expect(stacks[0].objects[1]).toMatchObject({ project: "acme/shop", url });
    const reads = place.service.requests.all.filter(({ route }) => route === "/projects/:id");
    expect(reads.map(({ url }) => url)).toEqual([
      "/api/v4/projects/acme%2Fshop",
      "/api/v4/projects/acme%2Ftools",
    ]);
  });

  test("is shown for updates, drift and deletes, with the id of the object", async () => {
    await place.run(["apply", "--auto-approve", ...HERE]);
    await place.byHand("PATCH", "/projects/acme%2Fshop/job_token_scope", { enabled: false });
    const { out } = await place.run(["plan", ...HERE, "--json"]);
    expect(changesIn(out)).toEqual([expect.objectContaining({ project: "acme/shop", id: "1" })]);
    const drift = await place.run(["drift", ...HERE, "--report", "drift.json", "--report", "drift.md"]);
    expect(drift.out).toContain("  # (project acme/shop)\n  # (construct shop/limit)\n");
    expect(JSON.parse(place.read("drift.json")).stacks[0].objects).toEqual(
      [
        "steward_job_token_allowlist.callers",
        "steward_job_token_scope.limit",
        "steward_protected_environment.production",
      ].map((address) => expect.objectContaining({ address, project: "acme/shop" })),
    );
    expect(place.read("drift.md")).toContain(`  project [\`acme/shop\`](${place.service.url}/acme/shop)`);
    const destroy = await place.run(["plan", "--destroy", ...HERE, "--json"]);
    expect(changesIn(destroy.out).map(({ project, id }) => [project, id])).toEqual([
      ["acme/shop", "1"],
      ["acme/shop", "1"],
      ["acme/shop", "1:production"],
    ]);
  });

  test("is left out if its value is sensitive", async () => {
    place.write("main.tf.json", {
      ...CONFIGURATION,
      variable: { project: { type: "string", sensitive: true } },
      resource: { steward_job_token_scope: { limit: { project: "${var.project}", inbound_enabled: true } } },
      output: {},
    });
    const { out } = await place.run([
      "plan",
      ...HERE,
      "--report",
      "plan.json",
      "--var",
      "project=acme/tools",
    ]);
    expect(out).toContain("steward_job_token_scope.limit will be created");
    expect(out + place.read("plan.json")).not.toContain("acme/tools");
  });
});
