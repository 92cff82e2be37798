import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { parse } from "protobufjs";
import { GRPC_BROKER_SERVICE } from "../../../src/plugin/messages/generated/go-plugin";
import { PROVIDER_SERVICE } from "../../../src/plugin/messages/generated/tfplugin6";

const PROTO = path.join(__dirname, "../../../src/plugin/proto/tfplugin6.proto");
const reference = parse(readFileSync(PROTO, "utf8")).root;
const theirs = (name: string) => reference.lookupType(`tfplugin6.${name}`);

const { PlanResourceChange, GetProviderSchema, UpgradeResourceState } = PROVIDER_SERVICE;
const bytes = fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each));
const step = fc.oneof(
  fc.record({ attributeName: fc.string() }),
  fc.record({ elementKeyString: fc.string() }),
  fc.record({ elementKeyInt: fc.integer({ min: 0 }) }),
);
const response = fc.record({
  plannedState: fc.record({ msgpack: bytes }),
  requiresReplace: fc.array(fc.record({ steps: fc.array(step) }), { maxLength: 3 }),
  plannedPrivate: bytes,
  diagnostics: fc.array(
    fc.record({
      severity: fc.constantFrom("ERROR" as const, "WARNING" as const),
      summary: fc.string(),
      detail: fc.string(),
    }),
    { maxLength: 3 },
  ),
});

/** Decodes a message with protobufjs, whose result is the reference for the tests. */
const readByOracle = (name: string, encoded: Uint8Array): unknown =>
  theirs(name).toObject(theirs(name).decode(encoded), { enums: String, longs: Number, defaults: false });

test("protobufjs reads every message that the codec writes", () => {
  fc.assert(
    fc.property(response, (sent) => {
      const read = readByOracle("PlanResourceChange.Response", PlanResourceChange.responseSerialize(sent));
      const oracle = theirs("PlanResourceChange.Response");
      const same = oracle.toObject(oracle.decode(oracle.encode(oracle.fromObject(sent)).finish()), {
        enums: String,
        longs: Number,
      });
      expect(read).toEqual(withoutZeros(same));
    }),
  );
});

/** Removes zeros and empty lists from a value, because proto3 does not send them. */
function withoutZeros(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutZeros);
  if (Buffer.isBuffer(value) || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => name === "attributeName" || name.startsWith("elementKey") || !isZero(each))
      .map(([name, each]) => [name, withoutZeros(each)]),
  );
}
const isZero = (value: unknown): boolean => value === "" || (Buffer.isBuffer(value) && value.length === 0);

test("the codec reads every message that protobufjs writes", () => {
  const type = theirs("UpgradeResourceState.Request");
  const sent = {
    typeName: "steward_x",
    version: 3,
    rawState: { json: Buffer.from("{}"), flatmap: { id: "1" } },
  };
  const encoded = Buffer.from(type.encode(type.fromObject(sent)).finish());
  const unknownFields = Buffer.from([0x7a, 0x02, 0x68, 0x69, 0x80, 0x01, 0x05]);
  expect(UpgradeResourceState.requestDeserialize(Buffer.concat([encoded, unknownFields]))).toEqual(sent);
});

test("if a message lacks a field, the codec returns the zero value of the field's type", () => {
  expect(PlanResourceChange.requestDeserialize(Buffer.alloc(0))).toEqual({
    typeName: "",
    priorState: undefined,
    proposedNewState: undefined,
    config: undefined,
    priorPrivate: new Uint8Array(),
    plannedPrivate: new Uint8Array(),
  });
  expect(GetProviderSchema.responseDeserialize(Buffer.alloc(0))).toMatchObject({
    resourceSchemas: {},
    diagnostics: [],
  });
});

test("the codec writes the index 0 in a path, although it omits other zero values", () => {
  const sent = { requiresReplace: [{ steps: [{ attributeName: "rules" }, { elementKeyInt: 0 }] }] };
  const [path] = PlanResourceChange.responseDeserialize(
    PlanResourceChange.responseSerialize(sent),
  ).requiresReplace;
  expect(path!.steps[1]).toEqual({ attributeName: undefined, elementKeyString: undefined, elementKeyInt: 0 });
});

test("if the codec writes and reads maps, enums and large numbers, their values stay the same", () => {
  const schema = {
    version: 2,
    block: {
      version: 2,
      attributes: [{ name: "id", type: Buffer.from('"string"'), descriptionKind: "MARKDOWN" as const }],
    },
  };
  const sent = GetProviderSchema.responseSerialize({ resourceSchemas: { a: schema, b: {} } });
  const { resourceSchemas } = GetProviderSchema.responseDeserialize(sent);
  expect(resourceSchemas["a"]).toMatchObject(schema);
  expect(resourceSchemas["b"]).toMatchObject({ version: 0, block: undefined });
  const info = { serviceId: 4_000_000_000, network: "unix", address: "/run/x" };
  const { requestSerialize, requestDeserialize } = GRPC_BROKER_SERVICE.StartStream;
  expect(requestDeserialize(requestSerialize(info))).toEqual(info);
});
