import { crc32 } from "node:zlib";
import { parseJson } from "../../src/json";
import { HttpBackend } from "../../src/state/backends/http-backend";
import { parseState } from "../../src/state/format/file-format";
import { parseLine } from "../../src/state/journal/entries";
import { parseLockInfo } from "../../src/state/lock/lock-info";
import { httpBackendConfig } from "../../src/state/storage/http-config";
import { deepJson } from "../support/deep-json";
import { diagnosticOf } from "./scratch";
import { StateServer } from "./state-server";

const DEEP = deepJson(200_000, "both");
const TOO_DEEP = expect.stringContaining("nested more than 512 levels deep");
const state = (value: string): string =>
  `{"version":4,"terraform_version":"1.11.0","serial":1,"lineage":"l","resources":[],"outputs":{"a":{"type":"string","value":${value}}}}`;

test.each([
  ["as a whole", DEEP],
  ["in an output", state(DEEP)],
  ["beside a number that no double holds", state(`[12345678901234567890,${DEEP}]`)],
])("a state of 200,000 levels ended with a RangeError: it is damaged (%s)", async (_, text) => {
  expect(await diagnosticOf(() => parseState(text, "x.tfstate"))).toMatchObject({
    code: "state_not_json",
    detail: TOO_DEEP,
  });
});

test("a state, a journal and a lock of 200,000 levels behind an address are told as such", async () => {
  const server = new StateServer();
  await server.start();
  try {
    const lock = { lock_address: server.url("/lock"), unlock_address: server.url("/lock") };
    const block = { address: server.url("/state"), ...lock, retry_max: 0 };
    const backend = () => new HttpBackend(httpBackendConfig(block, {}));
    server.state = state(DEEP);
    server.journal = state(DEEP);
    server.lock = `{"ID":"x","Who":${DEEP}}`;
    expect(await diagnosticOf(() => backend().read())).toMatchObject({
      code: "state_not_json",
      detail: TOO_DEEP,
    });
    expect(await diagnosticOf(() => backend().journal.read())).toMatchObject({ detail: TOO_DEEP });
    expect(await diagnosticOf(() => backend().lock({ operation: "plan" }))).toMatchObject({
      code: "state_locked",
      detail: expect.stringContaining("an unknown holder, whose lock is unreadable"),
    });
  } finally {
    await server.stop();
  }
});

test("a lock of 200,000 levels is one that can't be read", () => {
  expect(parseLockInfo(`{"ID":"x","Who":${DEEP}}`, "x")).toMatchObject({ id: "", who: "" });
});

test("a line of 200,000 levels is no line of a journal, although its checksum is right", () => {
  expect(parseLine(`${crc32(DEEP).toString(16).padStart(8, "0")} ${DEEP}`)).toBeUndefined();
});

test("JSON of an expression, of variables and of a configuration has the same limit", () => {
  for (const kind of ["array", "object", "both"] as const) {
    expect(() => parseJson(deepJson(512, kind))).not.toThrow();
    for (const levels of [513, 200_000]) {
      expect(() => parseJson(deepJson(levels, kind))).toThrow("nested more than 512 levels deep");
      expect(() => parseJson(deepJson(levels, kind))).toThrow(SyntaxError);
    }
  }
});
