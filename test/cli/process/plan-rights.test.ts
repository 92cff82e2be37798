import { TOKENS, usePlace } from "../support/place";

const PROJECTS = ["acme/one", "acme/two", "acme/three", "acme/four", "acme/five"];
const FIXTURE = {
  users: [
    { username: "maya", token: TOKENS.maintainer },
    { username: "bot", tokens: [{ token: TOKENS.reader, name: "reader", scopes: ["read_api" as const] }] },
  ],
  groups: [
    { path: "acme", members: [{ user: "bot", role: "maintainer" as const }] },
    { path: "lib", members: [{ user: "maya", role: "developer" as const }] },
  ],
  projects: [
    ...PROJECTS.map((path) => ({ path, members: [{ user: "maya", role: "maintainer" as const }] })),
    { path: "lib/core" },
  ],
};

const place = usePlace("each", FIXTURE);

const declare = (resource: object) =>
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource,
  });
const PLAN = ["plan", "--config", ".", "--rights"];
const rightsOf = (out: string): string => out.slice(out.indexOf("\nRights:") + 1);
const rules = (projects: readonly string[]) =>
  Object.fromEntries(
    projects.map((project) => [
      project.replace("/", "_"),
      { project, repository_path_pattern: "web", minimum_access_level_for_push: "owner" },
    ]),
  );

describe("plan --rights", () => {
  test("folds equal rights, and names where one is missing", async () => {
    declare({
      steward_container_protection_rule: rules(PROJECTS),
      steward_project_invitation: {
        ada: { project: "acme/one", email: "ada@example.com", access_level: 50 },
      },
      steward_job_token_allowlist_project: { core: { project: "acme/two", target_project: "lib/core" } },
    });
    const { code, out } = await place.run([...PLAN, "--detailed-exitcode"]);
    expect([code, rightsOf(out)]).toEqual([
      2,
      "Rights: api; Maintainer in 4 projects; Owner in acme/one: missing; Guest in lib/core\n",
    ]);
  });

  test("says that a scope is missing, and keeps the exit code", async () => {
    declare({ steward_container_protection_rule: rules(["acme/one"]) });
    const { code, out } = await place.run(PLAN, { STEWARD_TOKEN: TOKENS.reader });
    expect([code, rightsOf(out)]).toEqual([0, "Rights: api: missing; Maintainer in acme/one\n"]);
  });

  test("an administrator's right takes the place of all roles, and a plan without changes needs none", async () => {
    declare({
      steward_container_protection_rule: rules(["acme/one"]),
      steward_pages_settings: { one: { project: "acme/one", force_https: false } },
    });
    const { out } = await place.run(PLAN);
    expect(rightsOf(out)).toBe("Rights: api; administrator of the instance: missing\n");
    declare({});
    expect(rightsOf((await place.run(PLAN)).out)).toBe("Rights: none; the plan sends nothing.\n");
  });

  test("is in the last event of --json, and tells what the service does not", async () => {
    place.service.faults.add({ route: "/personal_access_tokens/self", status: 404, always: true });
    declare({ steward_container_protection_rule: rules(["acme/one"]) });
    const { out } = await place.run([...PLAN, "--json"]);
    expect(JSON.parse(out.trimEnd().split("\n").at(-1)!).rights).toEqual([
      { scope: "api", has: null },
      { role: "Maintainer", project: "acme/one", has: true },
    ]);
    const { out: text } = await place.run(PLAN);
    expect(rightsOf(text)).toContain("api: not known whether the token has it");
  });

  test("names an object that could not be planned", async () => {
    declare({ steward_container_protection_rule: rules(["acme/one", "acme/nowhere"]) });
    const { code, out } = await place.run(PLAN);
    expect(code).toBe(1);
    expect(rightsOf(out)).toContain(
      "not known: steward_container_protection_rule.acme_nowhere (it could not be planned)",
    );
  });
});
