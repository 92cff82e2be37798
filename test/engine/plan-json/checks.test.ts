import { checksJson } from "../../../src/engine/plan-json/plan-json";
import type { CheckResult } from "../../../src/engine/results/check-results";

/** Returns the check results of a resource with one instance. */
const resultsOf = (address: string): CheckResult[] => [
  {
    kind: "resource",
    declaration: "memory_thing.a",
    status: "pass",
    objects: [{ address, status: "pass", failureMessages: [] }],
  },
];

const keyIn = (address: string) => {
  const [{ instances }] = checksJson(resultsOf(address)) as [{ instances: [{ address: object }] }];
  return instances[0].address;
};

describe("the conditions of a plan as JSON", () => {
  test("in the JSON of a condition, instance_key is the instance's key without escapes", () => {
    expect(keyIn("memory_thing.a[2]")).toMatchObject({ instance_key: 2 });
    expect(keyIn('memory_thing.a["$${b}"]')).toMatchObject({ instance_key: "${b}" });
    expect(keyIn("memory_thing.a")).not.toHaveProperty("instance_key");
  });

  test("if the address of a condition is invalid, the condition's JSON contains this address in to_display", () => {
    expect(keyIn("memory_thing.a named")).toEqual({ to_display: "memory_thing.a named" });
  });
});
