import "cdktf-provider-steward/testing/jest";
import { AssertionError } from "node:assert";
import { TerraformOutput } from "cdktf";
import { assertInSync, assertPlan } from "cdktf-provider-steward/testing";
import { shop, useService } from "./support/shop";

const world = useService();
const project = "acme/web-shop";
const one = () => world.test(shop({ projects: [project] }));

/** Returns the message of a matcher that must fail. */
const failure = async (expectation: Promise<unknown>): Promise<string> => {
  try {
    await expectation;
  } catch (problem) {
    return (problem as Error).message;
  }
  throw new Error("The expectation passed.");
};

describe("toPlan", () => {
  it("toPlan expects 0 for each count that the test omits", async () => {
    await expect(one()).toPlan({ add: 2 });
    await expect(one()).not.toPlan({ add: 1 });
    await expect(one()).not.toPlan({ add: 2, change: 1 });
    await expect(one()).not.toPlan({});
    await expect(one()).not.toPlan();
    await expect(one()).toPlan({ add: expect.any(Number), destroy: 0 });
    const stack = one();
    await stack.apply();
    await expect(stack).toPlan();
    await expect(stack.changedTo(shop({ projects: [] }))).toPlan({ destroy: 2 });
    await expect(stack.changedTo(shop({ projects: [] }))).not.toPlan({ add: 0 });
  });

  it("if a count differs, toPlan prints the plan", async () => {
    const message = await failure(expect(one()).toPlan({ add: 3, move: expect.any(Number) }));
    expect(message).toContain("Expected 3 to add, any number to move and nothing else, but the plan is:\n\n");
    expect(message).toContain('  + resource "steward_job_token_scope" "acme-web-shop-limit" {');
    expect(message).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
    expect(await failure(expect(one()).toPlan())).toContain("Expected no object, but the plan is:");
    expect(await failure(expect(one()).not.toPlan({ add: 2 }))).toContain(
      "Expected another plan than 2 to add and nothing else:\n\nResource actions",
    );
  });

  it("for a finished plan with other counts, toPlan throws without await", async () => {
    const plan = await one().plan();
    void expect(plan).toPlan({ add: 2 });
    expect(() => void expect(plan).toPlan({ add: 1 })).toThrow("Expected 1 to add and nothing else");
  });

  it("toPlan throws an error for a stack that is not a test stack", async () => {
    expect(() => void expect(shop()).toPlan({ add: 2 })).toThrow(
      "toPlan takes a test stack, or a plan of one: make a test stack with `testStack(appOrStack, { service })`.",
    );
    expect(() => void expect(one()).not.toPlan({ remove: 1 } as object)).toThrow(
      'A plan has no number "remove". It has add, change, destroy, import, move.',
    );
  });
});

describe("toBeInSync", () => {
  it("after a manual change of a declared setting, toBeInSync fails", async () => {
    const stack = one();
    await expect(stack).not.toBeInSync();
    expect(await failure(expect(stack).toBeInSync())).toContain("Plan: 2 to add");
    await stack.apply();
    await expect(stack).toBeInSync();
    void expect(await stack.plan()).toBeInSync();
    expect(await failure(expect(stack).not.toBeInSync())).toContain("Expected changes or drift");
    await world.send("PATCH", "/projects/acme%2Fweb-shop/job_token_scope", { enabled: false });
    await expect(stack).not.toBeInSync();
    expect(await failure(expect(stack).toBeInSync())).toContain(
      "inbound_enabled = false -> true # changed outside: applied true, live false",
    );
  });

  it("toBeInSync fails if the code changed only an output", async () => {
    const stack = one();
    await stack.apply();
    const more = shop({ projects: [project] });
    new TerraformOutput(more, "more", { value: 1 });
    await expect(stack.changedTo(more)).not.toBeInSync();
    await expect(stack.changedTo(more)).toPlan({});
  });
});

describe("the matchers as assert functions", () => {
  it("the assert functions throw AssertionErrors with the messages of the matchers", async () => {
    const stack = one();
    await assertPlan(stack, { add: 2 });
    await expect(assertPlan(stack, { add: 1 })).rejects.toThrow(AssertionError);
    await expect(assertInSync(stack)).rejects.toThrow("Expected the service to be as the app declares it");
    await stack.apply();
    await assertInSync(stack);
    await assertPlan(stack);
  });
});
