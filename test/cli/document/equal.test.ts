import { describeChange } from "../../../src/cli/document/describe";
import { groupEqualObjects } from "../../../src/cli/document/equal";
import { change } from "../support/models";

/** Returns equal replacements in several projects. */
const replacements = (count: number, action: "delete-then-create" | "create-then-delete") =>
  Array.from({ length: count }, (_, at) =>
    describeChange(
      change({
        action,
        address: `acme_thing.${action}${at}`,
        before: { steps: ["a"] },
        after: { steps: ["b"] },
        container: { kind: "project", name: `acme/${action}-${at}` },
      }),
    ),
  );

test("objects form two groups if a plan replaces them in two different orders", () => {
  const objects = [...replacements(5, "delete-then-create"), ...replacements(6, "create-then-delete")];
  const groups = groupEqualObjects(objects);
  expect(groups.map((group) => [group.length, group[0].create_first])).toEqual([
    [5, undefined],
    [6, true],
  ]);
});
