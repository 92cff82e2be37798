import { readFileSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "../../src/service";
import { useQuickApps } from "../support/apps/quick-apps";
import { type OwnProject, ownProject } from "./support/own-project";
import { COMPANY, Pipeline, sendTo, TOKENS } from "./support/pipeline";

// Each job starts processes. On a loaded machine, this takes long.
jest.setTimeout(120_000);
useQuickApps();

const file = "sharded.yml";

describe(`examples/ci/${file}`, () => {
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

  test("the plan job of a merge request writes the plan to the widget file and the Markdown report", async () => {
    expect(await run("plan")).toEqual(all("success"));
    const names = ["plan-1", "plan-2"];
    const counts = names.map(
      (name, clone) => JSON.parse(read(`${name}.widget.json`, clone)) as Readonly<Record<string, number>>,
    );
    expect(counts.map(({ create }) => create).sort()).toEqual([1, 2]);
    expect(names.map((name, clone) => read(`${name}.md`, clone)).join("")).toContain(
      "steward_protected_environment.production",
    );
  });

  test("the apply job of the default branch stores the states on the service", async () => {
    expect(await run("apply")).toEqual(all("success"));
    expect(await byHand("GET", "/protected_environments/production")).toBe(200);
    for (const stack of ["web-shop", "docs"]) {
      const state = await send("GET", `/api/v4/projects/8/terraform/state/${stack}`);
      expect(await state.json()).toMatchObject({ version: 4 });
    }
  });

  test("after a manual change, the scheduled drift job ends with a warning", async () => {
    expect(await byHand("DELETE", "/protected_environments/production")).toBe(204);
    expect([...(await run("drift"))].sort()).toEqual([...all("success").slice(1), "warning"]);
  });

  test("no job of the example pipeline printed a token in these tests", () => {
    expect([...ran].sort()).toEqual([...pipeline.jobs].sort());
    const written = outputs.join("\n");
    for (const token of Object.values(TOKENS)) expect(written).not.toContain(token);
  });
});
