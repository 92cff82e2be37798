import type { RequestEvent } from "../../../src/framework/protocol/protocol";
import { serveReattach } from "../../../src/plugin";
import { createProvider } from "../../../src/provider";
import { describeWith } from "../../support/capabilities";
import { TOKEN, useCompany } from "../support/company";
import { allDataSources, allResources, companyOfSamples } from "../support/declarations";

jest.setTimeout(120_000);

const AUDIT = `data "steward_current_user" "owner" {}
data "steward_current_user" "audit" {
  provider = steward.audit
}
output "users" {
  value = [data.steward_current_user.owner.username, data.steward_current_user.audit.username]
}
`;

describeWith("engine", "the provider served from the engine's process", (engine) => {
  const company = useCompany(engine, companyOfSamples());

  test("with TF_REATTACH_PROVIDERS, apply, plan and destroy succeed without init", async () => {
    const workspace = await company().reattached();
    workspace.write("main.tf", allResources() + allDataSources());
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
    await workspace.succeed("destroy", "-auto-approve");
  });

  test("each alias of the provider sends its requests with its own token", async () => {
    const workspace = await company().reattached();
    const settings = company().providerSettings("quickstart-readonly-token");
    workspace.write("main.tf", `${AUDIT}provider "steward" {\n  alias = "audit"\n${settings}\n}\n`);
    await workspace.apply();
    const { stdout } = await workspace.succeed("output", "-json", "users");
    expect(JSON.parse(stdout)).toEqual(["oskar", "audit-bot"]);
    company().service.requests.reset();
    await workspace.plan();
    expect(company().service.requests.all.map(({ url }) => url)).toEqual(["/api/v4/user", "/api/v4/user"]);
  });

  test("onRequest of a reattached provider receives an event for each request and each response", async () => {
    const events: RequestEvent[] = [];
    const reattached = await serveReattach(createProvider(), {
      run: { onRequest: (event) => events.push(event) },
    });
    const workspace = company().workspace(reattached.env);
    const settings = company().providerSettings(TOKEN);
    workspace.write(
      "main.tf",
      `provider "steward" {\n${settings}\n}\ndata "steward_current_user" "this" {}\n`,
    );
    await workspace.plan();
    await reattached.close();
    expect(events).toMatchObject([
      { type: "request", method: "GET", path: "/user" },
      { type: "answer", status: 200 },
    ]);
  });

  test("two concurrent applies with two running providers succeed", async () => {
    const workspaces = await Promise.all([company().reattached(), company().reattached()]);
    const outcomes = await Promise.all(
      workspaces.map((workspace, index) => {
        workspace.write(
          "main.tf",
          `resource "steward_job_token_scope" "this" {\n  project = "${index + 1}"\n}\n`,
        );
        return workspace.apply();
      }),
    );
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  });
});
