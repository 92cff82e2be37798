import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import { App } from "../support/app";
import { CONFIGURATION, TOKENS, usePlace } from "../support/place";

const HERE = ["--config", "."];
const FILE = "changes.json";
const place = usePlace("each");

interface Change {
  readonly address: string;
  readonly [field: string]: unknown;
}

async function approve(...args: string[]): Promise<string> {
  const { code, out, err } = await place.run(["plan", "--out-approval", FILE, ...HERE, ...args]);
  expect({ code, err }).toMatchObject({ code: 0 });
  return /^Digest: ([0-9a-f]{64})$/m.exec(out)![1]!;
}
const applyApproved = (digest: string, ...args: string[]) =>
  place.run(["apply", "--approved", FILE, "--digest", digest, ...HERE, ...args]);
const changes = () => (JSON.parse(place.read(FILE)) as { changes: Change[] }).changes;
const writes = () =>
  place.service.requests.all
    .filter(({ method }) => method !== "GET")
    .map(({ method, route }) => `${method} ${route}`);
const applyAll = () => place.run(["apply", "--auto-approve", ...HERE]);

function declare(resource: object): void {
  place.write("main.tf.json", { ...CONFIGURATION, resource, output: {} });
}
const { steward_job_token_scope, steward_protected_environment } = CONFIGURATION.resource;
const SCOPE = { steward_job_token_scope };
const ENVIRONMENT = { steward_protected_environment };
const callers = (...targets: string[]) => ({
  steward_job_token_allowlist: { callers: { project: "acme/shop", target_projects: targets } },
});
const environment = (...levels: number[]) => ({
  steward_protected_environment: {
    production: {
      project: "acme/shop",
      name: "production",
      deploy_access_levels: levels.map((access_level) => ({ access_level })),
    },
  },
});

/** Expects a refusal that names the difference and writes nothing. */
async function expectRefused(digest: string, difference: RegExp | string, ...args: string[]): Promise<void> {
  place.service.requests.reset();
  const { code, err } = await applyApproved(digest, ...args);
  expect(err).toMatch(difference);
  expect({ code, writes: writes() }).toEqual({ code: 1, writes: [] });
}

describe("what was approved", () => {
  test("a plan lists each change with its service, id, values and access, and its digest is that of the file", async () => {
    const digest = await approve();
    expect(createHash("sha256").update(place.read(FILE)).digest("hex")).toBe(digest);
    expect(statSync(path.join(place.folder, FILE)).mode & 0o777).toBe(0o600);
    expect(changes().map(({ address }) => address)).toEqual([
      "steward_job_token_allowlist.callers",
      "steward_job_token_scope.limit",
      "steward_protected_environment.production",
    ]);
    expect(changes()[2]).toMatchObject({
      service: `${place.service.url}/api/v4`,
      stack: null,
      id: null,
      in: "project acme/shop",
      action: "create",
      before: null,
      after: { name: "production", required_approval_count: { $unknown: true } },
      access: ["environment production: −1 can deploy (devon); protection off → on"],
    });
    expect(changes()[1]).toMatchObject({
      replaces: { inbound_enabled: false },
      after: { inbound_enabled: true },
    });
  });

  test("the same plan has the same digest, and the commit of the CI is part of it", async () => {
    const digest = await approve();
    expect(await approve()).toBe(digest);
    const { out } = await place.run(["plan", "--out-approval", FILE, ...HERE], { CI_COMMIT_SHA: "c0ffee" });
    expect(JSON.parse(place.read(FILE))).toMatchObject({ commit: "c0ffee" });
    expect(out).not.toContain(digest);
  });

  test("an approval is applied by a new plan without a question, and again where all of it is live already", async () => {
    const digest = await approve();
    const applied = await applyApproved(digest);
    expect(applied.out).toContain("Apply complete! Resources: 3 added, 0 changed, 0 destroyed.");
    expect(applied.code).toBe(0);
    place.service.requests.reset();
    expect((await applyApproved(digest)).code).toBe(0);
    expect(writes()).toEqual([]);
  });

  test("another digest, another file and a file that is no approval are refused before anything is sent", async () => {
    const digest = await approve();
    await expectRefused(
      digest.replace(/^./, (first) => (first === "0" ? "1" : "0")),
      "another digest",
    );
    place.write(FILE, place.read(FILE).replace("acme/shop", "acme/docs"));
    await expectRefused(digest, "another digest");
    place.write(FILE, "{}");
    const own = createHash("sha256").update("{}").digest("hex");
    await expectRefused(own, "Not an approval");
    expect(place.service.requests.all).toEqual([]);
  });

  test("a declaration that was added or edited after the approval is refused with the difference", async () => {
    declare(SCOPE);
    const digest = await approve();
    declare({ ...SCOPE, ...ENVIRONMENT });
    await expectRefused(
      digest,
      /steward_protected_environment\.production: create, which is not in the approval/,
    );
    declare({
      steward_job_token_scope: { limit: { ...SCOPE.steward_job_token_scope.limit, project: "acme/docs" } },
    });
    await expectRefused(digest, /project: approved "1", planned "acme\/docs"/);
  });

  test("a value that somebody changed by hand below an approved change is refused, unless it is the approved result", async () => {
    declare(callers("acme/tools"));
    await applyAll();
    declare(callers("acme/tools", "acme/docs"));
    const digest = await approve();
    await place.byHand("DELETE", "/projects/acme%2Fshop/job_token_scope/allowlist/2");
    await expectRefused(digest, /target_projects before: approved \["acme\/tools"\], planned \[\]/);
    await place.byHand("POST", "/projects/acme%2Fshop/job_token_scope/allowlist", { target_project_id: 2 });
    await place.byHand("POST", "/projects/acme%2Fshop/job_token_scope/allowlist", { target_project_id: 3 });
    place.service.requests.reset();
    expect((await applyApproved(digest)).code).toBe(0);
    expect(writes()).toEqual([]);
  });

  test("an unrelated change by hand neither stops the apply nor is reverted by it", async () => {
    declare({ ...SCOPE, ...environment(40) });
    await applyAll();
    declare({ ...SCOPE, ...environment(30, 40) });
    const digest = await approve();
    await place.byHand("PATCH", "/projects/acme%2Fshop/job_token_scope", { enabled: false });
    place.service.requests.reset();
    const { code, err } = await applyApproved(digest);
    expect(err).toContain(
      "steward_job_token_scope.limit was changed by hand, and nobody approved to revert it",
    );
    expect({ code, writes: writes() }).toEqual({
      code: 0,
      writes: ["PUT /projects/:id/protected_environments/:name"],
    });
    expect((await place.run(["drift", ...HERE])).code).toBe(2);
  });

  test("an approved change that --target or --exclude leaves out is refused, also a delete", async () => {
    declare({ ...SCOPE, ...ENVIRONMENT });
    const digest = await approve();
    await expectRefused(
      digest,
      /production: create was approved, and it is neither planned nor live/,
      "--target",
      "steward_job_token_scope.limit",
    );
    await expectRefused(digest, /limit: create was approved/, "--exclude", "steward_job_token_scope.limit");
    await applyAll();
    declare(SCOPE);
    const ofDelete = await approve();
    await expectRefused(
      ofDelete,
      /production: destroy was approved/,
      "--target",
      "steward_job_token_scope.limit",
    );
  });

  test("an approved delete is done if the object is not live, and not if only the state forgot it", async () => {
    declare({ ...SCOPE, ...ENVIRONMENT });
    await applyAll();
    declare(SCOPE);
    const digest = await approve();
    await place.run(["state", "rm", "steward_protected_environment.production", ...HERE]);
    await expectRefused(digest, /production: destroy was approved, and it is neither planned nor live/);
    await place.byHand("DELETE", "/projects/acme%2Fshop/protected_environments/production");
    expect((await applyApproved(digest)).code).toBe(0);
  });

  test("an approved destroy of a whole list is done if nothing of it is live, and one that is live is refused", async () => {
    declare({ ...SCOPE, ...callers("acme/tools") });
    await applyAll();
    declare(SCOPE);
    expect((await place.run(["plan", ...HERE])).out).not.toContain("loosens");
    const digest = await approve();
    expect(changes()).toMatchObject([{ action: "delete", access: [expect.stringContaining("−1 with job")] }]);
    expect((await applyApproved(digest)).code).toBe(0);
    await place.byHand("PATCH", "/projects/acme%2Fshop/job_token_scope", { enabled: false });
    const again = await applyApproved(digest);
    expect(again).toMatchObject({ code: 0, err: expect.not.stringContaining("--exclude") });
    await place.byHand("POST", "/projects/acme%2Fshop/job_token_scope/allowlist", { target_project_id: 2 });
    await expectRefused(digest, /callers: destroy was approved, and it is neither planned nor live/);
  });

  test("an object that can't be read stops everything, because what is missing then is not known to be done", async () => {
    declare({ ...SCOPE, ...environment(40) });
    await applyAll();
    declare({ ...SCOPE, ...environment(30, 40) });
    const digest = await approve();
    place.service.faults.add({ method: "GET", route: "/projects/:id/job_token_scope", status: 403 });
    await expectRefused(digest, "Plan has errors");
  });

  test("all stacks are checked before the first one is written", async () => {
    const app = new App({ base_url: place.service.url, token: TOKENS.maintainer });
    try {
      const declareStacks = (b: object) =>
        app.declare({ a: { data: CONFIGURATION.data, resource: SCOPE }, b: { resource: b } });
      declareStacks({});
      const planned = await app.run("plan", "--out-approval", FILE);
      const digest = /^Digest: (\w+)$/m.exec(planned.out)![1]!;
      expect(JSON.parse(app.read(FILE))).toMatchObject({ changes: [{ stack: "a" }] });
      declareStacks(environment(40));
      place.service.requests.reset();
      const args = ["apply", "--approved", FILE, "--digest", digest];
      const refused = await app.run(...args);
      expect(refused.err).toContain(
        "stack b: steward_protected_environment.production: create, which is not in",
      );
      expect({ code: refused.code, writes: writes() }).toEqual({ code: 1, writes: [] });
      const limited = await app.run(...args, "--stack", "b");
      expect(limited.err).toContain("the run does not include this stack");
      declareStacks({});
      expect((await app.run(...args)).code).toBe(0);
      expect(writes()).toEqual(["PATCH /projects/:id/job_token_scope"]);
    } finally {
      app.remove();
    }
  });

  test("sensitive values are hashes, and another secret is another change", async () => {
    const invite = (email: string) => ({
      variable: { email: { type: "string", sensitive: true, default: email } },
      resource: {
        steward_project_invitation: {
          ada: { project: "acme/shop", email: "${var.email}", access_level: 30 },
        },
      },
      output: {},
    });
    place.write("main.tf.json", { ...CONFIGURATION, ...invite("ada@example.com") });
    const digest = await approve();
    expect(place.read(FILE)).not.toContain("ada@example");
    expect(changes()).toMatchObject([{ after: { email: { $sensitive: expect.any(String) } } }]);
    place.write("main.tf.json", { ...CONFIGURATION, ...invite("eve@example.com") });
    await expectRefused(digest, /email: approved "\(sensitive value\)", planned "\(sensitive value\)"/);
  });

  test("a policy may ask for several approvals, and its rules are those of the approval", async () => {
    const rule = (needed: number) =>
      `module.exports = [{ name: "limits", why: "They matter.", approvals: ${needed}, types: ["steward_job_token_scope"], checkChange: () => [{ what: "A limit changes.", fix: "Leave it." }] }];`;
    place.write("rules.js", rule(2));
    declare(SCOPE);
    const policy = ["--policy", "rules.js"];
    const digest = await approve(...policy);
    expect(JSON.parse(place.read(FILE))).toMatchObject({
      approvals: 2,
      policies: expect.stringMatching(/^\w{64}$/),
    });
    await expectRefused(digest, "Other policies");
    await expectRefused(digest, "Too few approvals", ...policy);
    place.service.requests.reset();
    const unapproved = await place.run(["apply", "--auto-approve", ...HERE, ...policy]);
    expect(unapproved.err).toContain("Or 2 people approve it.");
    expect({ code: unapproved.code, writes: writes() }).toEqual({ code: 1, writes: [] });
    expect((await applyApproved(digest, "--approvals", "2", ...policy)).code).toBe(0);
    expect(writes()).toHaveLength(1);
  });

  test("a plan with errors is not written for approval", async () => {
    declare({ steward_job_token_scope: { limit: { project: "acme/none", inbound_enabled: true } } });
    const { code, err } = await place.run(["plan", "--out-approval", FILE, ...HERE]);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(`${FILE} was not written`) });
    expect(() => place.read(FILE)).toThrow();
  });

  test("under Terraform the report of a plan writes the approval, and refuses a plan that is another one", async () => {
    declare(SCOPE);
    const save = async () => {
      await place.run(["plan", "--out", "saved.plan", ...HERE]);
      place.write("plan.json", (await place.run(["show", "--json", "saved.plan"])).out);
    };
    const report = (...args: string[]) => place.run(["report", "--plan-json", "plan.json", ...args]);
    await save();
    const written = await report("--out-approval", FILE);
    const digest = /^Digest: (\w+)$/m.exec(written.out)![1]!;
    expect(written.out).toContain(
      `steward report --plan-json plan.json --approved ${FILE} --digest ${digest}`,
    );
    expect(changes()).toMatchObject([
      { service: place.service.url, address: "steward_job_token_scope.limit" },
    ]);
    const approved = ["--approved", FILE, "--digest", digest];
    expect((await report(...approved)).code).toBe(0);
    declare({ ...SCOPE, ...environment(40) });
    await save();
    const other = await report(...approved);
    expect(other.err).toContain(
      "steward_protected_environment.production: create, which is not in the approval",
    );
    expect(other.code).toBe(1);
    declare({});
    await save();
    expect((await report(...approved)).err).toContain(
      "limit: create was approved, and it is neither planned nor live",
    );
    declare(SCOPE);
    await applyAll();
    await save();
    expect((await report(...approved)).code).toBe(0);
    await place.byHand("PATCH", "/projects/acme%2Fshop/job_token_scope", { enabled: false });
    await save();
    expect((await report(...approved)).err).toContain('limit: action: approved "create", planned "update"');
  });
});
