import { existsSync, readFileSync } from "node:fs";
import type { ApplyRequest, ConfiguredProvider } from "../../../src/framework/protocol/protocol";
import type { Change } from "../../../src/state/journal/entries";
import { parseJournal, pendingIntents } from "../../../src/state/journal/read-journal";
import { Stack, thing } from "../support/stack";

// The journal must be ahead: each change is in the file before it is sent.

let stack: Stack;
beforeEach(() => {
  stack = new Stack({});
});
afterEach(() => stack.remove());

const journal = () => parseJournal(readFileSync(`${stack.stateFile}.journal`, "utf8"), "the journal")!;
const verbOf = ({ prior, planned }: Pick<ApplyRequest, "prior" | "planned"> | Change) =>
  planned === undefined ? "delete" : prior === undefined ? "create" : "update";

/** Applies, and records the pending intents of the journal whenever the provider is asked for a change. */
async function changesWithPendingIntents() {
  const seen: { readonly change: string; readonly open: readonly string[] }[] = [];
  const { configure } = stack.provider;
  stack.provider.configure = () => {
    const { provider, ...rest } = configure();
    const watched: ConfiguredProvider = {
      ...provider,
      applyResource: (request) => {
        const open = pendingIntents(journal()).map(({ change }) => `${verbOf(change)} ${change.address}`);
        const { name } = (request.planned ?? request.prior!).attributes;
        seen.push({ change: `${verbOf(request)} memory_thing.${String(name)}`, open });
        return provider.applyResource(request);
      },
    };
    return { ...rest, provider: watched };
  };
  await stack.apply();
  stack.provider.configure = configure;
  return seen;
}

test("each create, update and delete is in the journal before it is sent, whatever runs concurrently", async () => {
  const things = (sizes: Readonly<Record<string, number>>) =>
    stack.declare({
      resource: {
        memory_thing: Object.fromEntries(
          Object.entries(sizes).map(([name, size]) => [name, thing(name, { size })]),
        ),
      },
    });
  for (const sizes of [
    { a: 1, b: 1, c: 1 },
    { b: 2, c: 2, d: 2 },
  ]) {
    things(sizes);
    const seen = await changesWithPendingIntents();
    expect(seen.length).toBeGreaterThan(0);
    for (const { change, open } of seen) expect(open).toContain(change);
    expect(existsSync(`${stack.stateFile}.journal`)).toBe(false);
  }
});

test("a dependent change is sent after the commit of its dependency is in the journal", async () => {
  stack.declare({
    resource: {
      memory_thing: { a: thing("a"), b: thing("b", { depends_on: ["memory_thing.a"] }) },
    },
  });
  const seen = await changesWithPendingIntents();
  expect(seen).toEqual([
    { change: "create memory_thing.a", open: ["create memory_thing.a"] },
    { change: "create memory_thing.b", open: ["create memory_thing.b"] },
  ]);
});
