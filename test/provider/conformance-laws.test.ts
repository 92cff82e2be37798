import type { CompatMode } from "cdktf-provider-steward/testing";
import * as fc from "fast-check";
import type { StoredState } from "../../src/framework/protocol/protocol";
import { createProvider } from "../../src/provider";
import { type Attribute, configurationOf, type ValueObject } from "../../src/schema";
import { runs, seed } from "../support/capabilities";
import { isHeldToHabits } from "./samples";
import { changesOf } from "./support/declarations";
import { Host } from "./support/host";
import { startWorld } from "./support/world";

// Random valid declarations, generated from the schema. The test checks the whole lifecycle of every registered
// resource.

const TIMEOUT = runs(60_000, 1_800_000);
const provider = createProvider();
const { resources } = provider.schema;

const MODES: readonly (readonly [type: string, compat: CompatMode])[] = Object.keys(resources).flatMap(
  (type) => [[type, "strict"] as const, ...(isHeldToHabits(type) ? [[type, "observed"] as const] : [])],
);

describe.each(MODES)("%s (%s)", (type, compat) => {
  const { attributes } = resources[type]!;
  const isComputed = (name: string) => attributes[name]!.presence === "computed";
  const declaredOnly = (names: readonly string[]) => names.filter((name) => !isComputed(name));
  /**
   * Returns true if an attribute of an imported object may differ from its declaration. Either the service never
   * returns the attribute, or the declaration does not manage the set.
   */
  const isLearned = (name: string, config: ValueObject) =>
    attributes[name]!.presence === "configOnly" ||
    (attributes[name]!.presence === "managed" && config[name] === null);

  test(
    "an object has no drift after a create, import, change or repair, and is gone after a destroy",
    async () => {
      await fc.assert(
        fc.asyncProperty(changesOf(provider, type), async ({ config, name, changed }) => {
          const world = await startWorld(undefined, provider, compat);
          try {
            const host = new Host(world, type);
            const state = await host.bring(undefined, config);
            expect(await host.drift(state, config)).toEqual([]);

            const imported = await host.import(String(state.attributes["id"]));
            const learned = await host.drift(imported, config);
            expect(learned.filter((other) => !isLearned(other, config))).toEqual([]);

            // The configuration that Terraform would generate for the imported object.
            const generated = configurationOf(attributes, imported.attributes);
            expect(await host.drift(imported, generated)).toEqual([]);

            const plan = await host.plan(state, changed);
            const planned = declaredOnly(plan.changed);
            expect(planned.filter((other) => other !== name)).toEqual([]);
            const isReplaced = planned.length > 0 && attributes[name]!.text.replaces === true;
            expect(plan.action === "replace").toBe(isReplaced);
            const after = isReplaced
              ? await replaced(host, state, changed)
              : await byHand(host, state, config, changed, name);

            await host.destroy(after);
            await expectGone(host, after);
          } finally {
            await world.close();
          }
        }),
        // Each run has its own service. Shrinking is off, because with it a failing test would take minutes.
        { seed, numRuns: runs(compat === "strict" ? 3 : 1, 60), endOnFailure: true },
      );
    },
    TIMEOUT,
  );

  /**
   * Applies a change that replaces the object. Expects that the old object is deleted, and that the new object has the
   * declared values.
   */
  async function replaced(host: Host, state: StoredState, changed: ValueObject): Promise<StoredState> {
    const after = await host.bring(state, changed);
    expect(after.attributes["id"]).not.toBe(state.attributes["id"]);
    expect(await host.drift(after, changed)).toEqual([]);
    return after;
  }

  /** Changes one attribute by hand. Expects drift of this attribute, and a repair. */
  async function byHand(
    host: Host,
    state: StoredState,
    config: ValueObject,
    changed: ValueObject,
    name: string,
  ): Promise<StoredState> {
    const other = await host.bring(state, changed);
    expect(other.attributes["id"]).toBe(state.attributes["id"]);
    expect(await host.drift(other, changed)).toEqual([]);

    const live = (await host.refresh(state))!;
    const plan = await host.plan(live, config);
    const isDrift = isSeen(attributes[name]!, config[name]!, changed[name]!);
    const isMoved = declaredOnly((await host.plan(state, changed)).changed).includes(name);
    expect(declaredOnly(plan.changed)).toEqual(isDrift && isMoved ? [name] : []);
    if (plan.action === "none") return live;
    const { state: mended, diagnostics } = await host.apply(plan);
    expect(diagnostics).toEqual([]);
    expect(await host.drift(mended!, config)).toEqual([]);
    return mended!;
  }

  /** Expects that neither a read nor a list finds the deleted object. */
  async function expectGone(host: Host, state: StoredState): Promise<void> {
    const { project, group, id } = state.attributes;
    const { objects, diagnostics } = await host
      .connect()
      .listResource({ type, within: String(project ?? group) });
    expect(diagnostics).toEqual([]);
    // Settings still exist after a destroy, because every project has them. The id of a setting has no colon; the ids
    // of all other objects have one.
    if (String(id).includes(":")) {
      expect(objects).toEqual([]);
      expect(await host.refresh(state)).toBeUndefined();
    }
  }
});

/** Returns true if a plan with this declaration must show that the live value changes. */
function isSeen({ presence }: Attribute, declared: unknown, live: unknown): boolean {
  switch (presence) {
    case "configOnly":
      return false;
    case "optionalComputed":
    case "managed":
      return declared !== null && live !== null;
    default:
      return true;
  }
}
