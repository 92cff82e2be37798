import { HOSTILE, takenLines } from "../../support/hostile";
import { CONFIGURATION, usePlace } from "../support/place";

const place = usePlace("all");
beforeAll(async () => {
  await place.run(["plan", "--config", ".", "--out", "saved.plan"]);
  place.write("plan.json", (await place.run(["show", "--json", "saved.plan"])).out);
  place.write(
    "own.js",
    `module.exports = [{
      name: "no Pages settings",
      why: "Pages are for the platform team.",
      check: (project) => project.ofType("steward_pages_settings").map(({ construct }) => ({ construct, what: "x", mend: "y" })),
    }];`,
  );
});

const report = (policy: string, plan = "plan.json") =>
  place.run(["report", "--plan-json", plan, "--policy", policy, "--report", "r.json"]);

/** A module whose rule finds this in each project. */
const finding = (violation: string) =>
  `module.exports = [{ name: "a rule", why: "Because.", check: (project) => [${violation}] }];`;

describe("policies over a plan as JSON", () => {
  test("accept a plan that violates no rule", async () => {
    const { code, err } = await report("own.js");
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  test("include the rules of the package and name the violating object", async () => {
    const rules = require.resolve("../../../src/constructs/policy/environment-rules");
    place.write(
      "package.js",
      `const { requiredApprovals, environmentProtected } = require(${JSON.stringify(rules)});
       module.exports = [environmentProtected("production"), requiredApprovals({ environment: "production", atLeast: 1 })];`,
    );
    const { code, err } = await report("package.js");
    expect(code).toBe(1);
    expect(err).toContain("Error: Policy violated");
    expect(err).toContain("with steward_protected_environment.production");
    expect(err).toContain('Policy "production needs 1 approval"');
    expect(err).not.toContain("production protected");
    const { result, stacks } = JSON.parse(place.read("r.json"));
    expect(result).toBe("failed");
    expect(JSON.stringify(stacks)).toContain("policy_violated");
  });

  test("see the planned result: no deleted objects, and expressions for unknown values", async () => {
    place.write(
      "seen.js",
      finding(
        '{ what: JSON.stringify(project.resources.map(({ type, attributes }) => [type, attributes])), mend: "" }',
      ),
    );
    const { err } = await report("seen.js");
    expect(err).toContain("steward_job_token_scope");
    expect(err).toContain("(known after apply)");
    await place.run(["apply", "--auto-approve", "--config", "."]);
    await place.run(["plan", "--destroy", "--config", ".", "--out", "destroy.plan"]);
    place.write("destroy.json", (await place.run(["show", "--json", "destroy.plan"])).out);
    expect((await report("seen.js", "destroy.json")).code).toBe(0);
  });

  test("never see sensitive values", async () => {
    const hidden = structuredClone(CONFIGURATION) as unknown as Record<string, Record<string, unknown>>;
    hidden["variable"] = { name: { type: "string", sensitive: true, default: "hush" } };
    Object.assign(
      (hidden["resource"] as typeof CONFIGURATION.resource).steward_protected_environment.production,
      {
        name: "${var.name}",
      },
    );
    place.write("hidden/main.tf.json", hidden);
    await place.run(["plan", "--config", "hidden", "--out", "hidden.plan"]);
    place.write("hidden.json", (await place.run(["show", "--json", "hidden.plan"])).out);
    const { code, out, err } = await report("seen.js", "hidden.json");
    expect(code).toBe(1);
    expect(`${out}${err}${place.read("r.json")}`).not.toContain("hush");
  });

  test.each([
    ["a missing file", undefined, "can't be loaded"],
    ["a module without a list", "module.exports = {};", "exports no list of rules"],
    [
      "a rule without a check",
      'module.exports = [{ name: "a", why: "b" }];',
      "exports no list of rules: 0.check",
    ],
    ["a module that throws", 'throw new Error("broken")', "can't be loaded: broken"],
    ["a rule that throws", finding("null.x"), 'The rule "a rule" failed'],
    ["a rule that returns an invalid result", finding("1"), 'The rule "a rule" failed'],
  ])("%s is an error", async (name, content, why) => {
    const file = `${name.replaceAll(" ", "-")}.js`;
    if (content !== undefined) place.write(file, content);
    const { code, err } = await report(file);
    expect(code).toBe(1);
    expect(err).toContain("Error: Policy can't be used");
    expect(err.replace(/\s+│?\s*/g, " ")).toContain(why);
  });

  test("hostile text of a rule never breaks a line", async () => {
    const hostileText = JSON.stringify(HOSTILE);
    place.write("hostile.js", finding(`{ what: "It says " + ${hostileText}, mend: ${hostileText} }`));
    const { err } = await report("hostile.js");
    expect(takenLines(err)).toEqual([]);
    expect(takenLines(place.read("r.json"))).toEqual([]);
  });
});
