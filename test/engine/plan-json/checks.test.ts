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
  test("instance_key in the JSON of a condition is the instance's key without the escapes of the address", () => {
    expect(keyIn("memory_thing.a[2]")).toMatchObject({ instance_key: 2 });
    expect(keyIn('memory_thing.a["$${b}"]')).toMatchObject({ instance_key: "${b}" });
    expect(keyIn("memory_thing.a")).not.toHaveProperty("instance_key");
  });

  test("the JSON of a condition with an invalid address contains only this address, in to_display", () => {
    expect(keyIn("memory_thing.a named")).toEqual({ to_display: "memory_thing.a named" });
  });
});
