import { synthesizeOnce } from "../support/app";
import { usePlace } from "../support/place";

/** Two stacks, the second using a value of the first, which cdktf synthesizes as an output and a terraform_remote_state. */
const APP = `
const { App, TerraformOutput, TerraformResource, TerraformStack } = require("cdktf");
class Resource extends TerraformResource {
  constructor(scope, id, type, attributes) {
    super(scope, id, { terraformResourceType: type });
    this.attributes = attributes;
  }
  synthesizeAttributes() {
    return this.attributes;
  }
}
const app = new App();
const [callers, base] = ["callers", "base"].map((name) => {
  const stack = new TerraformStack(app, name);
  stack.addOverride("terraform.required_providers.steward.source", "registry.steward.example/steward/steward");
  stack.addOverride("provider.steward", [{}]);
  return stack;
});
const limit = new Resource(base, "limit", "steward_job_token_scope", { project: "acme/shop" });
const project = limit.getStringAttribute("id");
new Resource(callers, "tools", "steward_job_token_allowlist", { project, target_projects: ["acme/tools"] });
new TerraformOutput(callers, "seen", { value: project });
app.synth();
`;

const place = usePlace("all");
beforeAll(async () => {
  synthesizeOnce(place, APP);
});

const run = (...args: string[]) => place.run(args);
const stacksIn = (out: string) => [...out.matchAll(/^Stack (\w+)$/gm)].map(([, name]) => name);

/** Tests build on each other. */
describe("a stack that uses a value of another one", () => {
  test("can't be planned before the other is applied, and the error says so", async () => {
    const { code, out, err } = await run("plan");
    expect([code, stacksIn(out)]).toEqual([1, ["base", "callers"]]);
    expect(out).toContain("steward_job_token_scope.limit will be created");
    expect(err).toContain("No state to read outputs from");
    expect(err).toContain("terraform.base.tfstate");
  });

  test("is applied after it, in one command", async () => {
    const { code, out, err } = await run("apply", "--auto-approve");
    expect([code, err.includes("Error"), stacksIn(out)]).toEqual([0, false, ["base", "callers"]]);
    expect((await run("output", "--stack", "callers", "--raw", "seen")).out).toBe("1");
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("is destroyed before it", async () => {
    const { code, out } = await run("destroy", "--auto-approve");
    expect([code, stacksIn(out)]).toEqual([0, ["callers", "base"]]);
  });
});
