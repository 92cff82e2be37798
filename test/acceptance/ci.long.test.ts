import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectFiles } from "../../src/adopt";
import { type Service, startService } from "../../src/service";
import { useQuickApps } from "../support/apps/quick-apps";
import { type OwnProject, ownProject, ROOT } from "./support/own-project";
import { COMPANY, Pipeline, sendTo, TOKENS } from "./support/pipeline";

// Each job starts processes; a loaded machine takes its time.
jest.setTimeout(120_000);
useQuickApps();

describe.each(["pipeline.yml", "sharded.yml"])("examples/ci/%s", (file) => {
  let service: Service;
  let clones: readonly OwnProject[];
  let pipeline: Pipeline;
  const ran = new Set<string>();
  const outputs: string[] = [];
  let pipelines = 0;

  beforeAll(async () => {
    service = await startService({ fixture: COMPANY, recordRequests: true });
    const request = { title: "Settings", source_branch: "settings", sha: "a".repeat(40) };
    await send("POST", "/_steward/projects/8/merge_requests", request);
    clones = [ownProject("examples/ci"), ownProject("examples/ci")];
    pipeline = new Pipeline(
      clones.map(({ folder }) => folder),
      file,
    );
  });
  afterAll(async () => {
    await service.close();
    for (const clone of clones) clone.remove();
  });

  async function run(job: string): Promise<readonly string[]> {
    const ended = await pipeline.run(job, {
      ...TOKENS,
      CI_API_V4_URL: `${service.url}/api/v4`,
      CI_PROJECT_ID: "8",
      CI_MERGE_REQUEST_IID: "1",
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
  const send = (method: string, place: string, body?: object) =>
    sendTo(service, method, place, body && { body });
  const byHand = async (method: string, place: string) =>
    (await send(method, `/api/v4/projects/acme%2Fweb-shop${place}`)).status;
  const listed = async <T>(place: string) =>
    (await (await send("GET", `/api/v4/projects/8/${place}`)).json()) as readonly T[];

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
      expect(service.requests.all.filter(({ route }) => route?.includes("terraform"))).toEqual([]);
    });

  test("a merge request shows the plan", async () => {
    expect(await run(file === "pipeline.yml" ? "preview" : "plan")).toEqual(all("success"));
    const names = shards() === 1 ? ["plan"] : ["plan-1", "plan-2"];
    const counts = names.map(
      (name, clone) => JSON.parse(read(`${name}.widget.json`, clone)) as Readonly<Record<string, number>>,
    );
    expect(counts.map(({ create }) => create).sort()).toEqual(shards() === 1 ? [3] : [1, 2]);
    const ending = file === "pipeline.yml" ? "json" : "md";
    expect(names.map((name, clone) => read(`${name}.${ending}`, clone)).join("")).toContain(
      "steward_protected_environment.production",
    );
  });

  if (file === "pipeline.yml")
    test("a comment holds the plan, and says when the next one failed", async () => {
      const comments = () => listed<{ body: string }>("merge_requests/1/notes");
      expect((await comments()).map(({ body }) => body)).toEqual([
        expect.stringMatching(/^<!-- steward ci steward -->\n## Steward plan: 3 to add/),
      ]);
      const app = read("main.ts");
      writeFileSync(path.join(clones[0]!.folder, "main.ts"), `throw new Error("broken");\n${app}`);
      await expect(run("preview")).rejects.toThrow("The app failed");
      writeFileSync(path.join(clones[0]!.folder, "main.ts"), app);
      expect((await comments()).map(({ body }) => body)).toEqual([
        expect.stringContaining("❌ The app failed"),
      ]);
    });

  if (file === "pipeline.yml")
    test("a merge request's plan has no token that writes, and leaves no lock and no state behind", async () => {
      const { variables } = pipeline.job("preview");
      expect(Object.values(variables!)).not.toContain("$STEWARD_TOKEN");
      const requests = service.requests.all.filter(({ url }) => !/notes|_steward/.test(url));
      expect(requests.map(({ url }) => url)).toContain("/api/v4/projects/8/terraform/state/web-shop");
      expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    });

  test("the default branch applies exactly its plan, and the platform keeps the states", async () => {
    if (file === "pipeline.yml") expect(await run("plan")).toEqual(["success"]);
    expect(await run("apply")).toEqual(all("success"));
    expect(await byHand("GET", "/protected_environments/production")).toBe(200);
    for (const stack of ["web-shop", "docs"]) {
      const state = await send("GET", `/api/v4/projects/8/terraform/state/${stack}`);
      expect(await state.json()).toMatchObject({ version: 4 });
    }
  });

  test("an hour later, what was changed by hand is a warning", async () => {
    expect(await byHand("DELETE", "/protected_environments/production")).toBe(204);
    expect([...(await run("drift"))].sort()).toEqual([...all("success").slice(1), "warning"]);
  });

  if (file === "pipeline.yml")
    test("drift that one run reports is known to the run after it, and its issue stays open", async () => {
      expect(await run("drift")).toEqual(["success"]);
      expect(outputs.at(-1)).toContain("1 difference known from the earlier run");
      const issues = await listed<{ title: string; state: string }>("issues");
      expect(issues).toContainEqual(
        expect.objectContaining({ title: "Drift in project acme/web-shop: 2 objects", state: "opened" }),
      );
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
