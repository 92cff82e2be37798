import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { Verdict } from "../../../src/cli/ci/verdicts";
import type { Place } from "../support/place";
import { TOKENS } from "../support/place";
import { edited, type PlanFiles } from "./forged-files";
import { type OpenRequest, type OpenRequests, openRequests } from "./open-requests";

const NEXT_MONTH = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
/** A second policy of the branch. This policy has a waiver for the only project. */
const WAIVED = `exports.default = [{
  name: "limit-stays", why: "Limits are rare.",
  checkChange: () => [{ what: "It limits the project.", fix: "Leave it." }],
}];
exports.waivers = [{
  rule: "limit-stays", project: "acme/shop", reason: "Ada tries it", owner: "web", until: "${NEXT_MONTH}",
}];
`;

describe("ci judge", () => {
  let requests: OpenRequests;
  let place: Place;
  let request: OpenRequest;
  beforeEach(async () => {
    request = await requests.open();
  });
  afterEach(async () => {
    await requests.close(request);
    rmSync(path.join(place.folder, "verdicts.json"), { force: true });
  });
  beforeAll(async () => {
    requests = await openRequests({ "waived.js": WAIVED });
    ({ place } = requests);
  });
  afterAll(() => requests.remove());

  const POLICY = ["--policy", "waived.js"];
  /** Runs the judging job with the read token, and without the comment token. */
  const judge = (...more: readonly string[]) =>
    place.run(["ci", "judge", "changes.json", "--config", ".", ...POLICY, ...more], {
      ...requests.env,
      STEWARD_COMMENT_TOKEN: "",
      STEWARD_TOKEN: TOKENS.maintainer,
    });
  const comment = () =>
    place.run(
      [
        ...["ci", "comment", "plan.json", "--approval", "changes.json", "--requests"],
        ...["--judged", "verdicts.json", ...POLICY],
      ],
      requests.env,
    );
  const verdicts = (): Verdict[] =>
    (JSON.parse(place.read("verdicts.json")) as { readonly verdicts: Verdict[] }).verdicts;
  const planned = (...more: readonly string[]) => requests.planned(request, ...POLICY, ...more);

  it("the comment contains the violations and waivers of the target branch's policies", async () => {
    await requests.leave(request, await planned());
    expect(await judge()).toMatchObject({ code: 0, err: "" });
    expect(verdicts()).toMatchObject([{ request: request.iid, commit: request.sha, problems: [] }]);
    expect(await comment()).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("was created"),
    });
    const [body = ""] = await requests.notesOf(request);
    const [approved = ""] = body.split("<!-- steward approval");
    expect(approved).toContain("2 approvals needed");
    expect(approved).toContain("- `two-approvals`: 1 violation");
    expect(approved).toContain(
      `- 🔓 waiver of \`limit-stays\` in \`acme/shop\` accepts 1 violation: Ada tries it, owner \`web\`, until \`${NEXT_MONTH}\``,
    );
  });

  it("if an approval file asks for too few approvals, ci judge reports the right number", async () => {
    const files: PlanFiles = await planned();
    const forged = edited(files["changes.json"], ({ needed_by_all: _, ...json }) => ({
      ...json,
      approvals: 1,
      changes: (json["changes"] as object[]).map((one) => ({ ...one, needs: undefined })),
    }));
    await requests.leave(request, { ...files, "changes.json": forged });
    const text = "approvals: 1 in the file, but 2 is right";
    expect(await judge()).toMatchObject({ code: 0, out: expect.stringContaining(text) });
    expect(verdicts()[0]!.problems.join()).toContain(text);
    const ended = await comment();
    expect(ended.code).toBe(1);
    expect(ended.err).toContain(`No comment for !${request.iid}`);
    expect(ended.err).toContain("has other results than the job that judges the requests");
    expect(await requests.notesOf(request)).toEqual([]);
  });

  it("if the plan job waived a rule of the target branch, ci comment writes no comment", async () => {
    await requests.leave(request, await planned("--waive", "two-approvals", "--reason", "it is late"));
    await judge();
    expect((await comment()).err).toContain("approvals: 1 in the file, but 2 is right");
    expect(await requests.notesOf(request)).toEqual([]);
  });

  it("ci judge ignores a waiver in STEWARD_WAIVE", async () => {
    await requests.leave(request, await planned());
    const command = ["ci", "judge", "changes.json", "--config", ".", ...POLICY];
    const STEWARD_WAIVE = JSON.stringify({ rule: "two-approvals", reason: "late" });
    await place.run(command, {
      ...requests.env,
      STEWARD_COMMENT_TOKEN: "",
      STEWARD_TOKEN: TOKENS.maintainer,
      STEWARD_WAIVE,
    });
    expect(verdicts()).toMatchObject([{ problems: [] }]);
  });

  it("if a later pipeline changes the approval file, ci comment waits until ci judge has checked this file", async () => {
    const files = await planned();
    await requests.leave(request, files);
    await judge();
    const later = edited(files["changes.json"], (json) => ({
      ...json,
      receivers: { services: [], states: [] },
    }));
    await requests.leave(request, { ...files, "changes.json": later });
    expect(await comment()).toMatchObject({
      code: 0,
      out: expect.stringContaining("verdicts.json has no verdict on its files yet"),
    });
    expect(await requests.notesOf(request)).toEqual([]);
  });

  it("if an approval file is unchanged, ci judge reuses its earlier result instead of planning again", async () => {
    await requests.leave(request, await planned());
    await judge();
    const [first] = verdicts();
    place.service.faults.add({ route: "/projects/:id", status: 500 });
    expect(await judge()).toMatchObject({ code: 0 });
    expect(verdicts()).toEqual([first]);
    place.service.faults.clear();
  });

  it("if one merge request has a broken configuration, ci judge still checks the other merge requests", async () => {
    const other = await requests.open();
    await requests.leave(other, await requests.planned(other, ...POLICY));
    const files = await planned();
    request = { ...request, ...(await requests.push(request, { "main.tf.json": "{" })) };
    await requests.leave(request, { ...files });
    expect(await judge()).toMatchObject({ code: 0 });
    expect(verdicts().find((one) => one.request === other.iid)).toMatchObject({ problems: [] });
    expect(verdicts().find((one) => one.request === request.iid)!.problems).toHaveLength(1);
    await requests.close(other);
  });

  it("ci judge runs no code of a merge request", async () => {
    const proof = path.join(place.folder, "ran");
    const hostile = `require("node:fs").writeFileSync(${JSON.stringify(proof)}, "");\nmodule.exports = [];\n`;
    const files = { "policy.js": `${hostile}// `, "main.ts": hostile, "more.js": hostile };
    request = { ...request, ...(await requests.push(request, files)) };
    await requests.leave(request, await planned());
    rmSync(proof, { force: true });
    expect(await judge()).toMatchObject({ code: 0 });
    expect(verdicts()).toMatchObject([{ problems: [] }]);
    expect(existsSync(proof)).toBe(false);
  });

  describe("with --synth-job, which takes a synthesized app from the artifacts of a merge request", () => {
    const stack = (workingDirectory: string) => ({
      ...{ name: "web", constructPath: "web", workingDirectory, dependencies: [], annotations: [] },
      synthesizedStackPath: `${workingDirectory}/cdk.tf.json`,
    });
    const manifest = (workingDirectory: string) =>
      JSON.stringify({ version: "0.21.0", stacks: { web: stack(workingDirectory) } });
    const synth = (workingDirectory = "stacks/web") => ({
      "cdktf.out/manifest.json": manifest(workingDirectory),
      [`cdktf.out/${workingDirectory}/cdk.tf.json`]: place.read("main.tf.json"),
    });
    const judgeApp = () =>
      place.run(["ci", "judge", "changes.json", "--synth-job", "synth", ...POLICY], {
        ...requests.env,
        STEWARD_COMMENT_TOKEN: "",
        STEWARD_TOKEN: TOKENS.maintainer,
      });
    async function plannedApp() {
      const app = synth();
      for (const [name, text] of Object.entries(app)) requests.write(request, name, text);
      return requests.planned(request, "--config", "cdktf.out", ...POLICY);
    }

    it("if the synthesized app has the same plan as the approval file, ci judge accepts the file", async () => {
      await requests.leave(request, await plannedApp(), { synth: synth() });
      expect(await judgeApp()).toMatchObject({ code: 0 });
      expect(verdicts()).toMatchObject([{ problems: [] }]);
    });

    it("if the synthesized app has another plan than the approval file, ci judge refuses the file", async () => {
      const other = {
        ...synth(),
        "cdktf.out/stacks/web/cdk.tf.json": place.read("main.tf.json").replace("true", "false"),
      };
      await requests.leave(request, await plannedApp(), { synth: other });
      await judgeApp();
      expect(verdicts()[0]!.problems.join()).toContain(
        "steward_job_token_scope.limit: differs from the plan",
      );
    });

    it("if the artifacts contain no synthesized app, ci judge refuses the approval file", async () => {
      await requests.leave(request, await plannedApp(), { synth: {} });
      await judgeApp();
      expect(verdicts()[0]!.problems).toHaveLength(1);
      expect(readFileSync(path.join(place.folder, "verdicts.json"), "utf8")).not.toContain(TOKENS.maintainer);
    });
  });
});
