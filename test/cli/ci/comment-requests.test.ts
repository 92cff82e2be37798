import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { HttpProxy } from "../../support/http-proxy";
import type { Place } from "../support/place";
import { edited, FORGED, type PlanFiles } from "./forged-files";
import { JOB, type OpenRequest, type OpenRequests, openRequests, policyWith } from "./open-requests";

/** The warning about a comment without verdicts, because no judging job ran. */
const WARNING = expect.stringMatching(
  /^Warning: the comments show the results of policies[^\n]*\n$/,
) as string;

type Files = Readonly<Record<string, string>>;

describe("ci comment --requests", () => {
  let place: Place;
  let requests: OpenRequests;
  beforeAll(async () => {
    requests = await openRequests();
    ({ place } = requests);
  });
  afterAll(async () => {
    await requests.remove();
  });

  const comment = (...more: readonly string[]) =>
    place.run(
      ["ci", "comment", "plan.json", "--approval", "changes.json", "--requests", ...more],
      requests.env,
    );
  const open = (files?: Files, links?: Files) => requests.open(files, links);
  const planned = (request: OpenRequest) => requests.planned(request);
  const leave = (...given: Parameters<OpenRequests["leave"]>) => requests.leave(...given);
  const close = (request: OpenRequest) => requests.close(request);
  const notesOf = (request: OpenRequest) => requests.notesOf(request);

  test("for each open merge request, ci comment writes one comment from the files of the newest pipeline", async () => {
    const request = await open();
    const files = await planned(request);
    await leave(request, { ...files, "plan.json": "an earlier run" });
    await leave(request, files);
    const first = await comment();
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringContaining("the comment was created."),
      err: WARNING,
    });
    const [body, ...others] = await notesOf(request);
    expect(others).toEqual([]);
    expect(body).toMatch(/To approve: `[0-9a-f]{64}`, 2 approvals needed\./);
    expect(body).toContain(`commit \`${request.sha}\``);
    expect((await comment()).out).toContain("the comment was unchanged.");
    expect(readdirSync(place.folder).filter((name) => name.startsWith(".steward-requests"))).toEqual([]);
    await close(request);
  });

  test("if ci comment runs in the merge request's own pipeline, it warns that the author can edit this pipeline", async () => {
    const request = await open();
    const files = await planned(request);
    for (const [name, text] of Object.entries(files)) place.write(name, text);
    const ended = await place.run(["ci", "comment", "plan.json", "--approval", "changes.json"], {
      ...requests.env,
      CI_PIPELINE_SOURCE: "merge_request_event",
      CI_MERGE_REQUEST_IID: String(request.iid),
    });
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("The comment was created.") });
    expect(ended.err.match(/Warning: the author of a merge request can edit this pipeline/g)).toHaveLength(1);
    await close(request);
  });

  test("if several reports are given with --approval, ci comment fails", async () => {
    const command = ["ci", "comment", "a.json", "b.json", "--approval", "changes.json", "--requests"];
    expect(await place.run(command, requests.env)).toMatchObject({
      code: 1,
      err: expect.stringContaining("Too many reports"),
    });
  });

  test("if the newest pipeline tested the merged result instead of the branch's head, ci comment still uses the pipeline's files", async () => {
    const request = await open();
    const files = await planned(request);
    await leave({ ...request, sha: "b".repeat(40) }, files, {
      ref: `refs/merge-requests/${request.iid}/merge`,
    });
    expect(await comment()).toMatchObject({ code: 0, out: expect.stringContaining("was created") });
    await close(request);
  });

  test("if the plan failed, ci comment writes a comment that does not ask for approval", async () => {
    const request = await open();
    const { "plan.json": text } = await planned(request);
    const report = { ...(JSON.parse(text) as object), result: "failed" };
    await leave(request, { "plan.json": JSON.stringify(report) }, { status: "failed" });
    expect(await comment()).toMatchObject({ code: 0, out: expect.stringContaining("was created") });
    expect((await notesOf(request)).join()).not.toContain("To approve");
    await close(request);
  });

  test("if a merge request lowers the needed approvals from 2 to 1, the comment still asks for 2 approvals", async () => {
    const request = await open({ "policy.js": policyWith(1) });
    await leave(request, await planned(request));
    expect(await comment()).toMatchObject({ code: 0 });
    const [body = ""] = await notesOf(request);
    expect(body).toContain("weakens two-approvals: 2 → 1");
    expect(body).toContain("2 approvals needed");
    await close(request);
  });

  test("if a file of the merge request is a symbolic link, the comment does not contain the linked file's content", async () => {
    const secret = path.join(place.folder, "secret.txt");
    writeFileSync(secret, "the-content-of-a-secret\n");
    const request = await open({}, { OWNERS: secret });
    const files = await planned(request);
    await leave(request, files);
    expect(await comment()).toMatchObject({ code: 0, err: WARNING });
    const texts = [...Object.values(files), ...(await notesOf(request))].join("\n");
    expect(texts).toContain("adds OWNERS (owners)");
    expect(texts).not.toContain("the-content-of-a-secret");
    await close(request);
  });

  test.each([
    ["no pipeline has run", undefined, "no pipeline has run for"],
    ["its job runs", "running", `the job ${JOB} of its newest pipeline is running`],
    ["its job was skipped", "skipped", `the job ${JOB} of its newest pipeline is skipped`],
  ])("if %s, ci comment succeeds and writes no comment for the merge request", async (_, status, text) => {
    const request = await open();
    if (status !== undefined) await leave(request, {}, { status });
    const ended = await comment();
    expect(ended).toMatchObject({ code: 0, err: WARNING, out: expect.stringContaining(text) });
    expect(await notesOf(request)).toEqual([]);
    await close(request);
  });

  describe("artifacts that the author of a merge request forged", () => {
    let request: OpenRequest;
    let weakened: OpenRequest;
    let good: PlanFiles;
    let other: PlanFiles;
    beforeAll(async () => {
      weakened = await open({ "policy.js": policyWith(1) });
      other = await planned(weakened);
      await close(weakened);
      request = await open();
      good = await planned(request);
    });

    test.each(Object.entries({ ...FORGED, "an approval for another head": (_: PlanFiles) => other }))(
      "%s: ci comment prints an error that names the merge request, and writes no comment",
      async (_, forge) => {
        await leave(request, forge(good));
        const ended = await comment();
        expect(ended.code).toBe(1);
        expect(ended.err).toContain(`No comment for !${request.iid}`);
        expect(await notesOf(request)).toEqual([]);
      },
    );

    test("if the approval file hides a weakened rule, ci comment writes no comment", async () => {
      const hidden = await open({ "policy.js": policyWith(1) });
      const files = await planned(hidden);
      const text = edited(files["changes.json"], (json) => ({ ...json, rule_changes: [] }));
      await leave(hidden, { ...files, "changes.json": text });
      const ended = await comment();
      expect(ended.err).toContain("not in the comment: weakens two-approvals: 2 → 1");
      expect(await notesOf(hidden)).toEqual([]);
      await close(hidden);
    });

    test("if the files of one merge request are missing, ci comment still writes the comments of other merge requests", async () => {
      await leave(request, {});
      const next = await open();
      await leave(next, await planned(next));
      expect(await comment()).toMatchObject({
        code: 1,
        out: expect.stringContaining(`!${next.iid}: the comment was`),
      });
      expect(await notesOf(next)).toHaveLength(1);
      expect(await notesOf(request)).toEqual([]);
      await close(next);
    });

    test("if a file in the artifacts is larger than 16 MB, ci comment fails", async () => {
      await leave(request, good);
      const proxy = new HttpProxy(place.service.url, async (passage) => {
        const answer = await passage.forward();
        if (!passage.url.endsWith("plan%2Ejson")) return passage.answer(answer);
        const { "content-length": _, ...headers } = answer.headers;
        passage.answer({ ...answer, headers, body: Buffer.alloc(17 * 1024 * 1024, " ") });
      });
      const command = ["ci", "comment", "plan.json", "--approval", "changes.json", "--requests"];
      const ended = await place.run(command, {
        ...requests.env,
        CI_API_V4_URL: `${await proxy.start()}/api/v4`,
      });
      await proxy.close();
      expect(ended).toMatchObject({ code: 1, err: expect.stringContaining("17825792 bytes, more than") });
    });

    test("if the service refuses to send the artifacts, the error of ci comment contains the merge request's number", async () => {
      await leave(request, good);
      place.service.faults.add({ route: "/projects/:id/jobs/:job_id/artifacts/:artifact_path", status: 403 });
      const ended = await comment();
      expect(ended.code).toBe(1);
      expect(ended.err).toContain(`No comment for !${request.iid}`);
      expect(await comment("--dry-run")).toMatchObject({
        code: 0,
        out: expect.stringContaining("To approve"),
      });
      expect(await notesOf(request)).toEqual([]);
    });
  });
});
