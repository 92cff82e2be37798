import path from "node:path";
import { usePlace } from "../support/place";

const modules = path.join(__dirname, "..", "..", "..", "node_modules");

/** Two stacks with a variable of the same name each, and one that only one of them declares. */
const APP = `
const { App, TerraformStack } = require("cdktf");
const app = new App();
for (const [name, own] of [["web", "region"], ["docs", "emails"]]) {
  const stack = new TerraformStack(app, name);
  stack.addOverride("variable.shared", { type: "string" });
  stack.addOverride("variable." + own, { type: "list(string)" });
  stack.addOverride("output.all", { value: ["\${var.shared}", "\${var." + own + "}"] });
}
app.synth();
`;

const place = usePlace("all");
beforeAll(async () => {
  place.write("app.js", APP);
  place.write("cdktf.json", { language: "typescript", app: "node app.js" });
  place.write("terraform.tfvars", 'shared = "hcl"\nregion = ["north"]\n');
  place.write("terraform.tfvars.json", { shared: "json" });
  place.write("emails.auto.tfvars.json", { emails: ["maya@acme.example"] });
});

const run = (...args: string[]) => place.run(args, { NODE_PATH: modules });

describe("variables files beside cdktf.json", () => {
  test("give all stacks of the app their values, without a warning for those of other stacks", async () => {
    const { code, out, err } = await run("plan");
    expect(err).not.toContain("undeclared");
    expect(code).toBe(0);
    expect(out).toContain('"json",');
    expect(out).toContain('"maya@acme.example",');
    expect(out).toContain('"north",');
  });

  test("hold for one stack of the app as well", async () => {
    const { code, out, err } = await run("plan", "--stack", "docs");
    expect([code, err.includes("undeclared")]).toEqual([0, false]);
    expect(out).toContain('"maya@acme.example",');
  });

  test("warn of a variable that no stack declares", async () => {
    place.write("more.auto.tfvars.json", { nobodys: 1 });
    const { code, err } = await run("plan");
    expect(code).toBe(0);
    expect(err).toContain("Warning: Value for an undeclared variable");
    expect(err).toMatch(/more\.auto\.tfvars\.json gives a value for "nobodys"/);
  });

  test("are not read for another configuration, whose own folder counts", async () => {
    place.write("infra/main.tf.json", {
      variable: { shared: {} },
      output: { all: { value: "${var.shared}" } },
    });
    place.write("infra/x.auto.tfvars.json", { shared: "own" });
    const { code, out } = await run("plan", "--config", "infra");
    expect(code).toBe(0);
    expect(out).toContain('+ all = "own"');
  });
});
