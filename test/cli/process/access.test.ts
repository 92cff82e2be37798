import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv/dist/2020";
import { expectGolden } from "../reports/support/golden";
import { TOKENS, usePlace } from "../support/place";

const NAMES = ["ada", "ben", "cleo", "dan", "eve", "fay", "gil", "hal", "ida", "jon", "kim"];

const FIXTURE = {
  users: [
    { username: "maya", token: TOKENS.maintainer },
    { username: "reader", tokens: [{ token: TOKENS.reader, name: "reader", scopes: ["read_api" as const] }] },
    { username: "nina" },
    { username: "rita" },
    ...NAMES.map((username) => ({ username })),
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "owner" as const },
        { user: "reader", role: "maintainer" as const },
        ...NAMES.map((user) => ({ user, role: "developer" as const })),
      ],
    },
    { path: "acme/release", members: [{ user: "rita", role: "guest" as const }] },
  ],
  projects: [
    {
      path: "acme/shop",
      shared_with: [{ group: "acme/release", role: "guest" as const }],
      job_token_scope: { inbound_enabled: false },
      container_rules: [
        { repository_path_pattern: "acme/shop/web*", minimum_access_level_for_push: "owner" as const },
      ],
    },
    { path: "acme/tools" },
  ],
};

const SHOP = {
  steward_protected_environment: {
    production: {
      project: "acme/shop",
      name: "production",
      deploy_access_levels: [{ access_level: 40 }, { group: "acme/release" }],
      approval_rules: [{ access_level: 40, required_approvals: 2 }],
    },
  },
  steward_job_token_scope: { shop: { project: "acme/shop", inbound_enabled: true } },
  steward_job_token_allowlist_project: { tools: { project: "acme/shop", target_project: "acme/tools" } },
  steward_project_invitation: { nina: { project: "acme/shop", user: "nina", access_level: 20 } },
};

/** The same, with what can't be counted. */
const MORE = {
  ...SHOP,
  steward_container_protection_rule: {
    api: {
      project: "acme/shop",
      repository_path_pattern: "acme/shop/api",
      minimum_access_level_for_push: "maintainer",
    },
  },
  steward_project_invitation: {
    ...SHOP.steward_project_invitation,
    new: { project: "acme/shop", email: "new@example.com", access_level: 30 },
  },
};

const place = usePlace("each", FIXTURE);

const declare = (resource: object) =>
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    provider: { steward: [{}] },
    resource,
  });
const PLAN = ["plan", "--config", ".", "--access"];
/** The part of an output for people that follows the plan. */
const accessOf = (out: string): string => out.slice(out.indexOf("\nAccess") + 1);
/** A report in Markdown without the line that names the service and the time, up to its changes. */
const accessIn = (text: string): string => text.replace(/\non `[^\n]*\n/, "").split("\n- <a name=")[0]!;
const schema = JSON.parse(readFileSync(path.join(__dirname, "../../../docs/report.schema.json"), "utf8"));

describe("plan --access", () => {
  test("shows people who gains and who loses access, with totals", async () => {
    declare(SHOP);
    const { code, out } = await place.run([...PLAN, "--report", "plan.md"]);
    expect(code).toBe(0);
    expectGolden("access.golden.txt", accessOf(out));
    expectGolden("access.golden.md", accessIn(place.read("plan.md")));
  });

  test("lists what is not counted, and then shows no total and no count", async () => {
    declare(MORE);
    const { out } = await place.run([...PLAN, "--report", "plan.md"]);
    expectGolden("access-not-counted.golden.txt", accessOf(out));
    expectGolden("access-not-counted.golden.md", accessIn(place.read("plan.md")));
    // The e-mail address is masked in reports.
    expect(place.read("plan.md")).not.toContain("new@example.com");
  });

  test("writes usernames by project, environment and ability to JSON reports and to the last event", async () => {
    declare(SHOP);
    const { out } = await place.run([...PLAN, "--json", "--report", "plan.json"]);
    const report = JSON.parse(place.read("plan.json"));
    const isValid = new Ajv({ strict: true }).compile(schema);
    expect([isValid(report), isValid.errors]).toEqual([true, null]);
    const production = {
      project: "acme/shop",
      environment: "production",
      gains: { deploy: ["rita"], approve: ["maya", "reader"] },
      loses: { deploy: NAMES, approve: [] },
      rules: [
        { name: "protection", before: "off", after: "on" },
        { name: "approvals", before: 0, after: 2 },
      ],
      not_counted: [],
    };
    expect(report.access).toContainEqual(expect.objectContaining(production));
    const last = JSON.parse(out.trimEnd().split("\n").at(-1)!);
    expect(last).toMatchObject({ type: "change_summary", changes: { operation: "plan" } });
    expect(last.access).toEqual(report.access);
  });

  test("keeps the exit codes of plan, and says that nobody gains or loses access", async () => {
    declare({ steward_job_token_allowlist_project: SHOP.steward_job_token_allowlist_project });
    const changed = await place.run([...PLAN, "--detailed-exitcode"]);
    expect([changed.code, accessOf(changed.out)]).toEqual([2, "Access: nobody gains or loses access.\n"]);
    declare({});
    const unchanged = await place.run([...PLAN, "--detailed-exitcode"]);
    expect([unchanged.code, accessOf(unchanged.out)]).toEqual([0, "Access: nobody gains or loses access.\n"]);
    const without = await place.run(["plan", "--config", "."]);
    expect(without.out).not.toContain("Access");
  });

  test("sends reads alone, and works with a token that only reads", async () => {
    declare(SHOP);
    place.service.requests.reset();
    const { code, out } = await place.run(PLAN, { STEWARD_TOKEN: TOKENS.reader });
    expect(code).toBe(0);
    expect(out).toContain("environment production: +1 can deploy (rita through group acme/release)");
    expect(place.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("covers the targets alone", async () => {
    declare(SHOP);
    const target = ["--target", "steward_project_invitation.nina"];
    const { out } = await place.run([...PLAN, ...target]);
    expect(accessOf(out)).toContain("+1 to the members (nina as Reporter)");
    expect(accessOf(out)).not.toContain("production");
  });

  test("names an object that could not be planned as not counted", async () => {
    declare({
      ...SHOP,
      steward_job_token_scope: { shop: { project: "acme/nowhere", inbound_enabled: true } },
    });
    const { code, out } = await place.run(PLAN);
    expect(code).toBe(1);
    expect(accessOf(out)).toContain("not counted: steward_job_token_scope.shop (it could not be planned)");
    expect(accessOf(out)).toContain("+1 to the members; 1 place is not counted.");
  });

  test("--access is refused with --refresh-only, which changes nothing", async () => {
    declare(SHOP);
    const { code, err } = await place.run([...PLAN, "--refresh-only"]);
    expect([code, err]).toEqual([1, expect.stringContaining("--access")]);
  });
});

describe("apply --access and destroy --access", () => {
  test("show the access changes of the plan before it is applied", async () => {
    declare(SHOP);
    const args = ["--config", ".", "--auto-approve", "--access"];
    const applied = await place.run(["apply", ...args, "--report", "apply.json"]);
    expect([applied.code, applied.out]).toEqual([0, expect.stringContaining("Access: +1 −11 can deploy")]);
    expect(JSON.parse(place.read("apply.json")).access).toHaveLength(3);
    const destroyed = await place.run(["destroy", ...args]);
    expect([destroyed.code, destroyed.out]).toEqual([
      0,
      expect.stringContaining("environment production: +11 can deploy (ada, ben, cleo"),
    ]);
  });

  test("--access is refused for a saved plan", async () => {
    declare(SHOP);
    await place.run(["plan", "--config", ".", "--out", "plan.steward"]);
    const { code, err } = await place.run(["apply", "plan.steward", "--access"]);
    expect([code, err]).toEqual([1, expect.stringContaining("--access")]);
  });
});
