import { openPlace, type Place } from "../support/place";

// The tests cover emergencies, in which people apply without the approvals that policies require.

const RULES = `module.exports = [
  { name: "two", why: "Two see it.", approvals: 2, checkChange: () => [{ what: "It changes.", fix: "Ask." }] },
  { name: "never", why: "It stays.", checkChange: ({ after }) => after.project === "acme/tools" ? [{ what: "It is closed.", fix: "Leave it." }] : [] },
];
`;
const declare = (project: string) => ({
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  resource: { steward_job_token_scope: { limit: { project: `acme/${project}`, inbound_enabled: true } } },
});

let place: Place;
beforeEach(async () => {
  place = await openPlace({
    groups: [{ path: "acme" }],
    projects: [{ path: "acme/shop" }, { path: "acme/tools" }],
  });
  place.write("rules.js", RULES);
  place.write("main.tf.json", declare("shop"));
});
afterEach(() => place.close());
const apply = (...more: readonly string[]) =>
  place.run(["apply", "--config", ".", "--policy", "rules.js", ...more], {
    STEWARD_TOKEN: place.service.adminToken,
  });
const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET").length;

test("if a plan needs approvals, apply --without-approval applies it and writes the reason into each report", async () => {
  expect(await apply("--auto-approve")).toMatchObject({ code: 1 });
  expect(writes()).toBe(0);
  const reports = ["report.json", "report.md", "report.html"];
  const files = reports.flatMap((name) => ["--report", name]);
  const ended = await apply("--without-approval", "the shop is down", ...files);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.err + ended.out).toContain("Applied without approval");
  expect(writes()).toBe(1);
  for (const name of reports) expect(place.read(name)).toContain("the shop is down");
});

test("if a plan violates a mandatory rule, apply --without-approval fails and writes nothing to the service", async () => {
  place.write("main.tf.json", declare("tools"));
  const ended = await apply("--without-approval", "the shop is down");
  expect(ended.code).toBe(1);
  expect(ended.err + ended.out).toContain("It is closed.");
  expect(writes()).toBe(0);
});

test.each([
  ["a blank reason", [" "], "Enter a reason."],
  ["an approved file", ["late", "--approved", "changes.json", "--digest", "a".repeat(64)], "--approved"],
  ["a saved plan", ["late", "plan.steward"], "--without-approval"],
])("apply --without-approval with %s fails and writes nothing", async (_, words, text) => {
  const ended = await apply("--without-approval", ...words);
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(text) });
  expect(writes()).toBe(0);
});
