import { openPlace, type Place } from "../support/place";

// A waiver for a run must be an option of the command line. The tests check that no command takes waivers from inherited
// environment variables.

const RULE = `module.exports = [{
  name: "limit-stays", why: "Limits are rare.",
  checkChange: () => [{ what: "It limits the project.", fix: "Leave it." }],
}];
`;
const CONFIGURATION = {
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  resource: { steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } } },
};
/** A plan of Terraform with one change. */
const PLAN = {
  format_version: "1.2",
  terraform_version: "1.11.0",
  complete: true,
  planned_values: { root_module: {} },
  prior_state: { format_version: "1.0", values: { root_module: {} } },
  configuration: { root_module: {} },
  resource_changes: [
    {
      address: "steward_job_token_scope.limit",
      mode: "managed",
      type: "steward_job_token_scope",
      name: "limit",
      provider_name: "registry.steward.example/steward/steward",
      change: {
        actions: ["create"],
        before: null,
        after: { project: "acme/shop", inbound_enabled: true },
        after_unknown: {},
        before_sensitive: false,
        after_sensitive: {},
      },
    },
  ],
};

let place: Place;
beforeAll(async () => {
  place = await openPlace({ groups: [{ path: "acme" }], projects: [{ path: "acme/shop" }] });
  place.write("rules.js", RULE);
  place.write("main.tf.json", CONFIGURATION);
  place.write("terraform-plan.json", PLAN);
});
afterAll(() => place.close());

const run = (words: readonly string[]) =>
  place.run([...words, "--policy", "rules.js"], {
    STEWARD_TOKEN: place.service.adminToken,
    STEWARD_WAIVE: JSON.stringify({ rule: "limit-stays", reason: "none" }),
  });

test.each([
  ["plan", ["plan", "--config", "."]],
  ["apply", ["apply", "--config", ".", "--auto-approve"]],
  ["report", ["report", "--plan-json", "terraform-plan.json"]],
])(
  "%s fails because of a violated rule, although STEWARD_WAIVE in the environment waives this rule",
  async (_, words) => {
    const ended = await run(words);
    expect(ended.code).toBe(1);
    expect(ended.out + ended.err).toContain("It limits the project.");
    const writes = place.service.requests.all.filter(({ method }) => method !== "GET");
    expect(writes).toEqual([]);
  },
);

test("with --waive and the name of the violated rule, plan succeeds", async () => {
  const ended = await run(["plan", "--config", ".", "--waive", "limit-stays", "--reason", "we agreed"]);
  expect(ended.code).toBe(0);
});
