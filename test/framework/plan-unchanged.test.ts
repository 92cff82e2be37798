import fc from "fast-check";
import type { ResourceDefinition } from "../../src/framework/definition/definition";
import { canHideEntries } from "../../src/framework/operations/hidden-entries";
import { claimIfUnchanged, planInFull, planResource } from "../../src/framework/operations/plan-resource";
import { readResource } from "../../src/framework/operations/read-resource";
import { openSession, resourceSession, type Session } from "../../src/framework/operations/session";
import { declaredBy, noteDeclared } from "../../src/framework/operations/state";
import type { Connection } from "../../src/framework/protocol/connection";
import type { PlanResponse, StoredState } from "../../src/framework/protocol/protocol";
import { References } from "../../src/framework/references/references";
import { rememberedIn, withRemembered } from "../../src/framework/references/remembered";
import { RESOURCES } from "../../src/provider/registry";
import {
  type Attribute,
  attributeEntries,
  isCollectionOfPrimitives,
  isNested,
  reference,
  type Value,
  type ValueObject,
  withDefaults,
} from "../../src/schema";
import { SAMPLES } from "../provider/samples";
import { runs, seed } from "../support/capabilities";

// The provider plans an unchanged object in a quick way. The tests check that the result equals a full plan, with the same
// attributes, diagnostics, remembered references and owners.

const idOf = (name: number | string): number =>
  typeof name === "number" ? name : [...name].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, 7);
const kind = {
  path: { pattern: /./, hint: "any text" },
  find: async (_: unknown, name: number | string) => ({
    ...reference(idOf(name), typeof name === "number" ? `path-${name}` : name),
  }),
};

const stays = (...asked: Parameters<typeof claimIfUnchanged>): boolean =>
  claimIfUnchanged(...asked)?.length === 0;

function session(host: "steward" | "terraform" = "steward"): Session {
  // The stand-in for the client. This is the only request of a plan that is not about an object: it asks whether the
  // instance enforces the limit on job tokens.
  const client = { applicationSettings: { get: async () => ({}) } };
  const connection = { client, address: "https://steward.example" } as unknown as Connection;
  const kinds = { project: kind, group: kind, user: kind };
  const rules = { name: "steward", kinds, failureOf: () => undefined, dataSources: [] };
  return openSession(rules as never, connection, true, { host });
}

/** Returns the state of an object after its declaration was applied. */
async function stateOf(
  { attributes, container }: ResourceDefinition,
  key: string,
  config: ValueObject,
): Promise<StoredState> {
  const { lookups } = session();
  const references = new References(lookups, undefined);
  await references.settled(() =>
    declaredBy({ attributes, container } as ResourceDefinition, config, references),
  );
  noteDeclared({ attributes }, config, references);
  const within = idOf(String(config[container]));
  const values = Object.entries(attributes).map(([name, attribute]): [string, Value] => {
    if (attribute.presence === "computed") return [name, null];
    return [name, withDefaults(attribute, config[name] ?? null)];
  });
  return {
    attributes: { id: `${within}:${key}`, ...Object.fromEntries(values) },
    private: references.remember(),
  };
}

/** Returns the values that a read finds for an object with this declaration. */
async function foundBy(definition: ResourceDefinition, config: ValueObject): Promise<unknown> {
  const references = new References(session().lookups, undefined);
  const declared = await references.settled(() => declaredBy(definition, config, references));
  return {
    ...Object.fromEntries(Object.keys(definition.attributes).map((name) => [name, null])),
    ...declared,
  };
}

/** Generates a value of an attribute from a small set, or no value, so that two declarations are often equal. */
function valuesOf({ type, presence }: Attribute, sample: Value): fc.Arbitrary<Value> {
  const one = (): readonly Value[] => {
    if (isNested(type))
      return [[{ access_level: 40 }], [{ access_level: 40, group_inheritance_type: 0 }], sample];
    if (isCollectionOfPrimitives(type)) return [[], ["7"], ["acme/other"], ["7", "acme/other"], sample];
    if (type.kind === "number") return [0, 1, 30, 40, sample];
    if (type.kind === "bool") return [true, false, sample];
    return ["7", "acme/other", "owner", sample];
  };
  return fc.constantFrom(...(presence === "required" ? one() : [null, ...one()]));
}

/** Changes some attributes of a declaration, or removes them. */
const changed = (of: ValueObject, { attributes, container }: ResourceDefinition): fc.Arbitrary<ValueObject> =>
  fc
    .record(
      Object.fromEntries(
        attributeEntries(attributes)
          .filter(([name, { presence }]) => presence !== "computed" && name !== container)
          .map(([name, attribute]) => [name, valuesOf(attribute, of[name] ?? null)]),
      ),
      { requiredKeys: [] },
    )
    .map((changes) => ({ ...of, ...changes }) as ValueObject);

const memoryOf = ({ planned }: PlanResponse) => ({
  references: planned && Object.fromEntries(rememberedIn(planned.private).references),
  declared: planned && rememberedIn(planned.private).declared,
});

describe.each(RESOURCES.map((definition) => [definition.type, definition] as const))(
  "%s",
  (type, definition) => {
    const { config: declared } = SAMPLES[`steward_${type}`]!;

    test("if an object's state agrees with its declaration, the provider recognizes the object as unchanged", async () => {
      const state = await stateOf(definition, "7", declared);
      const request = { state, config: declared, address: "a.b", isRead: true };
      expect(stays(resourceSession(session(), definition), request)).toBe(true);
    });

    test("if an imported object's state agrees with its declaration, the provider recognizes the object as unchanged", async () => {
      const { private: applied, ...state } = await stateOf(definition, "7", declared);
      const bytes = withRemembered(applied, { declared: undefined });
      const imported = { ...state, ...(bytes !== undefined && { private: bytes }) };
      const request = { state: imported, config: declared, address: "a.b", isRead: true };
      expect(stays(resourceSession(session("steward"), definition), request)).toBe(true);
    });

    test("if the provider recognizes an object as unchanged without a read, a read would return the same state", async () => {
      let staying = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.tuple(changed(declared, definition), fc.boolean(), fc.boolean()),
          async ([other, isLiveOther, remembers]) => {
            const applied = await stateOf(definition, "7", declared);
            const stored = remembers ? applied : { ...applied, private: undefined };
            const live = await foundBy(definition, isLiveOther ? other : declared).catch(() => undefined);
            const shown = { ...definition, read: () => live as never };
            const state =
              (await readResource(resourceSession(session(), shown), { type: "", state: stored })).state ??
              stored;
            const request = { state, config: declared, address: "a.b", isRead: false };
            if (!stays(resourceSession(session(), shown), request)) return;
            staying += 1;
            const read = await readResource(resourceSession(session(), shown), { type: "", state });
            expect(read).toEqual({ state, diagnostics: [] });
            expect(stays(resourceSession(session(), shown), { ...request, isRead: true })).toBe(true);
          },
        ),
        { numRuns: runs(40, 2_000), seed },
      );
      // The provider always reads a set of references, because the service may hide entries of it. An object with a set
      // of references is never skipped.
      expect(staying > 0).toBe(!canHideEntries(definition));
    });

    test("the quick plan of an object returns the same as the full plan, under Terraform and Steward", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.tuple(changed(declared, definition), changed(declared, definition), fc.boolean(), fc.boolean()),
          async ([applied, wanted, remembers, canReturnPrior]) => {
            const stored = await stateOf(definition, "7", applied).catch(() => undefined);
            fc.pre(stored !== undefined);
            const prior = remembers ? stored : { ...stored, private: undefined };
            const host = canReturnPrior ? "steward" : "terraform";
            const [quick, full] = [session(host), session(host)].map((one) =>
              resourceSession(one, definition),
            );
            for (const one of ["a.one", "a.two"]) {
              const address = canReturnPrior ? { address: one } : {};
              const request = { type: `steward_${type}`, prior, config: wanted, ...address, canReturnPrior };
              const plan = await planResource(quick!, request);
              const whole = await planInFull(full!, request);
              // The diagnostics are compared as JSON, because the steps of paths contain functions that are new in each plan.
              expect(JSON.stringify(plan.diagnostics)).toBe(JSON.stringify(whole.diagnostics));
              expect(plan.requiresReplace).toEqual(whole.requiresReplace);
              expect(plan.planned?.attributes).toEqual(whole.planned?.attributes);
              // If the plan of an imported object returns the prior object, the result contains no record of declared
              // attributes.
              const isImported = plan.planned === prior && rememberedIn(prior.private).declared === undefined;
              const memory = memoryOf(whole);
              expect(memoryOf(plan)).toEqual(isImported ? { ...memory, declared: undefined } : memory);
              // After this plan, Terraform can plan a replacement. The private data must then show that both plans
              // belong to the same object.
              if (!canReturnPrior) expect(plan.planned?.private).toEqual(whole.planned?.private);
            }
          },
        ),
        { numRuns: runs(100, 3_000), seed },
      );
    });
  },
);
