import type { CompatMode } from "cdktf-provider-steward/testing";
import type { AttributePath } from "../../src/diagnostics";
import { createProvider, PROVIDER_NAME } from "../../src/provider";
import { RESOURCES } from "../../src/provider/registry";
import type { Attributes } from "../../src/schema";
import { pathOf } from "../support/path-of";
import {
  deletesByHand,
  describeEvery,
  expectGone,
  isSent,
  placeOf,
  SAMPLES,
  type Sample,
  varied,
} from "./samples";
import { isHeldToHabits } from "./support/compat";
import { badValuesOf, declarable } from "./support/declarations";
import { isExempt } from "./support/exemptions";
import { Host } from "./support/host";
import { startWorld, type World } from "./support/world";

// Written once, run over every registered resource: a new one needs a sample, and nothing else, to be held to all of it.

const { resources } = createProvider().schema;

const replaces = (attributes: Attributes, name: string) => attributes[name]!.text.replaces === true;
/** Every attribute that can differ from the live one without being another object. */
const comparable = (attributes: Attributes) =>
  declarable(attributes)
    .filter(([name, { presence }]) => presence !== "configOnly" && !replaces(attributes, name))
    .map(([name]) => name);

test.each(Object.entries(SAMPLES))("%s is left out of no test without a reason", (type, { exempt = {} }) => {
  for (const [name, reason] of Object.entries(exempt)) {
    const [, attribute = ""] = /^(?:bad values|random declarations) of (\w+)$/.exec(name) ?? [];
    expect({ name, attributes: Object.keys(resources[type]!.attributes) }).toEqual({
      name,
      attributes: expect.arrayContaining([attribute]),
    });
    expect(reason).not.toBe("");
  }
});

describeEvery((type, sample) => conforms(type, sample, "strict"));

const OBSERVED = Object.entries(SAMPLES).filter(([type]) => isHeldToHabits(type));
describe.each(OBSERVED)("%s, with the habits of the live platform", (type, sample) =>
  conforms(type, sample, "observed"),
);

function conforms(type: string, sample: Sample, compat: CompatMode): void {
  const { attributes } = resources[type]!;
  let world: World;
  let host: Host;

  beforeEach(async () => {
    world = await startWorld(undefined, undefined, compat);
    host = new Host(world, type);
  });
  afterEach(() => world.close());

  test("its sample says something of every attribute", () => {
    const names = declarable(attributes).map(([name]) => name);
    expect(Object.keys(sample.config).sort()).toEqual([...names].sort());
    expect(Object.keys(sample.variations).sort()).toEqual([...names].sort());
    expect(Object.keys(sample.byHand).sort()).toEqual(comparable(attributes).sort());
  });

  test("its sample leaves out no write that the resource makes", () => {
    const changesInPlace = declarable(attributes).some(([name]) => !replaces(attributes, name));
    expect(isSent(sample.writes.update)).toBe(changesInPlace);
    const { delete: end } = RESOURCES.find((one) => `${PROVIDER_NAME}_${one.type}` === type)!;
    expect(isSent(sample.writes.destroy)).toBe(end !== undefined);
  });

  for (const [name, attribute] of declarable(attributes)) {
    const { presence } = attribute;
    if (attribute.type.kind !== "bool" && !isExempt(type, `bad values of ${name}`)) {
      test(`bad values of ${name} are told before anything is sent, each at its place`, () => {
        const bad = badValuesOf(name, attribute);
        expect(bad).not.toEqual([]);
        for (const { value, at } of bad) {
          const found = host.validate({ ...sample.config, [name]: value });
          expect({ value, found }).toEqual({
            value,
            found: expect.arrayContaining([
              expect.objectContaining({ severity: "error", code: "invalid_value", attribute: pathOf(at) }),
            ]),
          });
        }
        expect(world.service.requests.count()).toBe(0);
      });
    }
    if (presence === "required") {
      test(`${name} left out is told`, () => {
        expect(host.validate({ ...sample.config, [name]: null })).toMatchObject([
          { code: "missing_attribute", attribute: [name] },
        ]);
      });
    }
  }

  for (const name of Object.keys(attributes)) {
    if (attributes[name]!.presence !== "computed") continue;
    test(`${name} can't be declared`, () => {
      expect(host.validate({ ...sample.config, [name]: "x" })).toMatchObject([
        { code: "read_only_attribute", attribute: [name] },
      ]);
    });
  }

  test("create, then nothing to do", async () => {
    const state = await host.bring(undefined, sample.config);
    expect(await host.drift(state, sample.config)).toEqual([]);
    expect(await host.refresh(state)).toEqual(state);
  });

  for (const [name] of declarable(attributes)) {
    test(`${name} changed alone`, async () => {
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

  for (const name of comparable(attributes)) {
    test(`${name} changed by hand is found, and mended`, async () => {
      const state = await host.bring(undefined, sample.config);
      await sample.byHand[name]!(world.http, placeOf(type));
      const live = await host.refresh(state);
      const plan = await host.plan(live, sample.config);
      // What the service computes may follow.
      expect(plan.changed.filter((other) => attributes[other]!.presence !== "computed")).toEqual([name]);
      expect(plan.action).toBe("update");
      const { state: mended, diagnostics } = await host.apply(plan);
      expect(diagnostics).toEqual([]);
      expect(mended).toEqual(state);
      expect(await host.drift(mended!, sample.config)).toEqual([]);
    });
  }

  test("import, by id and by path, then nothing to do", async () => {
    const state = await host.bring(undefined, sample.config);
    const id = state.attributes["id"] as string;
    const imported = await host.import(id);
    expect(imported.attributes["id"]).toBe(id);
    // What only the code knows is learned from it, without a request.
    const learned = (name: string) => attributes[name]!.presence === "configOnly";
    const changed = await host.drift(imported, sample.config);
    expect(changed.filter((name) => !learned(name))).toEqual([]);
    const byPath = id.replace(/^\d+/, String(sample.config["project"] ?? sample.config["group"]));
    expect(await host.import(byPath)).toEqual(imported);
  });

  test("it is listed among what is live, as an import would give it", async () => {
    const { attributes: declared } = await host.bring(undefined, sample.config);
    const within = String(sample.config["project"] ?? sample.config["group"]);
    const { objects, diagnostics } = await host.connect().listResource({ type, within });
    expect(diagnostics).toEqual([]);
    const listed = objects.find(({ id }) => id === declared["id"]);
    expect(listed?.state).toEqual(await host.import(declared["id"] as string));
  });

  if (deletesByHand(type) !== undefined) {
    test("deleted by hand, it is planned anew", async () => {
      const state = await host.bring(undefined, sample.config);
      await deletesByHand(type)!(world.http);
      expect(await host.refresh(state)).toBeUndefined();
      const again = await host.bring(undefined, sample.config);
      for (const [name] of declarable(attributes)) {
        expect(again.attributes[name]).toEqual(state.attributes[name]);
      }
    });
  }

  test("destroy leaves nothing, and can be sent twice", async () => {
    const state = await host.bring(undefined, sample.config);
    expect(await host.destroy(state)).toEqual({ diagnostics: [] });
    await expectGone(type, world.http);
    expect(await host.destroy(state)).toEqual({ diagnostics: [] });
  });

  test("a plan asks for no right to write", async () => {
    const state = await host.bring(undefined, sample.config);
    const reader = new Host(world, type, "token-that-only-reads");
    world.service.requests.reset();
    expect(await reader.drift(state, sample.config)).toEqual([]);
    expect(world.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  });
}
