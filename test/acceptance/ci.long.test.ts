import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { projectFiles } from "../../src/adopt";
import { type FixtureInput, type Service, startService } from "../../src/service";
import { type OwnProject, ownProject, ROOT } from "./support/own-project";
import { Pipeline } from "./support/pipeline";
import { openPlatform, type Platform } from "./support/platform";

// Each job starts processes; a loaded machine takes its time.
jest.setTimeout(120_000);

const SAMPLE = parse(
  readFileSync(path.join(ROOT, "examples", "quickstart", "fixture.yaml"), "utf8"),
) as FixtureInput;
/** The sample company, and the project that holds its settings as code and their states. */
const COMPANY: FixtureInput = {
  ...SAMPLE,
  projects: [...(SAMPLE.projects ?? []), { path: "acme/settings" }],
};
const TOKENS = {
  STEWARD_TOKEN: "quickstart-maintainer-token",
  STEWARD_READ_TOKEN: "quickstart-readonly-token",
  STEWARD_COMMENT_TOKEN: "comment-token",
  CI_JOB_TOKEN: "quickstart-maintainer-token",
};

describe.each(["pipeline.yml", "sharded.yml"])("examples/ci/%s", (file) => {
  let service: Service;
  let platform: Platform;
  let clones: readonly OwnProject[];
  let pipeline: Pipeline;
  const ran = new Set<string>();
  const outputs: string[] = [];
  let pipelines = 0;

  beforeAll(async () => {
    service = await startService({ fixture: COMPANY });
    platform = await openPlatform(service.url);
    clones = [ownProject("examples/ci"), ownProject("examples/ci")];
    pipeline = new Pipeline(
      clones.map(({ folder }) => folder),
      file,
    );
  });
  afterAll(async () => {
    await platform.close();
    await service.close();
    for (const clone of clones) clone.remove();
  });

  async function run(job: string): Promise<readonly string[]> {
    const ended = await pipeline.run(job, {
      ...TOKENS,
      CI_API_V4_URL: `${platform.url}/api/v4`,
      CI_PROJECT_ID: "8",
      CI_MERGE_REQUEST_IID: "7",
      CI_PIPELINE_ID: String(++pipelines),
    });
    ran.add(job);
    for (const { output, missing, result } of ended) {
      outputs.push(output);
      if (result === "failed") throw new Error(output);
      expect(missing).toEqual([]);
    }
    return ended.map(({ result }) => result);
  }
  const read = (name: string, clone = 0): string =>
    readFileSync(path.join(clones[clone]!.folder, name), "utf8");
  const shards = (): number => pipeline.job("plan").parallel ?? 1;
  const all = (result: string): readonly string[] => Array(shards()).fill(result);
  const byHand = async (method: string, place: string, body?: object) => {
    const answer = await fetch(`${service.url}/api/v4/projects/acme%2Fweb-shop${place}`, {
      method,
      headers: { "PRIVATE-TOKEN": TOKENS.STEWARD_TOKEN, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer.status;
  };

  if (file === "pipeline.yml")
    test("a mistyped name fails the check of a merge request, before anything is planned", async () => {
      const { folder } = clones[0]!;
      for (const { path: name, text } of projectFiles("settings", {}, true)) {
        // This project has no test of its own: the types alone.
        if (name === "package.json") writeFileSync(path.join(folder, name), '{"scripts":{"test":"tsc"}}');
        if (name === "tsconfig.json") writeFileSync(path.join(folder, name), text);
      }
      for (const name of ["typescript", "@types"])
        symlinkSync(path.join(ROOT, "node_modules", name), path.join(folder, "node_modules", name));
      symlinkSync(path.join(ROOT, "node_modules/.bin/tsc"), path.join(folder, "node_modules/.bin/tsc"));
      const app = read("main.ts");
      writeFileSync(
        path.join(folder, "main.ts"),
        app.replace("deployAccessLevels })", "deployAccessLevel: [] })"),
      );
      await expect(run("check")).rejects.toThrow("deployAccessLevel");
      writeFileSync(path.join(folder, "main.ts"), app);
      expect(await run("check")).toEqual(["success"]);
      expect(platform.requests).toEqual([]);
    });

  test("a merge request shows the plan", async () => {
    expect(await run(file === "pipeline.yml" ? "preview" : "plan")).toEqual(all("success"));
    const names = shards() === 1 ? ["plan"] : ["plan-1", "plan-2"];
    const counts = names.map(
      (name, clone) => JSON.parse(read(`${name}.widget.json`, clone)) as Readonly<Record<string, number>>,
    );
    expect(counts.map(({ create }) => create).sort()).toEqual(shards() === 1 ? [3] : [1, 2]);
    expect(names.map((name, clone) => read(`${name}.md`, clone)).join("")).toContain(
      "steward_protected_environment.production",
    );
  });

  if (file === "pipeline.yml")
    test("a comment holds the report, which the next run updates", async () => {
      await run("comment");
      const { STEWARD_COMMENT_TOKEN: token } = TOKENS;
      const place = "/api/v4/projects/8/merge_requests/7/notes";
      expect(platform.comments).toEqual([{ path: place, token, body: read("plan.md") }]);
      // The next run updates it.
      await run("comment");
      expect(platform.comments).toHaveLength(1);
    });

  if (file === "pipeline.yml")
    test("a merge request's plan has no token that writes, and leaves no lock and no state behind", async () => {
      const { variables } = pipeline.job("preview");
      expect(Object.values(variables!)).not.toContain("$STEWARD_TOKEN");
      const places = platform.requests.map(({ path: place }) => place);
      expect(places).toContain("/api/v4/projects/8/terraform/state/web-shop");
      expect(new Set(platform.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    });

  test("the default branch applies exactly its plan, and the platform keeps the states", async () => {
    if (file === "pipeline.yml") expect(await run("plan")).toEqual(["success"]);
    expect(await run("apply")).toEqual(all("success"));
    expect(await byHand("GET", "/protected_environments/production")).toBe(200);
    for (const stack of ["web-shop", "docs"]) {
      const state = await fetch(`${service.url}/api/v4/projects/8/terraform/state/${stack}`, {
        headers: { "PRIVATE-TOKEN": TOKENS.STEWARD_TOKEN },
      });
      expect(await state.json()).toMatchObject({ version: 4 });
    }
  });

  test("an hour later, what was changed by hand is a warning", async () => {
    expect(await byHand("DELETE", "/protected_environments/production")).toBe(204);
    expect([...(await run("drift"))].sort()).toEqual([...all("success").slice(1), "warning"]);
  });

  if (file === "pipeline.yml")
    test("drift that one run reports is known to the run after it", async () => {
      expect(await run("drift")).toEqual(["success"]);
      expect(outputs.at(-1)).toContain("1 difference known from the earlier run");
    });

  if (file === "pipeline.yml")
    test("a page shows the drift of all runs", async () => {
      expect(await run("pages")).toEqual(["success"]);
      expect(outputs.at(-1)).toContain("History of 2 drift runs: 2 drifts open, none repaired.");
      expect(read("public/index.html")).toContain("steward_protected_environment.production");
    });

  test("every job of the file was run, and none wrote a token", () => {
    expect([...ran].sort()).toEqual([...pipeline.jobs].sort());
    const written = outputs.join("\n");
    for (const token of Object.values(TOKENS)) expect(written).not.toContain(token);
  });
});
