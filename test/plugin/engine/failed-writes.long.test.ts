import { describeWith } from "../../support/capabilities";
import { useCompany } from "../support/company";

// The tests check the state of Terraform after failed writes. `provider/lost-responses` and `provider/already-exists` cover
// lost responses and existing objects, for both hosts.

jest.setTimeout(120_000);

const ALLOWLIST = `resource "steward_job_token_allowlist" "this" {
  project         = "acme/docs"
  target_projects = ["acme/deploy-tools", "acme/test-runner", "acme/web-shop"]
}
`;
const scope = (enabled: boolean, more = "") =>
  `resource "steward_job_token_scope" "this" {\n  project = "acme/docs"\n  inbound_enabled = ${enabled}\n${more}}\n`;

describeWith("engine", "writes that fail", (engine) => {
  const company = useCompany(engine);
  const failing = { status: 500, always: true } as const;

  test("if the second write of a create fails, the next apply completes the object without a delete", async () => {
    const { service } = company();
    const workspace = await company().reattached("max_attempts = 1");
    workspace.write("main.tf", ALLOWLIST);
    service.faults.add({ method: "POST", skip: 1, ...failing });
    const { code, output } = await workspace.run(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    expect(output).toContain("with steward_job_token_allowlist.this");
    const state = JSON.parse(workspace.read("terraform.tfstate")) as {
      resources: { instances: { status: string; attributes: { target_projects: string[] } }[] }[];
    };
    expect(state.resources[0]!.instances[0]).toMatchObject({ status: "tainted" });
    expect(state.resources[0]!.instances[0]!.attributes.target_projects).toHaveLength(1);

    service.faults.clear();
    service.requests.reset();
    await workspace.apply();
    const writes = service.requests.all.filter(({ method }) => method !== "GET");
    expect(writes.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("after the create of a setting with prevent_destroy fails, the next apply creates the setting", async () => {
    const workspace = await company().reattached("max_attempts = 1");
    workspace.write("main.tf", scope(false, "  lifecycle {\n    prevent_destroy = true\n  }\n"));
    company().service.faults.add({ method: "PATCH", ...failing });
    expect((await workspace.run(["apply", "-auto-approve"])).code).toBe(1);
    expect(await workspace.state()).toEqual({});
    company().service.faults.clear();
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("if an update fails, the state still contains the earlier value", async () => {
    const workspace = await company().reattached("max_attempts = 1");
    workspace.write("main.tf", scope(true));
    await workspace.apply();
    workspace.write("main.tf", scope(false));
    company().service.faults.add({ method: "PATCH", ...failing });
    expect((await workspace.run(["apply", "-auto-approve"])).code).toBe(1);
    expect(await workspace.state()).toMatchObject({
      "steward_job_token_scope.this": { inbound_enabled: true },
    });
    company().service.faults.clear();
    expect(await workspace.actions()).toEqual({ "steward_job_token_scope.this": ["update"] });
  });
});
