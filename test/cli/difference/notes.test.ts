import { fieldsOf } from "../../../src/cli/difference";
import { change } from "../support/models";

// The tests check the notes about attributes of a change. A note says that an attribute changed outside of Steward, or
// shows the live value that a create replaces.

const notesOf = (...given: Parameters<typeof fieldsOf>) =>
  Object.fromEntries(
    fieldsOf(...given).flatMap(({ name, difference }) =>
      difference.notes === undefined ? [] : [[name, difference.notes]],
    ),
  );

const update = change({
  action: "update",
  before: { id: "a", level: 3, enabled: true },
  after: { id: "a", level: 1, enabled: true },
});
const create = change({ action: "create", before: null, after: { id: "a", level: 1 } });

test("if an attribute changed on the service, the plan's note contains its last applied and live value", () => {
  const outside = new Map([["level", { applied: 1, live: 3 }]]);
  expect(notesOf(update, outside)).toEqual({ level: ["changed outside: applied 1, live 3"] });
});

test("if the plan does not change an attribute, the plan prints no note about the attribute's change on the service", () => {
  const outside = new Map([["enabled", { applied: false, live: true }]]);
  expect(notesOf(update, outside)).toEqual({});
});

test("if a create overwrites a live value, the plan's note contains this value", () => {
  const replaced = { ...create, replaced: { live: { level: 3 } } };
  expect(notesOf(replaced)).toEqual({ level: ["live: 3"] });
});

test("if an attribute did not change on the service, the plan prints no note about it", () => {
  expect(notesOf(update)).toEqual({});
  expect(notesOf(create)).toEqual({});
});
