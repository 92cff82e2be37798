import { describeWith } from "../../support/capabilities";
import { Company } from "../support/company";

jest.setTimeout(120_000);

const ALLOWLIST = `resource "steward_job_token_allowlist" "this" {
  project         = "acme/docs"
  target_projects = ["acme/deploy-tools", "acme/test-runner", "acme/web-shop"]
}
`;

describeWith("engine", "writes that fail", (engine) => {
  let company: Company;
  beforeAll(async () => {
    company = await Company.start(engine);
  });
  afterEach(() => company.service.faults.clear());
  afterAll(() => company.end());

  test("a create that failed halfway is in the state, tainted, and the next apply completes it without removing anything", async () => {
    const workspace = await company.reattached("max_attempts = 1");
    workspace.write("main.tf", ALLOWLIST);
    company.service.faults.add({ method: "POST", skip: 1, status: 500, always: true });
    const { code, output } = await workspace.run(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    expect(output).toContain("with steward_job_token_allowlist.this");
    const state = JSON.parse(workspace.read("terraform.tfstate")) as {
      resources: { instances: { status: string; attributes: { target_projects: string[] } }[] }[];
    };
    expect(state.resources[0]!.instances[0]).toMatchObject({ status: "tainted" });
    expect(state.resources[0]!.instances[0]!.attributes.target_projects).toHaveLength(1);

    company.service.faults.clear();
    company.service.requests.reset();
    await workspace.apply();
    const writes = company.service.requests.all.filter(({ method }) => method !== "GET");
    expect(writes.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("a setting whose create failed is not tainted, so that prevent_destroy does not refuse the next apply", async () => {
    const workspace = await company.reattached("max_attempts = 1");
    workspace.write(
      "main.tf",
      'resource "steward_job_token_scope" "this" {\n  project = "acme/docs"\n  inbound_enabled = false\n' +
        "  lifecycle {\n    prevent_destroy = true\n  }\n}\n",
    );
    company.service.faults.add({ method: "PATCH", status: 500, always: true });
    expect((await workspace.run(["apply", "-auto-approve"])).code).toBe(1);
    expect(await workspace.state()).toEqual({});
    company.service.faults.clear();
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("an update that failed halfway keeps its done part in the state, untainted", async () => {
    const workspace = await company.reattached("max_attempts = 1");
    const scope = (enabled: boolean) =>
      `resource "steward_job_token_scope" "this" {\n  project = "acme/docs"\n  inbound_enabled = ${enabled}\n}\n`;
    workspace.write("main.tf", scope(true));
    await workspace.apply();
    workspace.write("main.tf", scope(false));
    company.service.faults.add({ method: "PATCH", status: 500, always: true });
    expect((await workspace.run(["apply", "-auto-approve"])).code).toBe(1);
    expect(await workspace.state()).toMatchObject({
      "steward_job_token_scope.this": { inbound_enabled: true },
    });
    company.service.faults.clear();
    expect(await workspace.actions()).toEqual({ "steward_job_token_scope.this": ["update"] });
  });

  test("a create with a lost response is verified, and sent again, by the same apply", async () => {
    const workspace = await company.reattached();
    workspace.write(
      "main.tf",
      `resource "steward_protected_environment" "this" {
  for_each = toset(["one", "two"])
  project  = "acme/docs"
  name     = each.key
  deploy_access_levels = [{ access_level = 40 }]
}
`,
    );
    const route = "/projects/:id/protected_environments";
    company.service.faults.add({ method: "POST", route, status: 503, after_work: true });
    company.service.faults.add({ method: "POST", route, cut: true });
    company.service.requests.reset();
    await workspace.apply();
    expect(company.service.requests.count("POST", route)).toBe(3);
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("an invitation of an invited person is refused by the plan, whatever the level", async () => {
    const workspace = await company.reattached();
    workspace.write(
      "main.tf",
      'resource "steward_project_invitation" "this" {\n  project = "acme/docs"\n  email = "ada@example.com"\n  access_level = 30\n}\n',
    );
    await company.http("POST", "/projects/acme%2Fdocs/invitations", {
      email: "ada@example.com",
      access_level: 20,
    });
    const { code, output } = await workspace.run(["plan"]);
    expect(code).toBe(1);
    expect(output).toMatch(/"\d+:ada@example\.com" exists on the service/);
  });

  test("an object that another client created meanwhile is refused, with the command to import it", async () => {
    const workspace = await company.reattached();
    workspace.write(
      "main.tf",
      'resource "steward_protected_environment" "this" {\n  project = "acme/web-shop"\n  name = "staging"\n  deploy_access_levels = [{ access_level = 40 }]\n}\n',
    );
    await company.http("POST", "/projects/acme%2Fweb-shop/protected_environments", {
      name: "staging",
      deploy_access_levels: [{ access_level: 30 }],
    });
    const { code, output } = await workspace.run(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    expect(output).toContain("1:staging");
    expect(await workspace.state()).toEqual({});
  });
});
