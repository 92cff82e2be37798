import { notApproved } from "../../../src/cli/stack-runs/ask-approval";

const done = (add: number, change = 0, remove = 0) => ({ add, change, remove, import: 0, move: 0 });

test("if the user does not approve the first plan, the run reports that nothing was changed", () => {
  expect(notApproved("web", [])).toBe("Not approved: nothing was changed.");
  expect(notApproved("web", [{ name: "base", done: done(0) }])).toBe("Not approved: nothing was changed.");
});

test("if the user does not approve a later stack's plan, the run reports the changes of earlier stacks", () => {
  expect(notApproved("web", [{ name: "base", done: done(2, 1) }])).toBe(
    'Not approved: nothing was changed in the stack "web". This run changed "base" (2 added, 1 changed, 0 destroyed) before.',
  );
});
