import { synthesizeOnce } from "../support/app";
import { usePlace } from "../support/place";

/** Two stacks, each with its own setting, and both with one at the same address. */
const APP = `
const { App, TerraformStack } = require("cdktf");
const app = new App();
for (const [name, project] of [["web", "acme/shop"], ["docs", "acme/docs"]]) {
  const stack = new TerraformStack(app, name);
  stack.addOverride("terraform.required_providers.steward.source", "registry.steward.example/steward/steward");
  stack.addOverride("provider.steward", [{}]);
  stack.addOverride("resource.steward_job_token_scope." + name, { project });
  stack.addOverride("resource.steward_job_token_scope.both", { project: "acme/tools" });
}
app.synth();
`;

const place = usePlace("all");
beforeAll(async () => {
  synthesizeOnce(place, APP);
});

const run = (...args: string[]) => place.run(args);
const type = "steward_job_token_scope";

/** Tests build on each other. */
describe("in an app of several stacks", () => {
  test("import selects the stack that declares the address", async () => {
    const { code, out } = await run("import", `${type}.docs`, "acme/docs");
    expect(code).toBe(0);
    expect(out).toContain(`${type}.docs was imported with the id 3.`);
    expect(place.read("terraform.docs.tfstate")).toContain('"name": "docs"');
    expect(() => place.read("terraform.web.tfstate")).toThrow("ENOENT");
  });

  test("import requires --stack if several stacks declare the address", async () => {
    const unclear = await run("import", `${type}.both`, "acme/tools");
    expect(unclear.code).toBe(1);
    expect(unclear.err).toContain(
      `Several stacks declare ${type}.both: docs, web. Choose one with --stack NAME.`,
    );
    expect((await run("import", "--stack", "web", `${type}.both`, "acme/tools")).code).toBe(0);
    expect(place.read("terraform.web.tfstate")).toContain('"name": "both"');
  });

  test("import reports an address that no stack declares", async () => {
    const { code, err } = await run("import", `${type}.none`, "1");
    expect(code).toBe(1);
    expect(err).toContain("None of the stacks (docs, web) declares");
  });

  test("state list groups by stack, and prints only addresses for one stack", async () => {
    expect((await run("state", "list")).out).toBe(`\nStack docs\n${type}.docs\n\nStack web\n${type}.both\n`);
    expect((await run("state", "list", "--stack", "docs")).out).toBe(`${type}.docs\n`);
  });

  test("state rm finds the state with the address; state pull requires --stack", async () => {
    expect((await run("state", "pull")).err).toContain("state pull takes one. Choose one with --stack NAME.");
    expect((await run("state", "rm", `${type}.docs`)).out).toContain(`Removed ${type}.docs\n`);
    expect((await run("state", "list", "--stack", "docs")).out).toBe("");
  });

  test("--exclude leaves out an address of one stack; one that no stack has is an error", async () => {
    const plan = await run("plan", "--exclude", `${type}.web`, `${type}.both`);
    expect(plan.code).toBe(0);
    expect(plan.out).not.toContain(`# ${type}.web will be`);
    const { code, err } = await run("plan", "--exclude", `${type}.wbe`);
    expect(code).toBe(1);
    expect(err).toContain(`--exclude ${type}.wbe is neither in the configuration nor in the state.`);
  });
});
