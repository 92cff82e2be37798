import { declaredElsewhere } from "../../../src/engine/stacks/declared-elsewhere";
import { Stack } from "../support/stack";

// In these tests, a stack declares an object that the state of another stack contains. The objects have no identity on a
// service, so only addresses and declared values are compared.

type Thing = Readonly<Record<string, unknown>>;

const things = (of: Readonly<Record<string, Thing>>) => ({ resource: { memory_thing: of } });

/**
 * The state of one stack contains objects that a second stack declares. Returns their addresses in the second stack, by
 * their addresses in the first stack.
 */
async function found(held: Thing, declared: Thing, alreadyThere: Readonly<Record<string, Thing>> = {}) {
  const holder = new Stack(things({ a: held }));
  const declarer = new Stack(things(alreadyThere));
  try {
    await holder.apply();
    if (Object.keys(alreadyThere).length > 0) await declarer.apply();
    declarer.declare(things({ a: declared, new: { name: "new" } }));
    const of = async (stack: Stack) => ({ context: stack.context(), state: await stack.state() });
    return Object.fromEntries(await declaredElsewhere(await of(holder), await of(declarer)));
  } finally {
    holder.remove();
    declarer.remove();
  }
}

const SAME = { "memory_thing.a": "memory_thing.a" };

test.each<[string, Thing, Thing, object]>([
  ["the same name is the same object", { name: "one" }, { name: "one" }, SAME],
  ["another name is another object", { name: "one" }, { name: "two" }, {}],
  [
    "a name that is not known yet may be the same",
    { name: "one" },
    { name: "${memory_thing.new.colour}" },
    SAME,
  ],
  ["what changes in place does not matter", { name: "one", size: 1 }, { name: "one", size: 2 }, SAME],
])(
  "the search for the same object in another stack compares identities: %s",
  async (_, held, declared, expected) => {
    expect(await found(held, declared)).toEqual(expected);
  },
);

test("if a stack's state has another object at the declared address, the search for the same object omits this stack", async () => {
  expect(await found({ name: "one" }, { name: "one", size: 2 }, { a: { name: "two" } })).toEqual({});
});
