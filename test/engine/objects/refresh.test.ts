import type { ConfiguredProvider } from "../../../src/framework";
import { Stack, thing } from "../support/stack";

// The tests check that the engine waits for the first read of a list before it starts other reads of this list. Only the
// provider knows to which list an object belongs.

const CONTAINER = "@";
const containerIdOf = (_type: string, id: string): string => id.slice(id.indexOf(CONTAINER) + 1);

/** The maximum number of turns of the event loop for which the first read waits. */
const TURNS = 1000;

let stack: Stack;
beforeEach(() => {
  stack = new Stack({});
});
afterEach(() => stack.remove());

/**
 * Plans things with these names. The read of the first thing ends only after the read of another thing has begun, or after
 * `TURNS` turns.
 *
 * @param begun the name of the other thing
 * @returns the starts and ends of all reads, in order
 */
async function reads(
  names: readonly string[],
  begun: string,
  more: Partial<ConfiguredProvider>,
): Promise<readonly string[]> {
  const things = Object.fromEntries(names.map((name, at) => [`thing_${at}`, thing(name)]));
  stack.declare({ resource: { memory_thing: things } });
  await stack.apply();
  const events: string[] = [];
  let isReleased = false;
  const { configure } = stack.provider;
  stack.provider.configure = () => {
    const { provider, diagnostics } = configure();
    const readResource: ConfiguredProvider["readResource"] = async (request) => {
      const id = String(request.state.attributes["id"]);
      events.push(`begin ${id}`);
      if (id === begun) isReleased = true;
      for (let turn = 0; id === names[0] && !isReleased && turn < TURNS; turn += 1)
        await new Promise(setImmediate);
      const result = await provider.readResource(request);
      events.push(`end ${id}`);
      return result;
    };
    return { provider: { ...provider, readResource, ...more }, diagnostics };
  };
  const { diagnostics, hasChanges } = await stack.plan();
  expect({ diagnostics, hasChanges }).toEqual({ diagnostics: [], hasChanges: false });
  expect(events.indexOf(`begin ${begun}`)).toBeLessThan(events.indexOf(`end ${names[0]}`));
  return events;
}

test("if several objects are in one list of the service, the engine reads the first object before the others", async () => {
  const [first, other, second] = ["all:one@x", "all:two@y", "more:three@x"] as const;
  const events = await reads([first, other, second], other, { containerIdOf });
  expect(events.indexOf(`begin ${second}`)).toBeGreaterThan(events.indexOf(`end ${first}`));
  expect(events).toHaveLength(6);
});

test("if the provider does not say which list contains an object, the engine reads all objects at the same time", async () => {
  const [first, second] = ["all:one", "all:two"] as const;
  expect(await reads([first, second], second, {})).toHaveLength(4);
});
