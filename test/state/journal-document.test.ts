import { crc32 } from "node:zlib";
import { JsonNumber } from "../../src/json";
import { HttpBackend } from "../../src/state/backends/http-backend";
import { parseState } from "../../src/state/format/file-format";
import { type Change, formatLine, parseJournal, parseLine } from "../../src/state/journal/entries";
import { Journal } from "../../src/state/journal/journal";
import { httpBackendConfig } from "../../src/state/storage/http-config";
import { deepJson } from "../support/deep-json";
import { StateServer } from "./state-server";

let server: StateServer;
beforeEach(async () => {
  server = new StateServer();
  await server.start();
});
afterEach(() => server.stop());

const backend = (more: object = {}) =>
  new HttpBackend(httpBackendConfig({ address: server.url("/state"), retry_max: 0, ...more }, {}));

const change = (name: string): Change => ({
  address: `memory_thing.${name}`,
  resource: { mode: "managed", type: "memory_thing", name, provider: 'provider["x/y/z"]' },
  instance: { schemaVersion: 0, sensitivePaths: [], dependencies: [] },
  planned: { attributes: { name } },
});

const writes = () => server.requests.filter(({ method }) => method === "POST").map(({ url }) => url);

describe("a journal at the second address of the http backend", () => {
  test("50 concurrent changes need only two writes of the journal", async () => {
    const journal = new Journal(backend().journal, "lineage", undefined);
    const begun = await Promise.all(
      Array.from({ length: 50 }, (_, at) => journal.recordIntent(change(`t${at}`))),
    );
    for (const n of begun) journal.recordCommit(n, []);
    await journal.flush();
    expect(writes()).toEqual(["/state-journal", "/state-journal"]);
  });

  test("if a full disk prevents the record of a saved state, the journal writes the record again", async () => {
    const lines: string[] = [];
    let failures = 0;
    const append = async (more: readonly string[]) => {
      if (more.join("").includes('"saving"') && failures++ === 0)
        throw new Error("the disk was full for a moment");
      lines.push(...more);
    };
    const journal = new Journal({ ...backend().journal, append } as never, "lineage", undefined);
    await journal.recordIntent(change("open"));
    await journal.recordSave({ serial: 1, lineage: "lineage", digest: "saved" });
    expect(parseJournal(lines.join(""), "here")!.entries).toMatchObject([
      { kind: "begun" },
      { kind: "saving", state: { digest: "saved" } },
    ]);
  });

  test("the http backend stores a journal as a state with sensitive outputs", async () => {
    await new Journal(backend().journal, "lineage", undefined).recordIntent(change("a"));
    const state = parseState(server.journal, "here");
    expect(state.resources).toEqual([]);
    expect(Object.values(state.outputs).map(({ sensitive }) => sensitive)).toEqual([true, true]);
  });

  test("if the storage refuses to save the journal, the error contains TF_HTTP_JOURNAL_ADDRESS", async () => {
    const journal = new Journal(backend().journal, "lineage", undefined);
    server.mishaps.push(200, 404, 403);
    await expect(journal.recordIntent(change("a"))).rejects.toMatchObject({
      diagnostics: [
        { code: "state_http_refused", detail: expect.stringContaining("TF_HTTP_JOURNAL_ADDRESS") },
      ],
    });
    expect(journal.coverage).toBe("all");
  });

  test("if a state is stored at the journal's address, reading the journal fails", async () => {
    await backend({ address: server.url("/x-journal") }).read();
    server.journal = JSON.stringify({
      version: 4,
      terraform_version: "1.11.4",
      serial: 1,
      lineage: "other",
      outputs: {},
      resources: [
        {
          mode: "managed",
          type: "a",
          name: "b",
          provider: 'provider["x/y/z"]',
          instances: [{ schema_version: 0, attributes: {} }],
        },
      ],
    });
    await expect(backend().journal.read()).rejects.toMatchObject({
      diagnostics: [{ code: "journal_address_taken" }],
    });
  });
});

test("a journal line contains all digits of a number that JavaScript can't represent", () => {
  const planned = { attributes: { id: new JsonNumber("9007199254740993"), near: 0.5 } };
  const line = formatLine({ kind: "begun", n: 1, change: { ...change("exact"), planned } });
  expect(parseLine(line.trimEnd())).toMatchObject({ change: { planned } });
});

describe("a journal in a file after a power failure", () => {
  const head = formatLine({ kind: "head", format: 1, lineage: "lineage", started: "now", states: [null] });
  const begun = (n: number, batch?: number) =>
    formatLine({ kind: "begun", n, ...(batch !== undefined && { batch }), change: change(`t${n}`) });
  const zeroed = (line: string) => `${"\0".repeat(line.length - 9)}${line.slice(-9)}`;
  const read = (...lines: string[]) => parseJournal(lines.join(""), "here")?.entries.map(({ n }) => n);

  test("if the last write of a journal is incomplete, reading the journal returns the lines of all earlier writes", () => {
    expect(read(head, begun(1, 0), begun(2), zeroed(begun(3, 2)), begun(4, 2))).toEqual([1, 2]);
    expect(read(head, zeroed(begun(1, 0)), begun(2, 0))).toEqual([]);
    expect(read(zeroed(head), begun(1, 0))).toBeUndefined();
    expect(read(head, begun(1, 0), zeroed(begun(2)))).toEqual([1]);
  });

  test.each([
    ["a later write follows", [head, zeroed(begun(1, 0)), begun(2)]],
    ["it is not missing but changed", [head, begun(1, 0).replace("t1", "t2"), begun(2, 0)]],
  ])("reading a journal with a damaged line fails if %s", (_, lines) => {
    expect(() => read(...lines)).toThrow(
      expect.objectContaining({ diagnostics: [expect.objectContaining({ code: "journal_damaged" })] }),
    );
  });
});

test("a journal line with 200,000 nested levels is invalid, even if the line's checksum is right", () => {
  const deep = deepJson(200_000, "both");
  expect(parseLine(`${crc32(deep).toString(16).padStart(8, "0")} ${deep}`)).toBeUndefined();
});
