import { problemsOf } from "../../scripts/words/commit-message";

test("a commit message with an area, a summary and a body is accepted", () => {
  expect(problemsOf("state: keep the lock while the journal is open\n\nTwo runs could write it.\n")).toEqual(
    [],
  );
  expect(
    problemsOf("cli, engine: name the stack\n\nThe summary was ambiguous.\n\nChangelog: Plans name it.\n"),
  ).toEqual([]);
});

test.each([
  ["Keep the lock\n\nWhy.", 'the first line is not "area: summary"'],
  [`state: ${"a".repeat(66)}\n\nWhy.`, "the first line has 73 characters, 72 allowed"],
  ["state: keep the lock.\n\nWhy.", "the first line ends with a full stop"],
  ["state: keep the lock\nWhy.\n\nWhy.", "the second line is not empty"],
  ["state: keep the lock\n", "there is no body that says why"],
  ["state: keep the lock\n\nChangelog: The lock is kept.", "there is no body that says why"],
])("an incomplete or badly formed commit message is rejected: %j", (message, problem) => {
  expect(problemsOf(message)).toEqual([problem]);
});
