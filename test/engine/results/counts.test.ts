import { countDeletes, type RehearsedStep, type ResourceChange } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import { UNKNOWN } from "../../../src/schema";

const { attributes } = createProvider().schema.resources["steward_job_token_allowlist"]!;

const change = (more: Partial<ResourceChange>): ResourceChange => ({
  address: "steward_job_token_allowlist.callers",
  mode: "managed",
  type: "steward_job_token_allowlist",
  name: "callers",
  provider: "registry.steward.example/steward/steward",
  action: "update",
  before: null,
  after: null,
  beforeSensitive: [],
  afterSensitive: [],
  replacePaths: [],
  attributes,
  ...more,
});
const of = (target_projects: unknown, target_groups: unknown = null) =>
  ({ id: "1", project: "1", target_projects, target_groups }) as ResourceChange["before"];
const step = (...methods: readonly string[]): RehearsedStep => ({
  address: "steward_job_token_allowlist.callers",
  requests: methods.map((method) => ({ method, path: "/" })),
});

describe("a plan without requests, such as a plan of Terraform", () => {
  test.each<readonly [string, Partial<ResourceChange>, number]>([
    ["are the entries that a list loses", { before: of(["a", "b", "c"], ["g"]), after: of(["b"], []) }, 3],
    ["are none if a list only gains entries", { before: of(["a"]), after: of(["a", "b"]) }, 0],
    ["are none if a list is no longer managed", { before: of(["a"], ["g"]), after: of(["a"], null) }, 0],
    [
      "include an entry that an unknown entry may replace",
      { before: of(["a", "b"]), after: of(["a", UNKNOWN]) },
      1,
    ],
    ["are all entries of a list that is destroyed", { action: "delete", before: of(["a", "b"]) }, 2],
    ["are one if the destroyed list has no entries", { action: "delete", before: of([]) }, 1],
    [
      "are all entries of a list that is replaced",
      { action: "delete-then-create", before: of(["a", "b"]), after: of(["a", "b"]) },
      2,
    ],
    [
      "are the live entries that a new list replaces",
      { action: "create", after: of(["a"]), replaced: { live: { target_projects: ["a", "b", "c"] } } },
      2,
    ],
    ["are none if the object is only forgotten", { action: "forget", before: of(["a"]) }, 0],
  ])("in a plan without requests, the counted deletes %s", (_, more, count) => {
    const counted = countDeletes({ changes: [change(more)] });
    expect(counted).toEqual(count === 0 ? [] : [{ address: "steward_job_token_allowlist.callers", count }]);
  });
});

test("if a plan lists the requests of a change, the count of deletes is the number of DELETE requests", () => {
  const shrunk = change({ before: of(["a", "b", "c"]), after: of([]) });
  expect(countDeletes({ changes: [shrunk], requests: [step("DELETE", "POST")] })).toMatchObject([
    { count: 1 },
  ]);
  const destroyed = change({ action: "delete", before: of(["a"]) });
  expect(countDeletes({ changes: [destroyed], requests: [step()] })).toMatchObject([{ count: 1 }]);
  const open = { ...step("DELETE"), why: "it depends on values that are known only after apply" };
  expect(countDeletes({ changes: [shrunk], requests: [open] })).toMatchObject([{ count: 3 }]);
});
