import { ObjectIndex } from "../../../src/engine/stacks/object-index";
import { conflicts } from "../../../src/engine/stacks/stack-conflicts";
import type { StackObject } from "../../../src/engine/stacks/stack-objects";
import { HELD, NEW, type Row } from "../../../src/framework";

// Two stacks of an app declare one object. The tests plan the stack "web"; the second stack is "base".

const object = (source: StackObject["source"]): StackObject => ({
  address: "memory_thing.other",
  request: { type: "memory_thing" } as StackObject["request"],
  service: undefined,
  source,
  identity: "one",
});

function conflictWith(row: Row, others: readonly StackObject["source"][]) {
  const own = {
    address: "memory_thing.own",
    construct: undefined,
    type: "memory_thing",
    identity: "one",
    row,
  };
  const other = { name: "base", index: new ObjectIndex(others.map(object)) };
  const [conflict] = conflicts("web", own, other, new Set());
  const { summary, detail, action } = conflict!.problem;
  return { summary, action, needsCommand: detail.endsWith("and run this command.") };
}

const FORGET = { kind: "stateRm", address: "memory_thing.other", stack: "base" };
const MOVE = {
  kind: "move",
  from: "memory_thing.other",
  to: "memory_thing.own",
  stacks: { from: "base", to: "web" },
};

test.each<[string, Row, readonly StackObject["source"][], object | undefined]>([
  ["both states contain it, the other state forgets it", HELD, ["both"], FORGET],
  [
    "both states contain it with changes, the other state forgets it",
    HELD,
    ["configuration", "state"],
    FORGET,
  ],
  ["only the other state contains it, it moves", NEW, ["both"], MOVE],
  ["only this state contains it, no command is printed", HELD, ["configuration"], undefined],
  ["no state contains it, no command is printed", NEW, ["configuration"], undefined],
])(
  "the error for an object that two stacks declare contains the expected command or none: %s",
  (_, row, others, action) => {
    const needsCommand = action !== undefined;
    expect(conflictWith(row, others)).toEqual({ summary: "Declared in two stacks", action, needsCommand });
  },
);
