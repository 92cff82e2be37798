import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseAllDocuments } from "yaml";
import { type Service, startService } from "../../src/service";
import { useQuickApps } from "../support/apps/quick-apps";
import { type OwnProject, ownProject, ROOT } from "./support/own-project";
import { COMPANY, Pipeline, sendTo, TOKENS } from "./support/pipeline";

// Each job starts processes; a loaded machine takes its time.
jest.setTimeout(120_000);
useQuickApps();

const COMPONENT = path.join(ROOT, "examples", "ci", "component.yml");
const { version: VERSION } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  readonly version: string;
};
const HEAD = "a".repeat(40);
const MERGED = "b".repeat(40);

/** The keywords of the platform's pipelines that a component may use: of a job, and of what stands in one. */
const KEYWORDS = {
  job: [
    "stage",
    "rules",
    "variables",
    "script",
    "artifacts",
    "resource_group",
    "parallel",
    "allow_failure",
    "needs",
    "environment",
  ],
  artifacts: ["when", "paths", "reports", "expire_in"],
  reports: ["terraform", "junit"],
  rule: ["if", "when"],
  input: ["description", "default", "type"],
} as const;

/**
 * Installs programs instead of npm and npx. The scripts of npm and the app write their environment into files.
 */
function installPrograms(folder: string): void {
  const script = (name: string, text: string) => {
    writeFileSync(path.join(folder, "bin", name), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(folder, "bin", name), 0o755);
  };
  mkdirSync(path.join(folder, "bin"));
  const steward = path.join(ROOT, "dist/cli/main.js");
  script("npm", `env >> "${folder}/npm-environment"`);
  script(
    "npx",
    `case "$1" in steward) shift ;; --yes) test "$3" = "cdktf-provider-steward@${VERSION}" || exit 9; shift 4 ;; *) exit 9 ;; esac; exec node ${steward} "$@"`,
  );
  // The checkout of the target branch has the same files.
  script(
    "git",
    `test "$1 $2 $3 $4 $5" = "worktree add --force --detach .steward-base" -a -n "$6" || exit 9; mkdir -p "$5"; cp cdktf.json "$5"`,
  );
  const app = path.join(folder, "main.ts");
  const dump = `require("node:fs").appendFileSync(${JSON.stringify(path.join(folder, "app-environment"))}, JSON.stringify(process.env));`;
  writeFileSync(app, `${readFileSync(app, "utf8")}\n${dump}\n`);
}

const unknownIn = (object: object, known: readonly string[]): string[] =>
  Object.keys(object).filter((name) => !known.includes(name));

describe("examples/ci/component.yml", () => {
  let service: Service;
  let clone: OwnProject;
  let pipeline: Pipeline;
  beforeAll(async () => {
    service = await startService({ fixture: COMPANY });
    clone = ownProject("examples/ci");
    installPrograms(clone.folder);
    pipeline = new Pipeline(
      [clone.folder],
      "component.yml",
      {
        check: "node --version",
        // Nobody declares the rest of the sample company.
        "drift-options": "",
      },
      {
        STEWARD_TOKEN: /^steward\/apply$/,
        STEWARD_READ_TOKEN: /^steward\/read$/,
        STEWARD_COMMENT_TOKEN: /^steward\//,
      },
    );
  });
  afterAll(async () => {
    await service.close();
    clone.remove();
  });

  async function send<T>(method: string, place: string, body?: object, token = "author-token"): Promise<T> {
    const response = await sendTo(service, method, place, { token, ...(body && { body }) });
    if (!response.ok) throw new Error(`${method} ${place}: ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }
  async function run(job: string, commit = HEAD) {
    const [ended] = await pipeline.run(job, {
      ...TOKENS,
      CI_API_V4_URL: `${service.url}/api/v4`,
      CI_PROJECT_ID: "8",
      CI_MERGE_REQUEST_IID: "1",
      CI_COMMIT_SHA: commit,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: "c".repeat(40),
      CI_COMMIT_BEFORE_SHA: "c".repeat(40),
      CI_COMMIT_BRANCH: "main",
      ...(commit === HEAD && { CI_PIPELINE_SOURCE: "merge_request_event" }),
    });
    expect(ended!.missing).toEqual([]);
    return ended!;
  }
  const SETTINGS = "/api/v4/projects/acme%2Fsettings";
  const WEB_SHOP = "/api/v4/projects/acme%2Fweb-shop";
  const issues = () => send<{ state: string; title: string }[]>("GET", `${SETTINGS}/issues`);

  test("the component uses keywords that the platform has, and declares each input that it reads", () => {
    const [head, jobs] = parseAllDocuments(readFileSync(COMPONENT, "utf8")).map(
      (one) => one.toJS() as object,
    );
    const { inputs } = (head as { spec: { inputs: Record<string, object> } }).spec;
    expect(Object.values(inputs).flatMap((input) => unknownIn(input, KEYWORDS.input))).toEqual([]);
    const read = [...readFileSync(COMPONENT, "utf8").matchAll(/inputs\.([\w-]+) \]\]/g)].map(
      ([, name]) => name!,
    );
    expect([...new Set(read)].sort()).toEqual(Object.keys(inputs).sort());
    const { stages, variables: _, default: __, ...rest } = jobs as Record<string, never>;
    for (const job of Object.values(rest) as {
      stage: string;
      rules: object[];
      artifacts?: { reports?: object };
    }[]) {
      expect(stages).toContain(job.stage);
      expect(unknownIn(job, KEYWORDS.job)).toEqual([]);
      expect(job.rules.flatMap((rule) => unknownIn(rule, KEYWORDS.rule))).toEqual([]);
      expect(unknownIn(job.artifacts ?? {}, KEYWORDS.artifacts)).toEqual([]);
      expect(unknownIn(job.artifacts?.reports ?? {}, KEYWORDS.reports)).toEqual([]);
    }
  });

  test("a merge request is checked, and has a comment that asks to approve its plan", async () => {
    const request = { title: "Settings", source_branch: "settings", sha: HEAD };
    await send("POST", "/_steward/projects/acme%2Fsettings/merge_requests", request);
    expect(await run("steward-synth")).toMatchObject({ result: "success" });
    expect(await run("steward-plan")).toMatchObject({ result: "success" });
    const notes = await send<{ body: string }[]>("GET", `${SETTINGS}/merge_requests/1/notes`);
    expect(notes).toHaveLength(1);
    expect(notes[0]!.body).toMatch(/To approve: `\w{64}`/);
  });

  test("the default branch applies nothing before somebody approved it, and then that plan", async () => {
    await send("PUT", "/_steward/projects/acme%2Fsettings/merge_requests/1", { merge_commit_sha: MERGED });
    expect(await run("steward-synth", MERGED)).toMatchObject({ result: "success" });
    expect(await run("steward-judge", MERGED)).toMatchObject({ result: "success" });
    const refused = await pipeline.run("steward-apply", {
      ...TOKENS,
      CI_API_V4_URL: `${service.url}/api/v4`,
      CI_PROJECT_ID: "8",
      CI_COMMIT_SHA: MERGED,
      CI_COMMIT_BRANCH: "main",
    });
    expect(refused[0]!.output).toContain("1 approval is needed");
    await expect(
      send("GET", `${WEB_SHOP}/protected_environments/production`, undefined, TOKENS.STEWARD_TOKEN),
    ).rejects.toThrow("404");
    await send("POST", `${SETTINGS}/merge_requests/1/approve`, { sha: HEAD }, "approver-token");
    const applied = await run("steward-apply", MERGED);
    expect(applied).toMatchObject({ code: 0, output: expect.stringContaining("Apply complete!") });
    await send("GET", `${WEB_SHOP}/protected_environments/production`, undefined, TOKENS.STEWARD_TOKEN);
  });

  test("drift has an issue, which is closed once it is repaired", async () => {
    const environment = `${WEB_SHOP}/protected_environments/production`;
    const token = TOKENS.STEWARD_TOKEN;
    await send("DELETE", environment, undefined, token);
    writeFileSync(path.join(clone.folder, "OWNERS"), "acme/* @author\n");
    expect(await run("steward-drift")).toMatchObject({ result: "warning" });
    expect(await run("steward-issues")).toMatchObject({ result: "warning" });
    const opened = await issues();
    expect(opened.map(({ state }) => state)).toContain("opened");
    const title = "Drift in project acme/web-shop";
    const repaired = await pipeline.run("steward-apply", {});
    expect(repaired[0]!.code).toBe(1);
    const body = { name: "production", deploy_access_levels: [{ access_level: 40 }] };
    await send("POST", `${WEB_SHOP}/protected_environments`, body, token);
    await run("steward-drift");
    await run("steward-issues");
    const closed = (await issues()).filter((issue) => issue.title.startsWith(title));
    expect(closed.map(({ state }) => state)).toEqual(["closed"]);
  });

  test("neither npm's scripts nor the app saw a token, and only one job has the apply token", () => {
    for (const file of ["npm-environment", "app-environment"]) {
      const seen = readFileSync(path.join(clone.folder, file), "utf8");
      expect(seen).toContain("CI_API_V4_URL");
      for (const token of Object.values(TOKENS)) expect(seen).not.toContain(token);
    }
    const names = pipeline.jobs.filter((name) => pipeline.job(name).environment?.name === "steward/apply");
    expect(names).toEqual(["steward-apply"]);
    expect(pipeline.job("steward-apply").script.join()).not.toMatch(/npm ci|npx steward/);
  });
});
