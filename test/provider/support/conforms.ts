import type { CompatMode } from "cdktf-provider-steward/testing";
import { type AttributePath, hasErrors } from "../../../src/diagnostics";
import { createProvider } from "../../../src/provider";
import type { Attributes } from "../../../src/schema";
import { deletesByHand, expectGone, placeOf, type Sample, varied } from "../samples";
import { declarable, withEmptyTexts } from "./declarations";
import { Host } from "./host";
import { startWorld, type World } from "./world";

const { resources } = createProvider().schema;

export const replaces = (attributes: Attributes, name: string) => attributes[name]!.text.replaces === true;

/**
 * Returns the attributes that can differ from the live object. Leaves out attributes that the service never returns,
 * and attributes whose change replaces the object.
 */
export const comparable = (attributes: Attributes) =>
  declarable(attributes)
    .filter(([name, { presence }]) => presence !== "configOnly" && !replaces(attributes, name))
    .map(([name]) => name);

/** Makes the tests of whether a resource behaves as Terraform expects, with a service that has the given habits. */
export function conforms(type: string, sample: Sample, compat: CompatMode): void {
  const { attributes } = resources[type]!;
  let world: World;
  let host: Host;

  beforeEach(async () => {
    world = await startWorld(undefined, undefined, compat);
    host = new Host(world, type);
  });
  afterEach(() => world.close());

  test("after a create, the plan is empty", async () => {
    const state = await host.bring(undefined, sample.config);
    expect(await host.drift(state, sample.config)).toEqual([]);
    expect(await host.refresh(state)).toEqual(state);
  });

  for (const [name] of declarable(attributes)) {
    test(`if the code changes only ${name}, plan and apply succeed`, async () => {
      const state = await host.bring(undefined, sample.config);
      const config = varied(sample, name);
      const together = [name, ...Object.keys(sample.together?.[name] ?? {})];
      const plan = await host.plan(await host.refresh(state), config);
      expect(plan.changed).toContain(name);
      const mayChange = (other: string) =>
        together.includes(other) || attributes[other]!.presence === "computed";
      expect(plan.changed.filter((other) => !mayChange(other))).toEqual([]);
      const replaced: AttributePath[] = together
        .filter((one) => replaces(attributes, one))
        .map((one) => [one]);
      expect([...plan.requiresReplace].sort()).toEqual(replaced.sort());

      const { state: changed, diagnostics } = await host.apply(plan);
      expect(diagnostics).toEqual([]);
      const kept = changed!.attributes["id"] === state.attributes["id"];
      expect(kept).toBe(replaced.length === 0);
      expect(await host.drift(changed!, config)).toEqual([]);
    });
  }

  for (const { at, config } of withEmptyTexts(attributes, sample)) {
    test(`if ${at} is an empty text, the provider refuses it before any request, or the next plan is empty`, async () => {
      if (hasErrors(host.validate(config))) return;
      const created = await host.bring(undefined, config);
      expect(await host.drift(created, config)).toEqual([]);
      await host.destroy(created);
      const changed = await host.bring(await host.bring(undefined, sample.config), config);
      expect(await host.drift(changed, config)).toEqual([]);
    });
  }

  for (const name of comparable(attributes)) {
    test(`plan finds a manual change of ${name}, and apply repairs the change`, async () => {
      const state = await host.bring(undefined, sample.config);
      await sample.byHand[name]!(world.http, placeOf(type));
      const live = await host.refresh(state);
      const plan = await host.plan(live, sample.config);
      // Computed attributes can change together with the changed attribute.
      expect(plan.changed.filter((other) => attributes[other]!.presence !== "computed")).toEqual([name]);
      expect(plan.action).toBe("update");
      const { state: mended, diagnostics } = await host.apply(plan);
      expect(diagnostics).toEqual([]);
      expect(mended).toEqual(state);
      expect(await host.drift(mended!, sample.config)).toEqual([]);
    });
  }

  test("after an import by id or by path, the plan is empty", async () => {
    const state = await host.bring(undefined, sample.config);
    const id = state.attributes["id"] as string;
    const imported = await host.import(id);
    expect(imported.attributes["id"]).toBe(id);
    // The service never returns these values, so the plan takes them from the declaration.
    const learned = (name: string) => attributes[name]!.presence === "configOnly";
    const changed = await host.drift(imported, sample.config);
    expect(changed.filter((name) => !learned(name))).toEqual([]);
    const byPath = id.replace(/^\d+/, String(sample.config["project"] ?? sample.config["group"]));
    expect(await host.import(byPath)).toEqual(imported);
  });

  test("the list of live objects contains the same values as an import of the object", async () => {
    const { attributes: declared } = await host.bring(undefined, sample.config);
    const within = String(sample.config["project"] ?? sample.config["group"]);
    const { objects, diagnostics } = await host.connect().listResource({ type, within });
    expect(diagnostics).toEqual([]);
    const listed = objects.find(({ id }) => id === declared["id"]);
    expect(listed?.state).toEqual(await host.import(declared["id"] as string));
  });

  if (deletesByHand(type) !== undefined) {
    test("after a manual delete, the plan creates the object again", async () => {
      const state = await host.bring(undefined, sample.config);
      await deletesByHand(type)!(world.http);
      expect(await host.refresh(state)).toBeUndefined();
      const again = await host.bring(undefined, sample.config);
      for (const [name] of declarable(attributes)) {
        expect(again.attributes[name]).toEqual(state.attributes[name]);
      }
    });
  }

  test("a destroy removes the object, and a second destroy succeeds too", async () => {
    const state = await host.bring(undefined, sample.config);
    expect(await host.destroy(state)).toEqual({ diagnostics: [] });
    await expectGone(type, world.http);
    expect(await host.destroy(state)).toEqual({ diagnostics: [] });
  });

  test("a token without the right to write can plan", async () => {
    const state = await host.bring(undefined, sample.config);
    const reader = new Host(world, type, "token-that-only-reads");
    world.service.requests.reset();
    expect(await reader.drift(state, sample.config)).toEqual([]);
    expect(world.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  });
}
