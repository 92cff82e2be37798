import { createHash } from "node:crypto";
import { ProjectSettings } from "../../../src/constructs";
import { FleetPlace } from "../support/fleet-place";

// In these tests, a reference to a missing object fails the plan of one stack. People can still approve the changes of the
// other stacks.

const declare = (place: FleetPlace, user: string) =>
  place.declare({
    cart: (stack) => {
      new ProjectSettings(stack, "cart", { project: "acme/cart", inboundEnabled: true });
    },
    shop: (stack) => {
      new ProjectSettings(stack, "shop", {
        project: "acme/shop",
        protectedEnvironments: { production: { deployAccessLevels: [{ user }] } },
      });
    },
  });

let place: FleetPlace;
beforeEach(async () => {
  place = await FleetPlace.open(["shop", "cart"]);
  declare(place, "ghost");
});
afterEach(() => place.close());
const run = (...words: readonly string[]) => place.run(...words, "--no-color");
const plan = () => run("plan", "--out-approval", "changes.json", "--report", "plan.json");
const digest = () => createHash("sha256").update(place.place.read("changes.json")).digest("hex");

test("if one stack's plan fails, the approval file contains the error and the other stack's changes", async () => {
  const { code, text } = await plan();
  expect(code).toBe(1);
  expect(text).toContain("changes.json does not contain the changes of stack shop");
  const approval = JSON.parse(place.place.read("changes.json"));
  expect(approval).toMatchObject({
    changes: [{ stack: "cart", type: "steward_job_token_scope" }],
    unplanned: [
      {
        stack: "shop",
        why: expect.stringMatching(/^project acme\/shop, .*one-broken-stack\.test\.ts:\d+: .*"ghost"/),
      },
    ],
  });
});

test("if one stack's plan fails, ci comment shows the error and asks for approval of the other stack's changes", async () => {
  await plan();
  const { text } = await run("ci", "comment", "plan.json", "--approval", "changes.json", "--dry-run");
  const [, title, , why, , problem] = text.split("\n");
  expect(title).toBe("## Steward plan: 1 to add, 0 to change, 0 to destroy");
  expect(why).toBe("**Not in this approval**, because the plan failed:");
  expect(problem).toMatch(/^- ❌ stack `shop`: .*acme\/shop.*one-broken-stack\.test\.ts:\d+: .*"ghost"/);
  expect(text).toContain(`To approve: \`${digest()}\`, 1 approval needed.`);
  expect(text).not.toContain("stack shop: steward_protected_environment");
});

test("if one stack's plan fails, apply --approved applies the other stack's approved changes and exits with 1", async () => {
  await plan();
  const before = place.requestCount;
  const { code, text } = await run("apply", "--approved", "changes.json", "--digest", digest());
  expect(place.writesSince(before)).toEqual(["PATCH /projects/2/job_token_scope"]);
  expect(code).toBe(1);
  expect(text).toContain("ghost");
});

test("if a stack's plan failed before the approval and succeeds later, apply --approved refuses the stack's changes", async () => {
  await plan();
  declare(place, "devon");
  const before = place.requestCount;
  const { code, text } = await run("apply", "--approved", "changes.json", "--digest", digest());
  expect(code).toBe(1);
  expect(text).toContain("Plan differs from the approved changes");
  expect(place.writesSince(before)).toEqual(["PATCH /projects/2/job_token_scope"]);
});

test("if the only selected stack has an incomplete plan, plan writes no approval file", async () => {
  const { text } = await run("plan", "--stack", "shop", "--out-approval", "changes.json");
  expect(text).toContain("changes.json was not written, because the plan of a stack is incomplete.");
});
