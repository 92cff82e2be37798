import { describeWith } from "../../support/capabilities";
import { Company } from "../support/company";

jest.setTimeout(120_000);

const ENTRY = `resource "steward_job_token_allowlist_project" "this" {
  project        = "acme/docs"
  target_project = "acme/deploy-tools"
}
`;
const WHOLE = `resource "steward_job_token_allowlist" "this" {
  project         = "acme/docs"
  target_projects = ["acme/deploy-tools"]
}
`;
/** Long enough that no attempt is answered in the time that the provider gives it. */
const DELAY = 60_000;

describeWith("engine", "refusals before anything is sent", (engine) => {
  let company: Company;
  beforeAll(async () => {
    company = await Company.start(engine);
  });
  afterEach(() => company.service.faults.clear());
  afterAll(() => company.end());

  test("destroying something of an archived project", async () => {
    const workspace = await company.reattached();
    workspace.write("main.tf", ENTRY);
    await workspace.apply();
    await company.http("PUT", "/projects/acme%2Fdocs", { archived: true });
    company.service.requests.reset();
    const { code, output } = await workspace.run(["destroy", "-auto-approve"]);
    expect(code).toBe(1);
    expect(output).toContain("The project is archived");
    expect(output).toContain("terraform state rm");
    expect(company.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
    await company.http("PUT", "/projects/acme%2Fdocs", { archived: false });
    await workspace.succeed("destroy", "-auto-approve");
  });

  test("an allowlist that is owned as a whole and by single entries, also with -replace", async () => {
    const workspace = await company.reattached();
    workspace.write("main.tf", WHOLE);
    await workspace.apply();
    workspace.write("main.tf", WHOLE + ENTRY);
    for (const words of [["plan"], ["plan", "-replace=steward_job_token_allowlist.this"]]) {
      const { code, output } = await workspace.run(words);
      expect(code).toBe(1);
      expect(output).toContain("Declared twice");
    }
    workspace.write("main.tf", WHOLE);
    await workspace.apply("-replace=steward_job_token_allowlist.this");
    expect((await workspace.plan()).changes).toBe(false);
    await workspace.succeed("destroy", "-auto-approve");
  });
});

const ALLOWLIST = "/projects/:id/job_token_scope/allowlist";

describeWith("engine", "an object that can't be read", (engine) => {
  let company: Company;
  beforeAll(async () => {
    company = await Company.start(engine);
  });
  afterEach(() => company.service.faults.clear());
  afterAll(() => company.end());

  test.each([
    [
      "because the token lost its rights",
      ["/projects/:id", ALLOWLIST],
      "No longer visible, kept in the state",
    ],
    ["because a feature was switched off", [ALLOWLIST], "Not available in this project"],
  ])(
    "%s stops the plan, and the message's block removes it from the state",
    async (_why, routes, summary) => {
      const workspace = await company.reattached();
      workspace.write("main.tf", ENTRY);
      await workspace.apply();
      for (const route of routes)
        company.service.faults.add({ method: "GET", route, status: 404, always: true });
      const { code, output } = await workspace.run(["plan"]);
      expect(code).toBe(1);
      expect(output).toContain(summary);
      expect(output).not.toContain("No changes");
      const text = output.replace(/^\s*[│╷╵] ?/gm, "");
      const block = /^removed \{[\s\S]*?^\}/m.exec(text)![0];
      expect(block).toContain("from = steward_job_token_allowlist_project.NAME");

      workspace.write("main.tf", block.replace("NAME", "this"));
      company.service.requests.reset();
      await workspace.apply();
      expect(company.service.requests.count()).toBe(0);
      expect(await workspace.state()).toEqual({});

      company.service.faults.clear();
      const target = (await company.http("GET", "/projects/acme%2Fdeploy-tools")) as { readonly id: number };
      // It stands on the service as before, until somebody takes it away by hand.
      await company.http("DELETE", `/projects/acme%2Fdocs/job_token_scope/allowlist/${target.id}`);
    },
  );
});

describeWith("engine", "a service that does not answer", (engine) => {
  let company: Company;
  beforeAll(async () => {
    company = await Company.start(engine);
  });
  afterAll(() => company.end());

  test("fails a plan after the provider's timeout, with an error that says so", async () => {
    const workspace = await company.reattached("request_timeout = 1\n  max_attempts = 1");
    workspace.write("main.tf", 'data "steward_current_user" "this" {}\n');
    company.service.faults.add({ route: "/user", delay: DELAY });
    const { code, output } = await workspace.run(["plan"]);
    expect(code).toBe(1);
    expect(output).toContain("with data.steward_current_user.this");
    expect(output).toMatch(/1\s+second|timed? ?out|did not answer/i);
    expect(output).not.toContain("Plugin did not respond");
  });
});
