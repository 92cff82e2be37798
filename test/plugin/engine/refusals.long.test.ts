import { describeWith } from "../../support/capabilities";
import { HOSTILE, obeyedLines } from "../../support/hostile";
import { HttpProxy } from "../../support/http-proxy";
import { Company, useCompany } from "../support/company";

// The tests check that Terraform prints the provider's refusals. Other suites test the refusals themselves, in one process.

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
const environment = (rules = "[]") => `resource "steward_protected_environment" "this" {
  project              = "acme/web-shop"
  name                 = "production"
  deploy_access_levels = [{ access_level = 40 }]
  approval_rules       = ${rules}
}
`;
const CURRENT_USER = 'data "steward_current_user" "this" {}\n';
/** A delay in milliseconds that exceeds the timeout of every attempt. */
const DELAY = 60_000;
const ALLOWLIST = "/projects/:id/job_token_scope/allowlist";

describeWith("engine", "refusals", (engine) => {
  const company = useCompany(engine);
  const prepared = async (hcl: string, settings?: string) => {
    const workspace = await company().reattached(settings);
    workspace.write("main.tf", hcl);
    return workspace;
  };

  test("if a whole allowlist and one of its entries are declared, plan fails, even with -replace", async () => {
    const workspace = await prepared(WHOLE);
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

  test.each([
    [
      "because the token lost its rights",
      ["/projects/:id", ALLOWLIST],
      "Object not checked, and kept in the state",
    ],
    ["because a feature was switched off", [ALLOWLIST], "Not available in this project"],
  ])(
    "if an object can't be read %s, plan fails and suggests a removed block",
    async (_why, routes, summary) => {
      const { service } = company();
      const workspace = await prepared(ENTRY);
      await workspace.apply();
      for (const route of routes) service.faults.add({ method: "GET", route, status: 404, always: true });
      const { code, output } = await workspace.run(["plan"]);
      expect(code).toBe(1);
      expect(output).toContain(summary);
      expect(output).not.toContain("No changes");
      const block = /^removed \{[\s\S]*?^\}/m.exec(output.replace(/^\s*[│╷╵] ?/gm, ""))![0];
      expect(block).toContain("from = steward_job_token_allowlist_project.NAME");

      workspace.write("main.tf", block.replace("NAME", "this"));
      service.requests.reset();
      await workspace.apply();
      expect(service.requests.count()).toBe(0);
      expect(await workspace.state()).toEqual({});

      service.faults.clear();
      const target = (await company().http("GET", "/projects/acme%2Fdeploy-tools")) as {
        readonly id: number;
      };
      // The apply has created the object, but no state contains it, so the test deletes it.
      await company().http("DELETE", `/projects/acme%2Fdocs/job_token_scope/allowlist/${target.id}`);
    },
  );

  test("if the service does not respond, the plan fails after the provider's timeout with an error about the service", async () => {
    const workspace = await prepared(CURRENT_USER, "request_timeout = 1\n  max_attempts = 1");
    company().service.faults.add({ route: "/user", delay: DELAY });
    const { code, output } = await workspace.run(["plan"]);
    expect(code).toBe(1);
    expect(output).toContain("with data.steward_current_user.this");
    expect(output).toMatch(/1\s+second|timed? ?out|did not answer/i);
    expect(output).not.toContain("Plugin did not respond");
  });

  test.each([
    ["[{ access_level = 40, required_approvals = 9007199254740993 }]", "9007199254740993 has too many"],
    ["[{ access_level = 40.5 }]", "40.5 is not a valid value"],
    ["[{ access_level = 1e30 }]", "1e+30 is not a valid value"],
    ['[{ user = "devon", access_level = 40 }]', 'approval_rules[user "devon", access_level 40]'],
  ])(
    "the error for an element of a set contains the line number and all digits of a number: %s",
    async (rules, shown) => {
      const workspace = await prepared(environment(rules));
      const { code, output } = await workspace.run(["validate"]);
      expect(code).toBe(1);
      expect(output).toContain(shown);
      expect(output).toMatch(/on main\.tf line 5, in resource "steward_protected_environment" "this"/);
    },
  );
});

describeWith("engine", "refusal messages of the service", (engine) => {
  const company = useCompany(engine, undefined, Company.installing);
  let proxy: HttpProxy;
  let url: string;
  beforeAll(async () => {
    proxy = new HttpProxy(company().service.url, async (passage) => {
      if (passage.url.includes("protected_environments")) passage.refuse(400, HOSTILE);
      else passage.answer(await passage.forward());
    });
    url = await proxy.start();
  });
  afterAll(() => proxy.close());

  test.each([[["-no-color"]], [["-json"]]])(
    "line breaks in an error message of the service add no line to the output of apply with %j",
    async (options) => {
      const workspace = await company().reattached();
      workspace.write("main.tf", environment());
      workspace.write("provider.tf", workspace.read("provider.tf").replace(company().service.url, url));
      const { code, output } = await workspace.run(["apply", "-auto-approve", ...options]);
      expect(code).toBe(1);
      expect(output).toContain("PWNED");
      // Terraform may break the detail of an error between any two words. No line may begin with a word that is a
      // command for a terminal or a CI system.
      expect(obeyedLines(output)).toEqual([]);
    },
  );

  test("line breaks in an error message of the service add no line to Terraform's log of the provider", async () => {
    const workspace = company().workspace({ STEWARD_BASE_URL: url, TF_LOG_PROVIDER: "trace" });
    workspace.write("main.tf", environment());
    await workspace.succeed("init");
    const { output } = await workspace.run(["apply", "-auto-approve"]);
    expect(output).toContain("protected_environments");
    // Tabs are replaced, because Terraform's own messages contain them.
    expect(obeyedLines(output.replaceAll("\t", " "))).toEqual([]);
  });
});
