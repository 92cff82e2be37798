import { cpSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CONFIGURATION, TOKENS, usePlace } from "../support/place";

const HERE = ["--config", "."];
const FILE = "plan.steward";
const modules = path.join(__dirname, "..", "..", "..", "node_modules");

const place = usePlace("each");

const { production: PRODUCTION } = CONFIGURATION.resource.steward_protected_environment;
const CONFIGURATION_OF_TWO_LEVELS = {
  ...CONFIGURATION,
  resource: {
    ...CONFIGURATION.resource,
    steward_protected_environment: {
      production: { ...PRODUCTION, deploy_access_levels: [{ access_level: 30 }, { access_level: 40 }] },
    },
  },
};

const save = (...args: string[]) => place.run(["plan", "--out", FILE, ...HERE, ...args]);
const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET");

describe("a saved plan", () => {
  test("a saved plan is shown and applied as planned, without asking for approval", async () => {
    const planned = await save("--detailed-exitcode");
    expect(planned.code).toBe(2);
    expect(planned.out.endsWith(`    steward apply ${FILE}\n`)).toBe(true);
    expect(statSync(path.join(place.folder, FILE)).mode & 0o777).toBe(0o600);
    const shown = await place.run(["show", FILE]);
    expect(planned.out.startsWith(shown.out)).toBe(true);
    expect(shown.out).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
    const applied = await place.run(["apply", FILE]);
    expect(applied.out).toContain("Apply complete! Resources: 3 added, 0 changed, 0 destroyed.");
    expect(applied.code).toBe(0);
    expect((await place.run(["plan", "--detailed-exitcode", ...HERE])).code).toBe(0);
  });

  test("a saved plan is shown in Terraform's JSON format, and --json reports its file and events", async () => {
    const { out } = await save("--json");
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(events.slice(-2)).toMatchObject([
      { type: "plan_saved", plan: { file: FILE } },
      { type: "change_summary", changes: { add: 3 } },
    ]);
    const shown = JSON.parse((await place.run(["show", "--json", FILE])).out) as Record<string, unknown>;
    expect(shown).toMatchObject({ format_version: "1.2", applyable: true, complete: true, errored: false });
    expect(shown["resource_changes"]).toHaveLength(3);
  });

  test("reads what it changes once more, and nothing else", async () => {
    await save();
    place.service.requests.reset();
    expect((await place.run(["apply", FILE])).code).toBe(0);
    const all = place.service.requests.all.map(({ method, route }) => `${method} ${route}`);
    const before = all.slice(0, all.indexOf("GET /personal_access_tokens/self"));
    // The two projects, the settings that the creates replace, and whether somebody has made the environment meanwhile.
    expect(before.sort()).toEqual([
      "GET /projects/:id",
      "GET /projects/:id",
      "GET /projects/:id/job_token_scope",
      "GET /projects/:id/job_token_scope/allowlist",
      "GET /projects/:id/job_token_scope/groups_allowlist",
      "GET /projects/:id/protected_environments",
    ]);
    expect(writes()).toHaveLength(3);
    // Existing objects are not read at all.
    await save();
    place.service.requests.reset();
    expect((await place.run(["apply", FILE])).code).toBe(0);
    expect(place.service.requests.all).toEqual([]);
  });

  test("a saved plan of --refresh=false is applied while the state is what is live", async () => {
    await save("--refresh=false");
    expect((await place.run(["apply", FILE])).code).toBe(0);
    await place.byHand("DELETE", "/projects/1/protected_environments/production");
    place.write("main.tf.json", CONFIGURATION_OF_TWO_LEVELS);
    await save("--refresh=false");
    const { code, err } = await place.run(["apply", FILE]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("Plan again without") });
  });

  test("without changes can be saved and applied", async () => {
    await place.run(["apply", "--auto-approve", ...HERE]);
    const planned = await save();
    expect(planned.out).toContain("No changes.");
    expect(planned.out).toContain("Saved the plan to");
    expect((await place.run(["apply", FILE])).code).toBe(0);
  });

  test("with --replace recreates the object", async () => {
    await place.run(["apply", "--auto-approve", ...HERE]);
    const planned = await save("--replace", "steward_protected_environment.production");
    expect(planned.out).toContain("steward_protected_environment.production will be replaced, as requested");
    expect((await place.run(["apply", FILE])).out).toContain("1 added, 0 changed, 1 destroyed");
  });

  test("a saved plan can be applied in a checkout at another path", async () => {
    place.write("infra/main.tf.json", CONFIGURATION);
    place.write("states/.keep", "");
    await place.run(["plan", "--out", FILE, "--config", "infra", "--state", "states/web.tfstate"]);
    cpSync(path.join(place.folder, "infra"), path.join(place.folder, "elsewhere/infra"), { recursive: true });
    cpSync(path.join(place.folder, FILE), path.join(place.folder, "elsewhere", FILE));
    place.write("elsewhere/states/.keep", "");
    const { code, out, err } = await place.runIn("elsewhere", ["apply", FILE]);
    expect({ code, err: err.includes("Error") }).toEqual({ code: 0, err: false });
    expect(out).toContain("3 added");
    expect(place.read("elsewhere/states/web.tfstate")).toContain("steward_protected_environment");
  });

  test("a saved plan is refused when its declarations have moved to other lines, or are of another construct", async () => {
    const at = (metadata: object) => {
      const limit = { ...CONFIGURATION.resource.steward_job_token_scope.limit, "//": { metadata } };
      const resource = { ...CONFIGURATION.resource, steward_job_token_scope: { limit } };
      return { ...CONFIGURATION, resource };
    };
    place.write("main.tf.json", at({ path: "shop/limit", position: "main.ts:7" }));
    expect((await save()).out).toContain("# (construct shop/limit, main.ts:7)");
    place.write("main.tf.json", at({ path: "shop/other", position: "main.ts:7" }));
    expect((await place.run(["apply", FILE])).err).toContain("Configuration has changed since the plan");
    place.write("main.tf.json", at({ path: "shop/limit", position: "main.ts:9" }));
    expect((await place.run(["apply", FILE])).err).toContain("steward_job_token_scope.limit (position)");
  });

  test("a saved plan of a destroy deletes", async () => {
    await place.run(["apply", "--auto-approve", ...HERE]);
    await save("--destroy");
    const { code, out } = await place.run(["apply", FILE]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("Resources: 3 destroyed.") });
  });

  test("a saved plan of several stacks contains all of them, and show --json requires one", async () => {
    place.write(
      "app.js",
      `const { App, TerraformStack } = require("cdktf");
const app = new App();
for (const [name, project] of [["web", "acme/shop"], ["docs", "acme/docs"]]) {
  const stack = new TerraformStack(app, name);
  stack.addOverride("terraform.required_providers.steward.source", "registry.steward.example/steward/steward");
  stack.addOverride("provider.steward", [{}]);
  stack.addOverride("resource.steward_job_token_scope.limit", { project });
}
app.synth();`,
    );
    place.write("cdktf.json", { language: "typescript", app: "node app.js" });
    const env = { NODE_PATH: modules };
    expect((await place.run(["plan", "--out", FILE], env)).code).toBe(0);
    const both = await place.run(["show", "--json", FILE]);
    expect(both.err + both.out).toContain("Choose one with --stack NAME.");
    expect(JSON.parse((await place.run(["show", "--json", "--stack", "web", FILE])).out)).toMatchObject({
      resource_changes: [{ address: "steward_job_token_scope.limit" }],
    });
    const applied = await place.run(["apply", FILE], env);
    expect(applied.code).toBe(0);
    expect(applied.out.match(/1 added/g)).toHaveLength(2);
  });

  test("with an error in one project is saved; its apply does the rest and exits with 1", async () => {
    const configuration = structuredClone(CONFIGURATION) as { resource: Record<string, object> };
    configuration.resource["steward_job_token_allowlist_project"] = {
      nowhere: { project: "acme/nowhere", target_project: "acme/tools" },
    };
    place.write("main.tf.json", configuration);
    const planned = await save();
    expect(planned.code).toBe(1);
    expect(planned.out).toContain("Saved the plan to");
    const shown = JSON.parse((await place.run(["show", "--json", FILE])).out) as object;
    expect(shown).toMatchObject({ errored: true, complete: false, applyable: true });
    const applied = await place.run(["apply", FILE]);
    expect(applied.code).toBe(1);
    expect(applied.out).toContain("3 added");
    expect(applied.err).toContain("acme/nowhere");
  });
});

describe("a saved plan contains no secrets", () => {
  const SECRET = "acme/shop";

  test("neither the token nor sensitive variables, which must be given again", async () => {
    const configuration = structuredClone(CONFIGURATION) as Record<string, object>;
    configuration["provider"] = { steward: [{ token: "${var.token}" }] };
    configuration["variable"] = {
      token: { type: "string", sensitive: true },
      project: { type: "string", sensitive: true },
      levels: { type: "list(number)", default: [40] },
    };
    configuration["data"] = { steward_project: { shop: { project: "${var.project}" } } };
    place.write("main.tf.json", configuration);
    const secrets = { STEWARD_TOKEN: "", TF_VAR_token: TOKENS.maintainer, TF_VAR_project: SECRET };
    const planned = await place.run(["plan", "--out", FILE, ...HERE], secrets);
    expect(planned.err).toBe("");
    const text = place.read(FILE);
    for (const secret of [TOKENS.maintainer, SECRET]) {
      expect(text).not.toContain(secret);
      expect(base64Texts(text).join("\n")).not.toContain(secret);
      expect((await place.run(["show", "--json", FILE])).out).not.toContain(secret);
    }
    place.service.requests.reset();
    const without = await place.run(["apply", FILE], { TF_VAR_token: TOKENS.maintainer });
    expect(without.code).toBe(1);
    expect(without.err).toContain("TF_VAR_project");
    expect(place.service.requests.all).toEqual([]);
    const { code, out, err } = await place.run(["apply", FILE], secrets);
    expect({ code, err: err.includes("Error") }).toEqual({ code: 0, err: false });
    expect(out).toContain("3 added");
  });

  /** The decoded base64 texts of a file. */
  const base64Texts = (text: string): string[] =>
    [...text.matchAll(/"([A-Za-z0-9+/]{8,}={0,2})"/g)].map(([, one]) =>
      Buffer.from(one!, "base64").toString(),
    );
});

describe("a saved plan is refused, and nothing is sent,", () => {
  async function refused(
    message: string,
    env: Record<string, string> = {},
    ...more: string[]
  ): Promise<void> {
    const before = writes().length;
    const { code, err } = await place.run(["apply", FILE, ...more], env);
    expect(err).toContain(message);
    expect({ code, sent: writes().length - before }).toEqual({ code: 1, sent: 0 });
    expect(err).not.toContain("Internal error");
  }

  test("if it was already applied or the configuration has changed", async () => {
    await save();
    place.write("main.tf.json", { ...CONFIGURATION, locals: { more: 1 } });
    await refused("Configuration has changed since the plan");
    place.write("main.tf.json", CONFIGURATION);
    expect((await place.run(["apply", FILE])).code).toBe(0);
    await refused("State has changed since the plan");
  });

  test("if the service has changed since, with the reason", async () => {
    await save();
    place.service.faults.add({ method: "GET", route: "/projects/:id", status: 404, always: true });
    await refused("Saved plan does not fit the configuration");
    expect((await place.run(["apply", FILE])).err).toContain("No such project");
  });

  test("for another service, and if it is damaged, missing or not a plan", async () => {
    await save();
    await refused("Service differs from the plan", { STEWARD_BASE_URL: "http://127.0.0.1:9" });
    const bytes = readFileSync(path.join(place.folder, FILE));
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(path.join(place.folder, FILE), bytes);
    await refused("Saved plan is damaged");
    place.write(FILE, "{}");
    await refused("Not a saved plan");
    expect((await place.run(["apply", "nowhere"])).err).toContain("No saved plan");
    expect((await place.run(["plan", "--out", "no/such/folder", ...HERE])).err).toContain(
      "Plan can't be saved",
    );
  });

  test("with options that the plan fixes, and with another value of a variable", async () => {
    const configuration = { ...CONFIGURATION, variable: { who: { type: "string", default: "maya" } } };
    place.write("main.tf.json", configuration);
    await save();
    await refused("FILE and --destroy can't be combined", {}, "--destroy");
    await refused("FILE and --target can't be combined", {}, "--target", "steward_job_token_scope.limit");
    await refused("FILE and --exclude can't be combined", {}, "--exclude", "steward_job_token_scope.limit");
    await refused("Variable differs from the plan", {}, "--var", "who=devon");
  });
});
