import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseAllDocuments } from "yaml";
import { type FixtureInput, type Service, startService } from "../../src/service";
import { useQuickApps } from "../support/apps/quick-apps";
import { HttpProxy } from "../support/http-proxy";
import { ROOT } from "./support/own-project";
import { COMPANY, TOKENS as GIVEN, sendTo } from "./support/pipeline";
import { type RunJob, Runner } from "./support/runner";

// Each job starts processes. On a loaded machine, this takes long.
jest.setTimeout(240_000);
useQuickApps();

const { version: VERSION } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  readonly version: string;
};
const TOKENS = { ...GIVEN, CI_JOB_TOKEN: "job-token" };
/** The company, and a user whose token the jobs use to save and lock states. */
const FIXTURE: FixtureInput = {
  ...COMPANY,
  users: [...COMPANY.users!, { username: "runner", token: TOKENS.CI_JOB_TOKEN }],
  projects: COMPANY.projects!.map((project) =>
    project.path === "acme/settings"
      ? { ...project, members: [...project.members!, { user: "runner", role: "maintainer" as const }] }
      : project,
  ),
};

/** The keywords of the platform's pipelines (https://docs.gitlab.com/ci/yaml/) that the files may use. */
const KEYWORDS = {
  job: [
    ...["stage", "rules", "variables", "script", "artifacts", "resource_group", "parallel", "allow_failure"],
    ...["needs", "environment", "cache"],
  ],
  artifacts: ["when", "paths", "reports", "expire_in"],
  reports: ["terraform", "junit"],
  rule: ["if", "when"],
  input: ["description", "default", "type"],
} as const;

const unknownIn = (object: object, known: readonly string[]): string[] =>
  Object.keys(object).filter((name) => !known.includes(name));

const FILES = {
  "component.yml": {
    ...{ synth: "steward-synth", plan: "steward-plan", judge: "steward-judge-requests" },
    ...{ comments: "steward-comments", apply: "steward-apply" },
  },
  "pipeline.yml": {
    ...{ synth: "synth", plan: "preview", judge: "judge-requests", comments: "comments", apply: "apply" },
  },
} as const;

/** The merge methods of the platform. For each merge method, the merge request makes a different change of the app. */
const MERGES = [
  ["a merge commit", "new WebShop(app);\n", "new Docs(app);\nnew WebShop(app);\n"],
  ["a squash", "AccessLevel.MAINTAINER", "AccessLevel.DEVELOPER"],
  ["a fast-forward", '["acme/web-shop"]', '["acme/web-shop", "acme/deploy-tools"]'],
] as const;

describe.each(Object.entries(FILES))("examples/ci/%s", (file, jobs) => {
  let service: Service;
  let proxy: HttpProxy;
  let url: string;
  let runner: Runner;
  let main: string;
  let current = "";
  /** The tokens that each job sent. */
  const sent: { readonly job: string; readonly token: string }[] = [];
  const ran: RunJob[] = [];

  beforeAll(async () => {
    service = await startService({ fixture: FIXTURE });
    proxy = new HttpProxy(service.url, async (passage) => {
      const { "private-token": token, authorization = "" } = passage.incoming.headers;
      const basic = Buffer.from(authorization.replace(/^Basic /, ""), "base64").toString();
      sent.push({ job: current, token: String(token ?? basic.split(":")[1]) });
      passage.answer(await passage.forward());
    });
    url = await proxy.start();
    const inputs = { check: "node --version", "drift-options": "--coverage" };
    runner = new Runner(path.join(ROOT, "examples/ci"), file, VERSION, inputs);
    runner.onJob = (name) => {
      current = name;
    };
    const app = path.join(runner.author, "main.ts");
    const dump = `appendFileSync(${JSON.stringify(runner.environments.app)}, JSON.stringify(process.env));`;
    appendFileSync(
      app,
      `require("node:fs").${dump}
`,
    );
    writeFileSync(app, readFileSync(app, "utf8").replace("new WebShop(app);\n", ""));
    main = runner.commit("main");
  });
  afterAll(async () => {
    await proxy.close();
    await service.close();
    runner.remove();
  });

  async function send<T>(method: string, place: string, body?: object, token = "author-token"): Promise<T> {
    const response = await sendTo(service, method, place, { token, ...(body && { body }) });
    if (!response.ok) throw new Error(`${method} ${place}: ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }
  async function pipeline(commit: string, variables: Readonly<Record<string, string>>, manual?: string) {
    const ended = await runner.run(
      commit,
      {
        ...TOKENS,
        CI_API_V4_URL: `${url}/api/v4`,
        CI_PROJECT_ID: "8",
        CI_PIPELINE_ID: String(ran.length + 1),
        CI_NODE_INDEX: "1",
        CI_NODE_TOTAL: "1",
        ...variables,
      },
      manual,
    );
    ran.push(...ended);
    return ended;
  }
  const resultsOf = (ended: readonly RunJob[]) =>
    ended.map(({ name, result, output }) => `${name}: ${result}${result === "failed" ? `\n${output}` : ""}`);
  const onMain = { CI_COMMIT_BRANCH: "main" };
  const SETTINGS = "/api/v4/projects/acme%2Fsettings";

  test("the example pipeline declares each input that the pipeline uses", () => {
    const text = readFileSync(path.join(ROOT, "examples/ci", file), "utf8");
    const documents = parseAllDocuments(text).map((one) => one.toJS() as object);
    const { spec } = Object(documents[0]) as { readonly spec?: { readonly inputs: Record<string, object> } };
    const declared = spec?.inputs ?? {};
    expect(Object.values(declared).flatMap((input) => unknownIn(input, KEYWORDS.input))).toEqual([]);
    const read = [...text.matchAll(/inputs\.([\w-]+) \]\]/g)].map(([, name]) => name!);
    expect([...new Set(read)].sort()).toEqual(Object.keys(declared).sort());
    const { stages, variables: _, default: __, ...rest } = documents.at(-1) as Record<string, never>;
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

  test.each(MERGES)(
    "after the approval and %s, the pipeline of the main branch applies the merge request's change",
    async (kind, from, to) => {
      // The author proposes a change.
      runner.git("checkout", "--quiet", "-B", "change", main);
      const app = path.join(runner.author, "main.ts");
      const text = readFileSync(app, "utf8");
      writeFileSync(
        app,
        kind === "a merge commit" ? text.replace("new Docs(app);\n", to) : text.replace(from, to),
      );
      const requests = "/_steward/projects/acme%2Fsettings/merge_requests";
      const opened = { title: "Settings", source_branch: "change", sha: "0".repeat(40) };
      const { iid } = await send<{ iid: number }>("POST", requests, opened);
      const head = runner.commit("change", `refs/merge-requests/${iid}/head`);
      await send("PUT", `${requests}/${iid}`, { sha: head });
      // The merge request's pipeline makes a plan. The pipeline of a merge request has no token for comments.
      const planned = await pipeline(head, {
        CI_PIPELINE_SOURCE: "merge_request_event",
        CI_MERGE_REQUEST_IID: String(iid),
        CI_MERGE_REQUEST_DIFF_BASE_SHA: main,
      });
      expect(planned.map(({ result, output }) => (result === "success" ? result : output))).toEqual([
        "success",
        "success",
      ]);
      const notes = () => send<{ body: string }[]>("GET", `${SETTINGS}/merge_requests/${iid}/notes`);
      expect(await notes()).toEqual([]);
      const ref = `refs/merge-requests/${iid}/head`;
      const run = await send<{ id: number }>("POST", "/_steward/projects/8/pipelines", { ref, sha: head });
      for (const { name, files } of planned)
        await send("POST", `/_steward/projects/8/pipelines/${run.id}/jobs`, { name, artifacts: files });
      // A scheduled pipeline of the protected branch writes the comment of the plan.
      const scheduled = { ...onMain, CI_PIPELINE_SOURCE: "schedule", STEWARD_ONLY: "comments" };
      const written = await pipeline(main, scheduled);
      expect(resultsOf(written)).toEqual([`${jobs.judge}: success`, `${jobs.comments}: success`]);
      expect(written[0]!.output).toContain("has the results of the policies");
      expect((await notes()).map(({ body }) => body)).toEqual([
        expect.stringMatching(/To approve: `\w{64}`/),
      ]);
      // The merge starts a pipeline of the main branch. Without an approval, the pipeline of the main branch applies
      // nothing.
      runner.git("checkout", "--quiet", "-B", "main", main);
      const merges = {
        "a merge commit": () => runner.git("merge", "--quiet", "--no-ff", "--message=merge", head),
        "a squash": () => runner.git("merge", "--quiet", "--squash", head),
        "a fast-forward": () => runner.git("merge", "--quiet", "--ff-only", head),
      };
      merges[kind]();
      const merged = kind === "a squash" ? runner.commit("main") : runner.git("rev-parse", "HEAD");
      runner.git("push", "--quiet", "origin", "HEAD:main");
      await send(
        "PUT",
        `${requests}/${iid}`,
        {
          "a merge commit": { merge_commit_sha: merged },
          "a squash": { squash_commit_sha: merged },
          "a fast-forward": { state: "merged" },
        }[kind],
      );
      const pushed = { ...onMain, CI_PIPELINE_SOURCE: "push", CI_COMMIT_BEFORE_SHA: main };
      sent.length = 0;
      const refused = await pipeline(merged, pushed);
      expect(refused.at(-1)).toMatchObject({ name: jobs.apply, result: "failed" });
      expect(refused.at(-1)!.output).toContain("1 approval is needed");
      expect(sent.map(({ token }) => token)).not.toContain(TOKENS.STEWARD_TOKEN);
      expect(sent.filter(({ job }) => job === jobs.apply).map(({ token }) => token)).not.toContain(
        "job-token",
      );
      await send("POST", `${SETTINGS}/merge_requests/${iid}/approve`, { sha: head }, "approver-token");
      const applied = await pipeline(merged, pushed);
      expect(resultsOf(applied).at(-1)).toBe(`${jobs.apply}: success`);
      expect(applied.at(-1)!.output).toContain("Apply complete!");
      main = merged;
    },
  );

  test("if an environment is deleted after the apply, the scheduled pipeline opens an issue about the drift", async () => {
    const environment = "/api/v4/projects/acme%2Fweb-shop/protected_environments/production";
    await send("GET", environment, undefined, TOKENS.STEWARD_TOKEN);
    await send("DELETE", environment, undefined, TOKENS.STEWARD_TOKEN);
    const hourly = await pipeline(main, { ...onMain, CI_PIPELINE_SOURCE: "schedule" });
    expect(hourly.filter(({ result }) => result === "failed").map(({ output }) => output)).toEqual([]);
    const issues = await send<{ title: string }[]>("GET", `${SETTINGS}/issues`);
    expect(issues.map(({ title }) => title).join()).toContain("Drift in project acme/web-shop");
  });

  test("the apply job is the only job with the token for apply", () => {
    const withToken = (name: keyof typeof TOKENS) =>
      new Set(ran.filter(({ env }) => Object.values(env).includes(TOKENS[name])).map((job) => job.name));
    expect([...withToken("STEWARD_TOKEN")]).toEqual([jobs.apply]);
    expect(withToken("STEWARD_COMMENT_TOKEN")).not.toContain(jobs.plan);
    const isOfRequest = new Set(ran.slice(0, 2).map(({ name }) => name));
    for (const name of isOfRequest) expect(withToken("STEWARD_COMMENT_TOKEN")).not.toContain(name);
    expect(sent.filter(({ token, job }) => token === TOKENS.STEWARD_TOKEN && job !== jobs.apply)).toEqual([]);
    expect(ran.flatMap(({ result, missing }) => (result === "failed" ? [] : missing))).toEqual([]);
    const written = ran.map(({ output }) => output).join("\n");
    for (const token of Object.values(TOKENS)) expect(written).not.toContain(token);
  });

  test("with a reason, the break-glass job of docs/approvals.md applies a change without an approval", async () => {
    const page = readFileSync(path.join(ROOT, "docs/approvals.md"), "utf8");
    const [, block = ""] = /```yaml\n(break-glass:\n[\s\S]*?)```/.exec(page) ?? [];
    appendFileSync(
      path.join(runner.author, file),
      `\n${block.replace("[synth]", `[${jobs.synth}]`).replace("@0.2.0", `@${VERSION}`)}`,
    );
    const app = path.join(runner.author, "main.ts");
    writeFileSync(
      app,
      readFileSync(app, "utf8").replace('["acme/web-shop", "acme/deploy-tools"]', '["acme/web-shop"]'),
    );
    writeFileSync(
      path.join(runner.author, "rules.js"),
      'module.exports = [{ name: "two", why: "Two see it.", approvals: 2, checkChange: () => [{ what: "It changes.", fix: "Ask." }] }];\n',
    );
    const settings = JSON.parse(readFileSync(path.join(runner.author, "cdktf.json"), "utf8")) as object;
    writeFileSync(
      path.join(runner.author, "cdktf.json"),
      JSON.stringify({ ...settings, policy: "rules.js" }),
    );
    const commit = runner.commit("main");
    const pushed = {
      ...onMain,
      CI_PIPELINE_SOURCE: "push",
      CI_COMMIT_BEFORE_SHA: main,
      CI_JOB_URL: "https://git.example.com/jobs/1",
    };
    const [, withoutReason] = await pipeline(commit, pushed, "break-glass");
    expect(withoutReason).toMatchObject({ name: "break-glass", result: "failed" });
    const ended = await pipeline(commit, { ...pushed, REASON: "the shop is down" }, "break-glass");
    expect(resultsOf(ended).at(-1)).toBe("break-glass: success");
    expect(ended.at(-1)!.output).toContain("Apply complete!");
    expect(ended.at(-1)!.files["break-glass.json"]).toContain("Reason: the shop is down.");
    const issues = await send<{ title: string; description: string }[]>("GET", `${SETTINGS}/issues`);
    expect(issues).toContainEqual(
      expect.objectContaining({
        title: "Applied without approval: the shop is down",
        description: "https://git.example.com/jobs/1",
      }),
    );
  });

  test("npm and the app get no token in the example pipeline", () => {
    for (const place of Object.values(runner.environments)) {
      const seen = readFileSync(place, "utf8");
      expect(seen).toContain("CI_API_V4_URL");
      for (const token of Object.values(TOKENS)) expect(seen).not.toContain(token);
    }
    const { env } = ran.find(({ name }) => name === jobs.apply)!;
    expect(env["GIT_STRATEGY"]).toBe("empty");
  });
});
