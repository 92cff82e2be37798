import fc from "fast-check";
import { changingOf } from "../../../src/engine";
import type { EngineEvent } from "../../../src/engine/results/events";
import type { ConfiguredProvider, StoredState } from "../../../src/framework";
import type { Value, ValueObject } from "../../../src/schema";
import { runs, seed } from "../../support/capabilities";
import { Stack } from "../support/stack";

// The engine can plan an unchanged object as soon as it has read the object, without visiting its declaration later. The
// engine never does this for a declaration with a condition. The test therefore plans each configuration twice: without
// conditions, and with conditions that always hold. The plans with and without conditions must be equal, for any
// declaration, state and live object.

const COMPUTED: ReadonlySet<string> = new Set(["id", "colour", "serial"]);

const isPlannedAs = ({ attributes }: StoredState, config: ValueObject): boolean =>
  Object.entries(config).every(
    ([name, value]) =>
      (value === null && COMPUTED.has(name)) ||
      JSON.stringify(value) === JSON.stringify(attributes[name] ?? null),
  );

/**
 * Makes the provider of a stack respond immediately. If nothing changes, this provider returns the prior state object
 * itself, as the real provider does. Only the first read of a collection takes a request.
 */
function answeringAtOnce(stack: Stack): void {
  const { configure } = stack.provider;
  stack.provider.configure = () => {
    const { provider, diagnostics } = configure();
    const liveOf = ({ attributes }: StoredState) => stack.provider.things.get(String(attributes["id"]));
    const isLive = (state: StoredState) => JSON.stringify(liveOf(state)) === JSON.stringify(state.attributes);
    const read = new Set<string>();
    const containerIdOf = (_type: string, id: string): string => id.slice(0, id.indexOf(":"));
    const quick: ConfiguredProvider = {
      ...provider,
      containerIdOf,
      readResource: ({ type, state }) => {
        const live = liveOf(state);
        const seen = live && (isLive(state) ? state : { attributes: live });
        const answer = { ...(seen && { state: seen }), diagnostics: [] };
        const container = containerIdOf(type, String(state.attributes["id"]));
        if (read.has(container)) return answer;
        read.add(container);
        // The read of the second collection takes one turn of the event loop longer.
        return container === "all"
          ? Promise.resolve(answer)
          : new Promise((resolve) => setImmediate(resolve, answer));
      },
      planResource: (request) => {
        const { prior, config, canReturnPrior } = request;
        if (canReturnPrior && prior !== undefined && isPlannedAs(prior, config))
          return { planned: prior, requiresReplace: [], diagnostics: [] };
        return provider.planResource(request);
      },
      isUnchanged: ({ state, config, isRead }) => (isRead || isLive(state)) && isPlannedAs(state, config),
    };
    return { provider: quick, diagnostics };
  };
}

const word = fc.constantFrom("a", "b", "c", "d");
const NAMES = ["all:one", "all:two", "all:three", "more:one", "more:two"] as const;
const one = fc.record(
  {
    name: fc.constantFrom(...NAMES),
    size: fc.constantFrom(1, 2),
    colour: fc.constantFrom("red", "grey"),
    lifecycle: fc.constantFrom({}, { ignore_changes: ["size"] }, { create_before_destroy: true }),
  },
  { requiredKeys: ["name"] },
);
const declared = fc.dictionary(word, one, { minKeys: 1, maxKeys: 4 });
const changes = fc.dictionary(word, one, { maxKeys: 1 });
const live = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.record(
    { size: fc.constantFrom<Value>(1, 2, null), colour: fc.constantFrom("red", "grey") },
    { requiredKeys: [] },
  ),
);

type Declared = Readonly<Record<string, { readonly lifecycle?: object }>>;
const configured = (things: Declared) => ({
  variable: { holds: { default: true } },
  resource: { memory_thing: things },
});
const withConditions = (things: Declared) =>
  configured(
    Object.fromEntries(
      Object.entries(things).map(([name, { lifecycle, ...more }]) => [
        name,
        {
          ...more,
          lifecycle: { ...lifecycle, precondition: [{ condition: "${var.holds}", error_message: "never" }] },
        },
      ]),
    ),
  );

describe("objects that are planned in one step", () => {
  test("planning objects in one step gives the same result as planning them one by one", async () => {
    await fc.assert(
      fc.asyncProperty(declared, changes, live, fc.option(word), fc.boolean(), async (...given) => {
        const [before, anew, changed, replaced, announcesReads] = given;
        const after = { ...before, ...anew };
        const stack = new Stack(configured(before));
        try {
          answeringAtOnce(stack);
          await stack.apply();
          for (const [name, values] of Object.entries(changed)) {
            const known = stack.provider.things.get(name);
            if (known !== undefined) stack.provider.things.set(name, { ...known, ...values });
          }
          const counted: { readonly done: number; readonly total: number }[] = [];
          const options = {
            announcesReads,
            replace: replaced === null ? [] : [`memory_thing.${replaced}`],
            onEvent: (event: EngineEvent) => {
              if (event.kind === "progress" && event.phase === "refresh") counted.push(event);
            },
          };
          if (replaced !== null && !(replaced in after)) return;
          stack.declare(configured(after));
          const quick = await stack.plan("normal", options);
          // The progress counts each object of the state once. The order and the kind of the reads do not matter.
          const total = Object.keys(before).length;
          expect(counted.at(-1)).toMatchObject({ done: total, total });
          expect(
            counted.filter(({ done }, at) => done > total || done < (counted[at - 1]?.done ?? 0)),
          ).toEqual([]);
          stack.declare(withConditions(after));
          const whole = await stack.plan("normal", options);
          const told = (plan: typeof quick) => {
            const { changes, diagnostics, drift, hasChanges, summary } = plan;
            const changing = changingOf(plan).filter(({ action }) => action !== "no-op");
            return JSON.stringify({ changing, changes, diagnostics, drift, hasChanges, summary });
          };
          expect(told(quick)).toEqual(told(whole));
        } finally {
          stack.remove();
        }
      }),
      { numRuns: runs(80, 1000), seed },
    );
  });
});
