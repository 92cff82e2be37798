import { existsSync } from "node:fs";
import path from "node:path";
import { problemsOf } from "../support/html";
import { CONFIGURATION, TOKENS, usePlace } from "../support/place";

const place = usePlace("all");

const HERE = ["--config", "."];
const ALL = ["r.md", "r.html", "r.xml", "r.widget.json", "r.json"].flatMap((file) => ["--report", file]);

describe("reports of a run", () => {
  test("of a plan are written in the format of each file extension", async () => {
    const { code } = await place.run(["plan", ...HERE, ...ALL]);
    expect(code).toBe(0);
    expect(place.read("r.md")).toMatch(
      /^<!-- steward plan -->\n## Steward plan: 3 to create, 0 to update, 0 to delete\n/,
    );
    expect(place.read("r.html")).toContain(
      "<title>Steward plan: 3 to create, 0 to update, 0 to delete</title>",
    );
    expect(problemsOf(place.read("r.html"))).toEqual([]);
    expect(place.read("r.xml")).toContain(
      '<testsuites name="steward plan" tests="3" failures="0" errors="0"',
    );
    expect(JSON.parse(place.read("r.widget.json"))).toEqual({ create: 3, update: 0, delete: 0 });
    expect(JSON.parse(place.read("r.json"))).toMatchObject({
      format_version: "1.6",
      command: "plan",
      result: "found",
    });
  });

  test("name what a changed object depends on, also through locals and data sources", async () => {
    const configuration = structuredClone(CONFIGURATION) as object as { locals?: object; resource: Thing };
    type Thing = Record<string, Record<string, Record<string, unknown>>>;
    configuration.locals = { shop: "${steward_job_token_scope.limit.project}" };
    configuration.resource["steward_protected_environment"]!["production"]!["project"] = "${local.shop}";
    place.write("through/main.tf.json", configuration);
    await place.run(["plan", "--config", "through", "--report", "through.json"]);
    const { objects } = JSON.parse(place.read("through.json")).stacks[0] as {
      objects: { address: string; depends_on?: string[] }[];
    };
    expect(Object.fromEntries(objects.map((one) => [one.address, one.depends_on]))).toEqual({
      "steward_job_token_allowlist.callers": ["steward_job_token_scope.limit"],
      "steward_protected_environment.production": ["steward_job_token_scope.limit"],
      "steward_job_token_scope.limit": undefined,
    });
  });

  test("of an apply list the applied changes", async () => {
    const { code } = await place.run(["apply", "--auto-approve", ...HERE, "--report", "apply.json"]);
    expect(code).toBe(0);
    const [stack] = JSON.parse(place.read("apply.json")).stacks;
    expect(stack.objects.map(({ status }: { status: string }) => status)).toEqual(["done", "done", "done"]);
  });

  test("never contain the token", () => {
    const written = ["r.md", "r.html", "r.xml", "r.widget.json", "r.json", "apply.json"].map((file) =>
      place.read(file),
    );
    expect(written.filter((text) => text.includes(TOKENS.maintainer))).toEqual([]);
  });

  test("use the format of --report-format regardless of the extension", async () => {
    await place.run(["drift", ...HERE, "--report", "drift.txt", "--report-format", "junit"]);
    expect(place.read("drift.txt")).toContain('<testsuites name="steward drift" tests="3" failures="0"');
  });

  test.each([
    ["an unknown file extension", ["--report", "plan.pdf"], "Unknown report format"],
    ["a missing folder", ["--report", "nowhere/plan.md"], "Report can't be written"],
  ])("with %s stop the run before any request", async (_, options, summary) => {
    const { code, err } = await place.run(["apply", "--auto-approve", ...HERE, ...options]);
    expect({ code, matches: err.includes(summary) }).toEqual({ code: 1, matches: true });
    expect(existsSync(path.join(place.folder, "plan.pdf"))).toBe(false);
  });
});
