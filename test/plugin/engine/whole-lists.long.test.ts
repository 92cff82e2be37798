import { describeWith } from "../../support/capabilities";
import { useCompany } from "../support/company";

// Terraform plans a new object again during apply, and this plan does not contain the live entries of the list. The tests
// check that the create of a whole list still works.

jest.setTimeout(120_000);

const ALLOWLIST = `resource "steward_job_token_allowlist" "this" {
  project         = "acme/docs"
  target_projects = ["acme/deploy-tools"]
}
`;

const ENTRY = `resource "steward_job_token_allowlist_project" "runner" {
  project        = "acme/docs"
  target_project = "acme/test-runner"
}
`;

describeWith("engine", "the create of a whole list", (engine) => {
  const company = useCompany(engine);

  test("the first apply of a whole allowlist keeps undeclared live entries, and the second apply removes them", async () => {
    const { service } = company();
    const workspace = await company().reattached();
    workspace.write("main.tf", ENTRY);
    await workspace.apply();
    await workspace.run(["state", "rm", "steward_job_token_allowlist_project.runner"]);
    workspace.write("main.tf", ALLOWLIST);
    service.requests.reset();
    const { output } = await workspace.run(["apply", "-auto-approve"]);
    expect(output).toContain("from the job token allowlist of acme/docs: acme/test-runner");
    expect(output).toContain("Steward keeps them.");
    const sent = () => service.requests.all.map(({ method }) => method).filter((method) => method !== "GET");
    expect(sent()).toEqual(["POST"]);
    const plan = await workspace.run(["plan"]);
    expect(plan.output).toMatch(/- "acme\/test-runner"/);
    await workspace.apply();
    expect(sent()).toEqual(["POST", "DELETE"]);
    expect((await workspace.plan()).changes).toBe(false);
  });
});
