import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv/dist/2020";
import { App } from "../support/app";
import { TOKENS, usePlace } from "../support/place";

const FIXTURE = {
  users: [
    {
      username: "maya",
      token: TOKENS.maintainer,
      tokens: [{ token: TOKENS.reader, name: "reader", scopes: ["read_api" as const] }],
    },
    { username: "nina" },
  ],
  groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" as const }] }],
  projects: [{ path: "acme/shop" }, { path: "acme/tools" }],
};
const SECRET = "a-secret-environment";

const place = usePlace("each", FIXTURE);

const protect = (project: string, name: string) => ({
  project,
  name,
  deploy_access_levels: [{ access_level: 40 }],
});
const declare = (folder: string, resource: object) =>
  place.write(`${folder}/cdk.tf.json`, {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    variable: { name: { type: "string", sensitive: true, default: SECRET } },
    resource,
  });
const schema = JSON.parse(readFileSync(path.join(__dirname, "../../../docs/report.schema.json"), "utf8"));
const FILES = ["r.json", "r.md", "r.html", "r.xml"];
const reports = FILES.flatMap((file) => ["--report", file]);

describe("--rights and --show-requests in reports", () => {
  test("rights and requests are data in JSON, rights are in Markdown and HTML, and neither secrets nor the token are anywhere", async () => {
    declare("one", {
      steward_protected_environment: {
        production: protect("acme/shop", "production"),
        secret: protect("acme/shop", `\${var.name}`),
      },
      steward_job_token_scope: { limit: { project: "acme/tools", inbound_enabled: false } },
      steward_project_invitation: {
        ada: { project: "acme/tools", email: "ada@example.com", access_level: 20 },
      },
    });
    const { code, out } = await place.run(
      ["plan", "--config", "one", "--json", "--rights", "--show-requests", ...reports],
      { STEWARD_TOKEN: TOKENS.reader },
    );
    expect(code).toBe(0);
    const report = JSON.parse(place.read("r.json"));
    const isValid = new Ajv({ strict: true }).compile(schema);
    expect([isValid(report), isValid.errors]).toEqual([true, null]);
    expect(report.rights).toEqual([
      { scope: "api", has: false },
      { role: "Maintainer", project: "acme/shop", has: true },
      { role: "Maintainer", project: "acme/tools", has: true },
    ]);
    expect(report.requests).toContainEqual({
      address: "steward_protected_environment.production",
      method: "POST",
      path: "/projects/1/protected_environments",
      body: { name: "production", deploy_access_levels: [{ access_level: 40 }] },
    });
    expect(report.requests).toContainEqual({
      address: "steward_project_invitation.ada",
      method: "POST",
      path: "/projects/2/invitations",
      body: { email: "a***@example.com", access_level: 20 },
    });
    expect(place.read("r.md")).toContain(
      "### Rights\n\n- `api`: missing\n- `Maintainer` in `acme/shop`, `acme/tools`\n",
    );
    expect(place.read("r.html")).toContain("<li>Maintainer in acme/shop, acme/tools</li>");
    for (const text of [out, ...FILES.map((file) => place.read(file))]) {
      expect(text).not.toContain(TOKENS.reader);
      expect(text).not.toContain(SECRET);
    }
    expect(place.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("rights and requests are left out of reports where they are not asked for", async () => {
    declare("one", { steward_job_token_scope: { limit: { project: "acme/tools", inbound_enabled: false } } });
    await place.run(["plan", "--config", "one", ...reports]);
    const report = JSON.parse(place.read("r.json"));
    expect([report.access, report.rights, report.requests]).toEqual([undefined, undefined, undefined]);
    expect(place.read("r.md") + place.read("r.html")).not.toContain("Rights");
  });
});

describe("--access and --rights over several stacks", () => {
  const STACKS = { "web-a": "acme/shop", "web-b": "acme/tools" };
  let app: App;
  beforeEach(() => {
    app = new App({ base_url: place.service.url, token: TOKENS.maintainer });
    app.declare(
      Object.fromEntries(
        Object.entries(STACKS).map(([name, project]) => [
          name,
          { resource: { steward_protected_environment: { production: protect(project, "production") } } },
        ]),
      ),
    );
  });
  afterEach(() => app.remove());
  const ARGS = ["plan", "--access", "--rights"];

  test("access and rights of several stacks are one report for people, below the stacks", async () => {
    const { code, out } = await app.run(...ARGS);
    expect(code).toBe(0);
    const [stacks, access] = out.split("\nAccess changes:\n");
    expect(stacks!.match(/^Stack .*/gm)).toEqual(["Stack web-a", "Stack web-b"]);
    expect(access).toContain("  project acme/shop\n");
    expect(access).toContain("  project acme/tools\n");
    expect(out.match(/^Access: /gm)).toHaveLength(1);
    expect(out.match(/^Rights: .*/gm)).toEqual(["Rights: api; Maintainer in acme/shop, acme/tools"]);
  });

  test("access and rights of several stacks are one list in JSON reports and in the last event, with the stack of each entry", async () => {
    const { out } = await app.run(...ARGS, "--json", "--report", "r.json");
    const report = JSON.parse(readFileSync(path.join(app.folder, "r.json"), "utf8"));
    const last = JSON.parse(out.trimEnd().split("\n").at(-1)!);
    expect(report.access.map(({ stack, project }: Record<string, string>) => [stack, project])).toEqual(
      Object.entries(STACKS),
    );
    expect(last.access).toEqual(report.access);
    expect(report.rights[0]).toEqual({ stacks: Object.keys(STACKS), scope: "api", has: true });
    expect(last.rights).toEqual(report.rights);
  });
});

describe("report --plan-json --access", () => {
  const RESOURCES = {
    steward_protected_environment: {
      production: {
        ...protect("acme/shop", "production"),
        deploy_access_levels: [{ user: "${steward_project_invitation.nina.user}" }],
      },
      staging: protect("acme/shop", "staging"),
    },
    steward_job_token_scope: { limit: { project: "acme/tools", inbound_enabled: false } },
    steward_project_invitation: { nina: { project: "acme/shop", user: "nina", access_level: 30 } },
  };
  const planOf = async (base_url?: string) => {
    place.write("one/cdk.tf.json", {
      terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
      provider: { steward: [base_url === undefined ? {} : { base_url }] },
      resource: RESOURCES,
    });
    const args = ["--config", "one", "--access", "--report", "own.json", "--out", "p.steward"];
    expect((await place.run(["plan", ...args])).code).toBe(0);
    place.write("plan.json", (await place.run(["show", "--json", "p.steward"])).out);
  };
  const ARGS = ["report", "--plan-json", "plan.json", "--access", "--report", "theirs.json"];

  test("shows what the plan itself shows", async () => {
    await planOf();
    place.service.requests.reset();
    const { code, out, err } = await place.run(ARGS);
    expect([code, err]).toEqual([0, ""]);
    const [own, theirs] = ["own.json", "theirs.json"].map((file) => JSON.parse(place.read(file)).access);
    expect(own.length).toBeGreaterThan(3);
    expect(theirs).toEqual(own);
    expect(out).toContain("environment staging: ");
    expect(place.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("report --access names the variables without a service or a token, and refuses a plan for another service", async () => {
    await planOf(place.service.url);
    const none = await place.run(ARGS, { STEWARD_TOKEN: "" });
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("STEWARD_BASE_URL and STEWARD_TOKEN")]);
    const other = await place.run(ARGS, { STEWARD_BASE_URL: "https://other.example" });
    expect([other.code, other.err]).toEqual([
      1,
      expect.stringContaining("environment names https://other.example"),
    ]);
    const without = await place.run(["report", "--plan-json", "plan.json"], { STEWARD_TOKEN: "" });
    expect(without.code).toBe(0);
  });
});
