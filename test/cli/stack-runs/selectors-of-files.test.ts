import { Aspects } from "cdktf";
import {
  AccessLevel,
  Fleet,
  type FleetConfig,
  ProjectPolicy,
  ProjectSettings,
  requiredApprovals,
  type Waiver,
} from "../../../src/constructs";
import { FleetPlace } from "../support/fleet-place";

// In waivers, ignore files, owner files, policies and minimum settings, texts select projects, rules and environments. The
// tests check that Steward reports a text that matches nothing, and suggests a similar one.

const FLEET: FleetConfig = {
  projects: { group: "acme" },
  baseline: {
    inboundEnabled: true,
    protectedEnvironments: { production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] } },
  },
};
const UNTIL = new Date(Date.now() + 100 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const OF_WAIVER = { reason: "a test", owner: "maya", until: UNTIL };

let place: FleetPlace;
beforeAll(async () => {
  place = await FleetPlace.open(["shop", "cart"]);
});
afterAll(() => place.close());

const declare = (config: Partial<FleetConfig> = {}, policy?: ProjectPolicy) =>
  place.declare({
    estate: (stack) => {
      new Fleet(stack, "acme", { ...FLEET, ...config });
      if (policy !== undefined) Aspects.of(stack).add(policy);
    },
  });
const write = (file: string, content: string) => place.place.write(file, content);
/** Returns a waiver as an element of a YAML list. */
const waiver = (values: object) => `- ${JSON.stringify({ ...OF_WAIVER, ...values })}\n`;

/** Runs a command. Returns the output as one line, and the exit code. */
async function run(...words: readonly string[]) {
  const { code, text } = await place.run(...words, "--no-color");
  return { code, text: text.replaceAll(/\s*\n│? */g, " ") };
}

describe("an ignore file of drift", () => {
  beforeAll(async () => {
    declare();
    await place.apply();
  });

  test.each([
    [
      "a mistyped project",
      { setting: "steward_job_token_scope.*", project: "acme/shpo" },
      '"ignore.yaml" ignores steward_job_token_scope.* ("a test") in "acme/shpo", but no project or group of this run has such a path. Did you mean "acme/shop"?',
    ],
    [
      "a mistyped pattern of projects",
      { setting: "*", project: "acme/shpo*" },
      'in "acme/shpo*", but no project or group of this run has such a path. Did you mean "acme/shop*"?',
    ],
    [
      "a mistyped type",
      { setting: "steward_job_token_scpoe.*", project: "*" },
      'ignores steward_job_token_scpoe.* ("a test"), but this run found no such object. Did you mean "steward_job_token_scope.*"?',
    ],
    [
      "an object of another project",
      { setting: "steward_pages_settings.*", project: "acme/shop" },
      "but this run found no such object in acme/shop.",
    ],
  ])("drift warns about an ignore file with %s", async (_, values, message) => {
    write("ignore.yaml", waiver(values));
    const { code, text } = await run("drift", "--ignore", "ignore.yaml");
    expect(text).toContain(message);
    expect(text).toContain("Warning: Waiver matches no");
    expect(code).toBe(0);
  });

  test.each([
    ["a project of the app", { setting: "*", project: "acme/shop" }, []],
    ["another spelling of a project", { setting: "*", project: "ACME/Shop" }, []],
    ["a project that the run leaves out", { setting: "*", project: "acme/cart" }, ["--project", "acme/shop"]],
    [
      "undeclared objects of any project, without a search for them",
      { setting: "*", project: "acme/new", kind: "unmanaged" },
      [],
    ],
  ])("drift gives no warning about an ignore file with %s", async (_, values, words) => {
    write("ignore.yaml", waiver(values));
    const { code, text } = await run("drift", "--ignore", "ignore.yaml", ...words);
    expect(text).not.toContain("_unmatched");
    expect(code).toBe(0);
  });

  test("if the project of a waiver in the ignore file does not exist, drift --coverage suggests a similar project", async () => {
    write(
      "ignore.yaml",
      waiver({ setting: "steward_pages_settings *", kind: "unmanaged", project: "acme/crat" }),
    );
    const { text } = await run("drift", "--coverage", "--ignore", "ignore.yaml");
    expect(text).toContain('no project or group of this run has such a path. Did you mean "acme/cart"?');
  });
});

describe("a waiver of a rule", () => {
  beforeAll(() => {
    declare();
    write(
      "policy.js",
      'module.exports = [{ name: "no rule", why: "A test.", level: "advisory", check: () => [] }];',
    );
  });

  test.each([
    ["a mistyped project", "acme/shpo", 'Did you mean "acme/shop"?'],
    ["a mistyped pattern", "acme/shpo*", 'Did you mean "acme/shop*"?'],
  ])("plan warns about a waiver with %s", async (_, project, hint) => {
    write("waivers.yaml", waiver({ rule: "no rule", project }));
    const { code, text } = await run("plan", "--policy", "policy.js", "--waivers", "waivers.yaml");
    expect(text).toContain(
      `A waiver of the rule "no rule" names "${project}". The app declares nothing in such a project or group. ${hint}`,
    );
    expect(code).toBe(0);
  });

  test.each([
    ["a project of the app", "acme/shop", []],
    ["a project that the run leaves out", "acme/cart", ["--project", "acme/shop"]],
  ])("plan gives no warning about a waiver with %s", async (_, project, words) => {
    write("waivers.yaml", waiver({ rule: "no rule", project }));
    const { text } = await run("plan", "--policy", "policy.js", "--waivers", "waivers.yaml", ...words);
    expect(text).not.toContain("_unmatched");
  });

  test("if a project in a waiver of ProjectPolicy is mistyped, plan suggests a similar project", async () => {
    const waivers = [
      { rule: "every environment needs 1 approval", project: "acme/shpo", ...OF_WAIVER },
    ] as Waiver[];
    const rules = [{ ...requiredApprovals({ atLeast: 1 }), level: "advisory" as const }];
    place.declare({
      estate: (stack) => {
        new ProjectSettings(stack, "shop", { project: "acme/shop", inboundEnabled: true });
        Aspects.of(stack).add(new ProjectPolicy({ rules, waivers }));
      },
    });
    const { code, text } = await run("plan", "--policy", "policy.js");
    expect(text).toContain(
      'names "acme/shpo". The app declares nothing in such a project or group. Did you mean "acme/shop"?',
    );
    expect(code).toBe(0);
  });
});

describe("a policy rule for an environment that no project protects", () => {
  const rules = (options = {}) => [
    {
      ...requiredApprovals({ environment: "prodution", atLeast: 0, ...options }),
      level: "advisory" as const,
    },
  ];

  test("if no project protects the environment of a ProjectPolicy rule, plan warns and suggests a similar name", async () => {
    declare({}, new ProjectPolicy({ rules: rules() }));
    const { code, text } = await run("plan");
    expect(text).toContain(
      'Policy "prodution needs 0 approvals": no project protects an environment "prodution", so the rule checks nothing. Did you mean "production"?',
    );
    expect(code).toBe(0);
  });

  test("if no project protects the environment of a rule in a --policy file, plan warns", async () => {
    declare();
    write(
      "environments.js",
      'module.exports = [{ name: "rule", why: "A test.", environment: "prodution", check: () => [] }];',
    );
    const { code, text } = await run("plan", "--policy", "environments.js");
    expect(text).toContain(
      'The policy "rule" is about the environment "prodution", and no project of the app protects such an environment. Did you mean "production"?',
    );
    expect(code).toBe(0);
  });

  test("if a rule's environment resembles no protected environment, plan does not warn about the rule", async () => {
    declare({}, new ProjectPolicy({ rules: rules({ environment: "staging" }) }));
    expect((await run("plan")).text).not.toContain("staging");
  });

  test("if a rule has allowEmpty, plan does not warn about the rule's environment", async () => {
    declare({}, new ProjectPolicy({ rules: rules({ allowEmpty: true }) }));
    expect((await run("plan")).text).not.toContain("prodution");
  });
});

test("if no layer declares an environment, a fleet refuses minimum settings (`floor`) for this environment", async () => {
  const floor = {
    protectedEnvironments: { prodution: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] } },
  };
  expect(() => declare({ floor })).toThrow(
    /No layer sets protectedEnvironments\.prodution\.deployAccessLevels, and the floor is .* Did you mean "production"\?/,
  );
});

describe("a file of owners", () => {
  const OWNERS = "acme/* @maya\nacme/shpo @devon\nestate @maya\n";

  beforeAll(async () => {
    declare();
    await place.apply();
    await place.place.byHand(
      "PATCH",
      "/projects/1/job_token_scope",
      { enabled: false },
      place.place.service.adminToken,
    );
    write("OWNERS", OWNERS);
  });

  test("if a line of the owners file matches nothing in the report, ci issues warns about this line", async () => {
    expect((await run("drift", "--report", "drift.json")).code).toBe(2);
    const { code, text } = await run("ci", "issues", "drift.json", "--owners", "OWNERS", "--dry-run");
    expect(text).toContain(
      'OWNERS, line 2 names owners of "acme/shpo", but the report has no such project, group or stack. Did you mean "acme/shop"?',
    );
    expect(text).not.toContain("line 1 ");
    expect(text).not.toContain("line 3 ");
    expect(code).toBe(2);
  });

  test("if the report contains only some projects, ci issues does not warn about the owners file", async () => {
    await run("drift", "--project", "acme/shop", "--report", "part.json");
    const { text } = await run("ci", "issues", "part.json", "--owners", "OWNERS", "--dry-run");
    expect(text).not.toContain("line 2");
  });
});
