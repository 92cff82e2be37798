import fc from "fast-check";
import type {
  InstanceState,
  Json,
  OutputState,
  ResourceState,
  SensitivePath,
  State,
} from "../../src/state/model/model";
import { codePoint } from "../support/code-points";

/** Replaces negative zeros by zeros, because JSON can't represent them. */
const withoutNegativeZero = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value), (_, one: Json) => (Object.is(one, -0) ? 0 : one)) as Json;

const json: fc.Arbitrary<Json> = fc.jsonValue({ stringUnit: codePoint }).map(withoutNegativeZero);
const identifier = fc.stringMatching(/^[a-z_][a-z0-9_-]{0,8}$/);
const text = fc.string({ unit: codePoint, maxLength: 12 });
const dictionary = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.array(fc.tuple(text, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));

/** Generates records in which each of the optional fields may be missing. */
const record = <T>(required: object, optional: object): fc.Arbitrary<T> =>
  fc.record(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required) as never[] },
  ) as fc.Arbitrary<T>;

const extra = fc
  .uniqueArray(fc.tuple(fc.stringMatching(/^x_[a-z]{1,4}$/), json), {
    selector: ([key]) => key,
    minLength: 1,
    maxLength: 3,
  })
  .map((entries) => Object.fromEntries(entries));

const path: fc.Arbitrary<SensitivePath> = fc.array(
  fc.oneof(
    fc.record({ attribute: text }),
    fc.record({ index: fc.oneof(fc.nat(), text) }),
    fc.record({
      index: fc.constant<Json>({ id: "1" }),
      type: fc.constant<Json>(["object", { id: "string" }]),
    }),
  ),
  { minLength: 1, maxLength: 3 },
);

const instance = record<InstanceState>(
  {
    schemaVersion: fc.nat(),
    attributes: dictionary(json),
    sensitivePaths: fc.array(path, { maxLength: 3 }),
    dependencies: fc.array(identifier, { maxLength: 3 }),
  },
  {
    indexKey: fc.oneof(fc.nat(), text),
    deposed: fc.stringMatching(/^[0-9a-f]{8}$/),
    status: fc.constant("tainted"),
    private: fc
      .uint8Array({ minLength: 1, maxLength: 12 })
      .map((bytes) => Buffer.from(bytes).toString("base64")),
    createBeforeDestroy: fc.constant(true),
    identity: fc.record({ version: fc.nat(), values: dictionary(json) }),
    extra,
  },
);

const rank = (key: unknown): number => {
  if (key === undefined) return 0;
  return typeof key === "number" ? 1 : 2;
};
const byBytes = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

/** Compares instances in Terraform's order: first without a key, then with a number as key, then with a text as key. */
function compareInstances(left: InstanceState, right: InstanceState): number {
  const ranks = rank(left.indexKey) - rank(right.indexKey);
  if (ranks !== 0) return ranks;
  const keys =
    typeof left.indexKey === "number"
      ? left.indexKey - Number(right.indexKey)
      : byBytes(left.indexKey ?? "", String(right.indexKey ?? ""));
  return keys === 0 ? byBytes(left.deposed ?? "", right.deposed ?? "") : keys;
}

const resource = record<ResourceState>(
  {
    mode: fc.constantFrom("managed", "data"),
    type: identifier,
    name: identifier,
    provider: fc.constantFrom(
      'provider["registry.example/acme/acme"]',
      'module.a.provider["x.example/a/b"].c',
    ),
    instances: fc
      .uniqueArray(instance, { selector: (one) => JSON.stringify([one.indexKey, one.deposed]), maxLength: 3 })
      .map((list) => list.sort(compareInstances)),
  },
  {
    module: fc.constantFrom("module.a", 'module.a["x.y"].module.b', "module.a[0]"),
    each: fc.constant("list"),
    extra,
  },
);

const compareResources = (left: ResourceState, right: ResourceState): number =>
  byBytes(left.module ?? "", right.module ?? "") ||
  byBytes(left.mode, right.mode) ||
  byBytes(left.type, right.type) ||
  byBytes(left.name, right.name);

const output = record<OutputState>(
  { value: json, type: fc.constantFrom<Json>("string", ["list", "bool"]), sensitive: fc.boolean() },
  { extra },
);

/** Generates states whose resources have the order of a file. */
export const anyState = record<State>(
  {
    serial: fc.nat(),
    lineage: fc.uuid(),
    terraformVersion: fc.constantFrom("1.11.4", "1.12.0"),
    outputs: fc
      .array(fc.tuple(identifier, output), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
    resources: fc
      .uniqueArray(resource, {
        selector: (one) => JSON.stringify([one.module, one.mode, one.type, one.name]),
        maxLength: 4,
      })
      .map((list) => list.sort(compareResources)),
  },
  {
    checkResults: fc.constant<Json>([
      { object_kind: "check", config_addr: "check.a", status: "pass", objects: null },
    ]),
    extra,
  },
);
