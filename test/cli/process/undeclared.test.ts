import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import type { FixtureInput } from "../../../src/service";
import { TOKENS, usePlace } from "../support/place";

// drift --coverage --project, --group: what is live in projects and groups, with and without an app.

const FIXTURE: FixtureInput = {
  users: [
    {
      username: "maya",
      token: TOKENS.maintainer,
      tokens: [{ token: TOKENS.reader, name: "reader", scopes: ["read_api"] }],
    },
  ],
  groups: [{ path: "acme", members: [{ user: "maya", role: "owner" }] }, { path: "acme/team" }],
  projects: [
    {
      path: "acme/shop",
      job_token_scope: { inbound_enabled: false, projects: ["acme/tools"] },
      protected_environments: [
        { name: "production", deploy_access_levels: [{ access_level: 40 }] },
        { name: "staging", deploy_access_levels: [{ access_level: 30 }] },
      ],
    },
    { path: "acme/tools" },
    { path: "acme/old", archived: true },
    {
      path: "acme/team/api",
      container_rules: [{ repository_path_pattern: "*", minimum_access_level_for_push: "owner" }],
    },
  ],
};

const place = usePlace("each", FIXTURE);
beforeEach(async () => {
  mkdirSync(path.join(place.folder, "empty"));
});

const drift = (...args: string[]) => place.runIn("empty", ["drift", "--coverage", ...args], reader);
const reader = { STEWARD_TOKEN: TOKENS.reader };
const events = (out: string): { readonly [name: string]: unknown }[] =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("in a folder without an app everything live is undeclared, and named with its import", async () => {
  const { code, out, err } = await drift("--project", "acme/shop");
  expect({ code, err }).toEqual({ code: 2, err: "" });
  expect(out).toContain("steward_protected_environment 1:production");
  expect(out).toContain("steward_protected_environment 1:staging");
  expect(out).toContain("steward_job_token_allowlist_project 1:2");
  expect(out).toContain("Unmanaged: 3 (1 project or group searched).");
  expect(out).not.toContain("No objects were checked");
  expect(place.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(existsSync(path.join(place.folder, "empty", "terraform.tfstate"))).toBe(false);
});

test("exit 0 where there is nothing, and 1 where a project can't be found", async () => {
  const none = await drift("--project", "acme/tools");
  expect({ code: none.code, err: none.err }).toEqual({ code: 0, err: "" });
  expect(none.out).toContain("Nothing unmanaged. 1 project or group searched.");
  const wrong = await drift("--project", "acme/tools", "acme/nothing");
  expect(wrong.code).toBe(1);
  expect(wrong.err).toContain('"acme/nothing" can\'t be found with this token');
});

test("a group includes its projects, and with --include-subgroups those of its subgroups", async () => {
  const direct = await drift("--group", "acme", "--json");
  expect(direct.code).toBe(2);
  const found = events(direct.out);
  expect(found.at(-1)).toMatchObject({ type: "drift_summary", drift: { unmanaged: 3 } });
  expect(found.filter(({ type }) => type === "diagnostic")).toMatchObject([
    { diagnostic: { severity: "warning", code: "archived_project" } },
  ]);
  const nested = await drift("--group", "acme", "--include-subgroups", "--json");
  expect(events(nested.out).at(-1)).toMatchObject({ drift: { unmanaged: 4 } });
});

test("several projects and groups are searched together", async () => {
  const { code, out } = await drift(
    "--project",
    "acme/shop",
    "--project",
    "acme/tools",
    "--group",
    "acme/team",
  );
  expect(code).toBe(2);
  expect(out).toContain("Unmanaged: 4 (4 projects and groups searched).");
});

test("reports and ignore files work as with an app", async () => {
  place.write("empty/ignore.yaml", [
    { object: "steward_protected_environment 1:staging", reason: "A trial", expires: "2999-01-01" },
  ]);
  const { code, out } = await drift(
    ...["--project", "acme/shop", "--ignore", "ignore.yaml", "--report", "drift.report.json"],
  );
  expect(code).toBe(2);
  expect(out).toContain("Unmanaged: 2");
  const report = JSON.parse(place.read("empty/drift.report.json"));
  expect(report).toMatchObject({ command: "drift", result: "found" });
  expect(JSON.stringify(report)).toContain("1:production");
});

test("with an app, what it declares in these projects is not undeclared", async () => {
  const declared = {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource: {
      steward_protected_environment: {
        production: {
          project: "acme/shop",
          name: "production",
          deploy_access_levels: [{ access_level: 40 }],
        },
      },
    },
  };
  place.write("app/main.tf.json", declared);
  const { code, out } = await place.run(
    ["drift", "--coverage", "--config", "app", "--group", "acme", "--include-subgroups"],
    reader,
  );
  expect(code).toBe(2);
  expect(out).not.toContain("1:production");
  expect(out).toContain("Unmanaged: 3");
});

test.each([
  [["--project", "acme/shop"], "--project requires --coverage"],
  [["--coverage", "--include-subgroups"], "--include-subgroups requires --group"],
  [["--coverage", "--repair", "--auto-approve", "--project", "acme/shop"], "--repair and --project"],
])("%j is refused", async (args, text) => {
  const { code, err } = await place.runIn("empty", ["drift", ...args]);
  expect(code).toBe(1);
  expect(err.replace(/\n│ /g, " ")).toContain(text);
});
