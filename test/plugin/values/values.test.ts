import { decode, ExtData, encode } from "@msgpack/msgpack";
import fc from "fast-check";
import { readState, writeKept, writeState } from "../../../src/plugin/values/stored-state";
import { isNull, readObject, SeenObjects, writeObject } from "../../../src/plugin/values/wire-value";
import { type Attributes, required, UNKNOWN, type Value, type ValueObject } from "../../../src/schema";
import { pathOf } from "../../support/path-of";
import { EVERY_TYPE } from "../support/attributes";

const NO_BYTES = new Uint8Array();
const read = (raw: unknown) =>
  readObject(EVERY_TYPE, { msgpack: encode(raw, { useBigInt64: true }), json: NO_BYTES });
const NOTHING = Object.fromEntries(Object.keys(EVERY_TYPE).map((name): [string, Value] => [name, null]));

/** An unknown value about which Terraform knows something: it is not null, has a prefix, and has bounds. */
const refined = new ExtData(
  12,
  encode(
    new Map<number, unknown>([
      [1, false],
      [2, "acme/"],
      [3, [1, true]],
    ]),
  ),
);
const unknown = new ExtData(0, new Uint8Array([0]));

const maybe = <T extends Value>(known: fc.Arbitrary<T>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 5, arbitrary: known as fc.Arbitrary<Value> }, fc.constant(null), fc.constant(UNKNOWN));
const number = maybe(fc.oneof(fc.integer(), fc.constantFrom(0.1, 1e30, -2.5)));
const text = maybe(fc.string({ unit: "grapheme" }));
const anything = fc.record({
  id: text,
  project: text,
  name: text,
  count: number,
  enabled: maybe(fc.boolean()),
  targets: maybe(fc.array(text, { maxLength: 4 })),
  tags: maybe(fc.array(text, { maxLength: 4 })),
  rules: maybe(fc.array(maybe(fc.record({ user: text, level: number })), { maxLength: 3 })),
  steps: maybe(fc.array(maybe(fc.record({ name: text, port: number })), { maxLength: 3 })),
});

test("if a value is encoded and decoded, it stays the same, even with unknown and null elements", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const { msgpack } = writeObject(EVERY_TYPE, value);
      expect(readObject(EVERY_TYPE, { msgpack, json: NO_BYTES })).toEqual(value);
    }),
  );
});

test("the provider encodes each number as a msgpack text, not as a msgpack number", () => {
  const numbersIn = (raw: unknown): unknown[] => {
    if (typeof raw === "number" || typeof raw === "bigint") return [raw];
    return typeof raw === "object" && raw !== null && !(raw instanceof ExtData)
      ? Object.values(raw).flatMap(numbersIn)
      : [];
  };
  fc.assert(
    fc.property(anything, (value) => {
      expect(numbersIn(decode(writeObject(EVERY_TYPE, value).msgpack))).toEqual([]);
    }),
  );
});

test("the decoder sets missing attributes to null, and drops attributes that the schema lacks", () => {
  expect(read({ name: "a", size: 3, rules: [{ user: "ada", colour: "red" }] })).toEqual({
    ...NOTHING,
    name: "a",
    rules: [{ user: "ada", level: null }],
  });
});

test("the decoder returns undefined for a null object", () => {
  expect(read(null)).toBeUndefined();
  expect(readObject(EVERY_TYPE, undefined)).toBeUndefined();
  expect(decode(writeObject(EVERY_TYPE, undefined).msgpack)).toBeNull();
});

test.each([
  ["unknown", unknown],
  ["refined unknown", refined],
])("the decoder reads a value that is %s as unknown, also in sets and lists", (_, given) => {
  const raw = {
    name: given,
    count: given,
    enabled: given,
    targets: given,
    rules: [given, { user: given, level: 1 }],
    tags: ["a", given],
  };
  expect(read(raw)).toEqual({
    ...NOTHING,
    name: UNKNOWN,
    count: UNKNOWN,
    enabled: UNKNOWN,
    targets: UNKNOWN,
    rules: [UNKNOWN, { user: UNKNOWN, level: 1 }],
    tags: ["a", UNKNOWN],
  });
});

test("all attributes of an unknown object are unknown", () => {
  expect(Object.values(read(unknown)!).every((value) => value === UNKNOWN)).toBe(true);
});

test("the provider encodes unknown values as Terraform does", () => {
  const { msgpack } = writeObject({ name: EVERY_TYPE.name }, { name: UNKNOWN });
  expect(Buffer.from(msgpack).toString("hex")).toBe(`81a4${Buffer.from("name").toString("hex")}d40000`);
});

test("the provider encodes an empty set as empty, and an absent set as null", () => {
  const { msgpack } = writeObject(EVERY_TYPE, { ...NOTHING, targets: [] });
  expect(decode(msgpack)).toMatchObject({ targets: [], rules: null });
});

test("the decoder returns the values of an object in JSON, including fractions and large numbers", () => {
  const json = Buffer.from('{"name":"a","count":0.1,"rules":[{"user":null,"level":1000000}]}');
  expect(readObject(EVERY_TYPE, { msgpack: NO_BYTES, json })).toEqual({
    ...NOTHING,
    name: "a",
    count: 0.1,
    rules: [{ user: null, level: 1_000_000 }],
  });
});

test("if private data is read and written, its bytes stay the same", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const { msgpack } = writeObject(EVERY_TYPE, NOTHING);
      const state = readState(EVERY_TYPE, { msgpack, json: NO_BYTES }, bytes);
      expect(Buffer.from(writeState(EVERY_TYPE, state).bytes)).toEqual(Buffer.from(bytes));
    }),
  );
});

test("isNull detects a null object without decoding the object's attributes", () => {
  const { msgpack } = writeObject(EVERY_TYPE, NOTHING);
  const json = (text: string) => ({ msgpack: NO_BYTES, json: Buffer.from(text) });
  expect(isNull(undefined)).toBe(true);
  expect(isNull({ msgpack: writeObject(EVERY_TYPE, undefined).msgpack, json: NO_BYTES })).toBe(true);
  expect(isNull({ msgpack: NO_BYTES, json: NO_BYTES })).toBe(true);
  expect(isNull(json("null"))).toBe(true);
  expect(isNull(json("{}"))).toBe(false);
  expect(isNull({ msgpack, json: NO_BYTES })).toBe(false);
  expect(isNull({ msgpack: msgpack.subarray(0, 1), json: NO_BYTES })).toBe(false);
});

test("the error about an inexact number in a set contains the path of the right element", () => {
  const raw = {
    rules: [
      { user: "ada", level: 1 },
      { user: "bo", level: 2n ** 53n + 1n },
    ],
    count: 3,
  };
  expect(() => read(raw)).toThrow(
    expect.objectContaining({
      diagnostics: [expect.objectContaining({ attribute: pathOf('rules[user "bo"].level') })],
    }),
  );
  expect(read({ count: 3 })).toMatchObject({ count: 3 });
});

test("the decoder refuses a JSON number with too many digits instead of rounding it", () => {
  const readJson = (json: string) =>
    readObject(EVERY_TYPE, { msgpack: NO_BYTES, json: Buffer.from(json) })!["count"];
  expect(readJson('{"count":0.1}')).toBe(0.1);
  expect(() => readJson('{"count":9007199254740993}')).toThrow("9007199254740993 has too many digits");
});

test("if a plan has no changes, the planned state has the same bytes as the prior state", () => {
  fc.assert(
    fc.property(anything, fc.uint8Array({ minLength: 1 }), (value, bytes) => {
      const { msgpack } = writeObject(EVERY_TYPE, value);
      const came = { value: { msgpack, json: NO_BYTES }, bytes };
      const state = readState(EVERY_TYPE, came.value, bytes)!;
      const written = (planned?: typeof state) => writeKept(EVERY_TYPE, planned, { state, ...came }, true);
      const kept = written({ ...state });
      expect(kept.value).toBe(came.value);
      expect(kept.bytes).toBe(bytes);
      const changed = { private: "AAAA", attributes: { ...state.attributes, name: "another one" } };
      expect(written(changed)).toEqual(writeState(EVERY_TYPE, changed));
      expect(written()).toEqual(writeState(EVERY_TYPE, undefined));
    }),
  );
});

describe("an object that Terraform sends twice", () => {
  test("if Terraform sends several objects twice, the provider decodes the same values both times", () => {
    fc.assert(
      fc.property(fc.array(anything, { minLength: 1, maxLength: 4 }), (values) => {
        const seen = new SeenObjects();
        const sent = values.map((value) => ({ ...writeObject(EVERY_TYPE, value), json: NO_BYTES }));
        const first = sent.map((one) => seen.first(EVERY_TYPE, one));
        const again = sent.map((one) => seen.again(EVERY_TYPE, one));
        expect(again).toEqual(first);
        expect(sent.map((one) => seen.again(EVERY_TYPE, one))).toEqual(first);
        expect(first).toEqual(sent.map((one) => readObject(EVERY_TYPE, one)));
      }),
    );
  });

  test("the provider uses a decoded object for the next equal message of the same type, but only once", () => {
    const seen = new SeenObjects();
    const [sent, other] = [{ name: required.string({ description: "A name." }) }, EVERY_TYPE];
    const came = { ...writeObject(sent, { name: "a" }), json: NO_BYTES };
    const first = seen.first(sent, came);
    expect(seen.again(other, came)).not.toBe(first);
    expect(seen.again(sent, came)).toBe(first);
    expect(seen.again(sent, came)).not.toBe(first);
  });
});

describe("a refreshed state", () => {
  const texts = { name: required.string({ description: "A name." }) };
  const came = (attributes: Attributes, values: ValueObject) => {
    const value = { msgpack: encode(values), json: NO_BYTES };
    return { state: { attributes: values }, value, bytes: NO_BYTES, attributes };
  };

  test("if a refresh changes no value of an object, the response contains the object's original bytes", () => {
    const { attributes, ...rest } = came(texts, { name: "a" });
    expect(writeKept(attributes, rest.state, rest, false).value).toBe(rest.value);
    expect(writeKept(attributes, { attributes: { name: "b" } }, rest, false)).toEqual(
      writeState(attributes, { attributes: { name: "b" } }),
    );
    expect(writeKept(attributes, undefined, rest, false)).toEqual(writeState(attributes, undefined));
  });

  test("if a refreshed object has numbers, the provider encodes the object again", () => {
    const { attributes, ...rest } = came(EVERY_TYPE, { count: 1 });
    expect(writeKept(attributes, rest.state, rest, false)).toEqual(writeState(attributes, rest.state));
  });
});
