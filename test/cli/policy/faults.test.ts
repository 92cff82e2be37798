import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadRules } from "../../../src/cli/policy/load-rules";
import { Policies } from "../../../src/cli/policy/policies";
import { readRules } from "../../../src/cli/policy/rule";
import type { Diagnostic } from "../../../src/diagnostics";
import { UNKNOWN } from "../../../src/engine";
import { change, plan } from "../support/models";

const types = ["acme_thing"];
const PLAN = plan({
  changes: [
    change({
      action: "update",
      before: { id: "1", level: 30, secret: "hush", targets: [] },
      after: {
        id: "1",
        level: UNKNOWN,
        secret: "hush",
        targets: ["a", UNKNOWN],
        rules: [{ user: UNKNOWN, count: 2 }],
        note: null,
      },
      beforeSensitive: [["secret"]],
      afterSensitive: [["secret"]],
    }),
  ],
});

/** Returns the violations of a rule in the plan. */
const found = (checkChange: unknown, more: object = {}, limit?: number): readonly Diagnostic[] =>
  new Policies(
    readRules([{ name: "a rule", why: "Because.", types, checkChange, ...more }], "rules.js"),
    () => undefined,
    null,
    undefined,
    undefined,
    limit,
  ).violations(PLAN, "web");

// biome-ignore lint/suspicious/noExplicitAny: rules are code that was not checked.
type Any = any;

test("if a rule returns the older key `mend` instead of `fix`, Steward prints the key's text", () => {
  for (const name of ["fix", "mend"])
    expect(found(() => [{ what: "It is seen.", [name]: "Hide it." }])).toMatchObject([
      { code: "policy_violated", detail: expect.stringMatching(/It is seen\. Because\. Hide it\.$/) },
    ]);
});

describe("a rule that fails", () => {
  test.each<[string, unknown, string]>([
    ["throws", () => (undefined as Any).at, "Cannot read properties of undefined (reading 'at')"],
    [
      "throws null",
      () => {
        throw null;
      },
      "null",
    ],
    ["is async", async () => [], "it returned a promise, and a rule can't be async"],
    ["rejects", async () => Promise.reject(new Error("late")), "it returned a promise"],
    ["returns nothing", () => undefined, "it returned undefined instead of a list of violations"],
    ["returns null", () => null, "it returned null instead of a list"],
    ["returns a text", () => "bad", "it returned string instead of a list"],
    ["returns a list of texts", () => ["bad"], "it returned an invalid violation: 0 Invalid input"],
    [
      "returns no text",
      () => [{ what: 1, fix: "" }],
      "it returned an invalid violation: 0.what Invalid input",
    ],
    [
      "reads an attribute that does not exist",
      ({ before }: Any) => (before.Level > 40 ? [{}] : []),
      "acme_thing.one has no attribute Level; did you mean level?",
    ],
    [
      "never ends to return violations",
      function* () {
        for (;;) yield { what: "", fix: "" };
      },
      "it returned more than 1000 violations",
    ],
  ])("if a rule %s, the run reports an error, even if the rule is only advisory", (_name, check, why) => {
    for (const level of ["mandatory", "advisory"]) {
      expect(found(check, { level })).toEqual([
        {
          severity: "error",
          code: "policy_unusable",
          summary: "Policy can't be used",
          detail: expect.stringContaining(`The rule "a rule" failed in the stack web: ${why}`),
          rule: "a rule",
        },
      ]);
    }
  });

  test("if a rule never ends, the run reports an error after a time limit", () => {
    const loop = () => {
      for (;;);
    };
    expect(found(loop, {}, 100)).toEqual([
      expect.objectContaining({ detail: expect.stringContaining("it did not end within 0.1 s") }),
    ]);
  });

  test("if a rule tries to change its input, the change throws an error", () => {
    const attempt = ({ after }: Any, seen: Any) => {
      const results = [
        () => Object.assign(after, { note: "changed" }),
        () => after.targets.push("b"),
        () => seen.changes.pop(),
        () => Object.defineProperty(after, "level", { value: 1 }),
      ].map((change) => {
        try {
          change();
          return "changed";
        } catch {
          return "refused";
        }
      });
      return [{ what: results.join(), fix: "" }];
    };
    expect(found(attempt)[0]!.detail).toContain("refused,refused,refused,refused");
  });
});

describe("a value that Steward hides from rules", () => {
  test.each<[string, (change: Any, plan: Any) => unknown, string]>([
    [
      "read",
      ({ after }) => (after.level === 50 ? [{}] : []),
      "level of acme_thing.one is known only after apply",
    ],
    ["destructured", ({ after: { level } }) => (level ? [] : []), "level of acme_thing.one is known"],
    ["spread", ({ after }) => Object.keys({ ...after }), "level of acme_thing.one is known"],
    ["written as JSON", ({ after }) => JSON.stringify(after) && [], "level of acme_thing.one is known"],
    ["an element", ({ after }) => after.targets.filter(Boolean) && [], "targets of acme_thing.one is known"],
    [
      "nested",
      ({ after }) => after.rules.map((one: Any) => one.user) && [],
      "rules.user of acme_thing.one is known",
    ],
    [
      "of another object",
      (_, plan) => plan.objects[0].attributes.level && [],
      "level of acme_thing.one is known",
    ],
    [
      "sensitive",
      ({ before }) => (before.secret === null ? [] : []),
      "secret of acme_thing.one is sensitive",
    ],
  ])(
    "Steward reports a rule as undecided if the rule reads an unknown or sensitive value: %s",
    (_name, check, why) => {
      for (const [level, severity] of [
        ["mandatory", "error"],
        ["advisory", "warning"],
      ] as const) {
        expect(found(check, { level })).toEqual([
          {
            severity,
            code: "policy_undecided",
            summary: "Policy can't be checked",
            detail:
              `Policy "a rule", stack web: ${why}${why.endsWith("known") ? " only after apply" : ""}, so the rule can't be checked. Because. ` +
              "Declare a literal value, or make the rule check `unknown` and `sensitive` of the change before it reads the value.",
            rule: "a rule",
            address: "acme_thing.one",
          },
        ]);
      }
    },
  );

  test("Steward passes the names of unknown and sensitive attributes to a rule", () => {
    const check = ({ after, unknown, sensitive }: Any) => [
      {
        what: JSON.stringify([unknown, sensitive, after.note, after.targets.length, after.rules[0].count]),
        fix: "",
      },
    ];
    expect(found(check)[0]!.detail).toContain('[["level","rules","targets"],["secret"],null,2,2]');
  });
});

describe("a policy module", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "steward-policy-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const load = (name: string, text: string, limit?: number) => {
    writeFileSync(path.join(folder, name), text);
    return () => loadRules([{ file: name, namedIn: "--policy" }], folder, limit);
  };

  test("if a policy module does not finish loading, Steward reports an error after a time limit", () => {
    expect(load("loop.js", "for (;;);", 100)).toThrow(
      'The policy "loop.js" of --policy can\'t be loaded: it did not end within 0.1 s. The rules of this policy were not checked.',
    );
  });

  test.each([
    [
      "unknown type",
      'types: ["steward_project_invitaton"], checkChange() {}',
      'Did you mean "steward_project_invitation"?',
    ],
    ["unknown level", 'level: "warning", checkChange() {}', "0.level Invalid option"],
    ["missing check", "", "0.check Not a function"],
    ["second check", "check() {}, checkChange() {}", "0 has check and checkChange; write two rules"],
  ])(
    "Steward refuses a policy module if one of the module's rules has this fault: %s",
    (_name, part, why) => {
      const refused = load("rules.js", `module.exports = [{ name: "a", why: "b", ${part} }];`);
      expect(refused).toThrow('The policy "rules.js" of --policy does not export a list of rules:');
      expect(refused).toThrow(why);
    },
  );

  test("a policy module can export a list of class instances as its default export", () => {
    const rules = load(
      "classes.js",
      `class Rule { name = "a"; why = "b"; why2 = "c"; checkChange() { return [{ what: this.why2, fix: "" }]; } }
       exports.default = [new Rule()];`,
    )().rules;
    const [violation] = new Policies(rules, () => undefined).violations(
      plan({
        changes: PLAN.changes.map((one) => ({
          ...one,
          provider: "registry.steward.example/steward/steward",
        })),
      }),
      undefined,
    );
    expect(violation!.detail).toBe('Policy "a": c b ');
  });
});
