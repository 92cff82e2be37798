import { HttpBackend } from "../../src/state/backends/http-backend";
import { formatState } from "../../src/state/format/format-state";
import { type Change, formatJournal, type JournalEntry } from "../../src/state/journal/entries";
import { Journal } from "../../src/state/journal/journal";
import { emptyState, type State } from "../../src/state/model/model";
import { addressKey, journalAddressOf, safeUrl } from "../../src/state/storage/http-addresses";
import { type HttpBackendBlock, httpBackendConfig } from "../../src/state/storage/http-config";
import { DocumentServer } from "./document-server";
import { diagnosticOf } from "./scratch";

const change: Change = {
  address: "memory_thing.a",
  resource: { mode: "managed", type: "memory_thing", name: "a", provider: 'provider["x/y/z"]' },
  instance: { schemaVersion: 0, sensitivePaths: [], dependencies: [] },
  planned: { attributes: { name: "a" } },
};

const withOutput = (value: string): State => ({
  ...emptyState(),
  outputs: { text: { value, type: "string", sensitive: false } },
});

describe("the address of a journal", () => {
  test.each([
    ["https://h/state/prod", "https://h/state/prod-journal"],
    ["https://h/state/prod/", "https://h/state/prod-journal"],
    ["https://h/state/prod?token=t", "https://h/state/prod-journal?token=t"],
    ["https://h/?type=git&state=prod", "https://h/?type=git&state=prod-journal"],
    ["https://h/?state=a%2Fprod.json&ref=m%20n", "https://h/?state=a%2Fprod.json-journal&ref=m%20n"],
    ["https://h/states?name=prod", "https://h/states-journal?name=prod-journal"],
    ["https://h/?Name=prod", "https://h/?Name=prod-journal"],
    ["https://h/?id=prod", "https://h/?id=prod-journal"],
    ["https://h/?id=prod&version=1", "https://h/-journal?id=prod&version=1"],
  ])("the journal of the state %s is at %s", (state, journal) => {
    expect(journalAddressOf(new URL(state)).href).toBe(journal);
  });

  test("messages show the address of a state without the tokens in the address's query", () => {
    expect(safeUrl(new URL("https://h/?token=s3cret&state=prod&key=s3cret"))).toBe("https://h/?state=prod");
  });

  test("two addresses count as equal if they differ only in order of parameters, escapes or a final slash", () => {
    const keys = ["https://h/a?x=1&y=2", "https://H:443/a/?y=2&x=1", "https://h/%61?x=1&y=2"];
    expect(new Set(keys.map((one) => addressKey(new URL(one)))).size).toBe(1);
    expect(addressKey(new URL("https://h/a?x=2&y=1"))).not.toBe(addressKey(new URL(keys[0]!)));
  });
});

describe("settings under which a request for one document would replace another document", () => {
  const address = "https://h/state/prod";
  test.each<[string, HttpBackendBlock]>([
    ["the journal at the state's address", { journal_address: `${address}/` }],
    ["the lock at the journal's address", { lock_address: `${address}-journal` }],
    ["the unlock at the journal's address", { unlock_address: `${address}-journal` }],
    ["a lock that is sent as the state", { lock_address: address, lock_method: "POST" }],
    ["an unlock that is sent as the state", { unlock_address: address, unlock_method: "POST" }],
  ])("the http backend refuses %s", async (_, block) => {
    const found = await diagnosticOf(() => httpBackendConfig({ address, ...block }, {}));
    expect(found.code).toBe("state_http_configuration");
  });

  test("if the lock's HTTP method is LOCK, the lock and the state can have the same address", () => {
    const lock = { lock_address: address, unlock_address: address };
    expect(httpBackendConfig({ address, ...lock }, {}).lockMethod).toBe("LOCK");
  });
});

/** Functions that return the key of a document, from the part of the URL by which a storage distinguishes documents. */
const STORAGES: Record<string, (url: URL) => string | undefined> = {
  "the path": ({ pathname }) => pathname,
  "one parameter": ({ searchParams }) => searchParams.get("state") ?? undefined,
  "one parameter of one path": ({ pathname, searchParams }) =>
    pathname === "/" ? (searchParams.get("state") ?? undefined) : undefined,
  "the whole URL": ({ pathname, searchParams }) => {
    searchParams.delete("ID");
    return `${pathname}?${searchParams}`;
  },
  "a parameter that Steward does not know": ({ searchParams }) => searchParams.get("id") ?? undefined,
  nothing: () => "only",
};

const address = (name: string) =>
  name === "the path" ? "/prod?type=git&id=7" : "/?type=git&state=prod&id=7";
const SHARED = new Set(["a parameter that Steward does not know", "nothing"]);

describe.each(Object.entries(STORAGES))("a storage that distinguishes documents by %s", (name, keyOf) => {
  let server: DocumentServer;
  beforeEach(async () => {
    server = new DocumentServer(keyOf);
    await server.start();
  });
  afterEach(() => server.stop());
  const backend = (env: Record<string, string> = {}) =>
    new HttpBackend(httpBackendConfig({ address: server.url(address(name)), retry_max: 0 }, env));

  /** Writes the same contents as an apply: an intent in the journal, the state, and the end of the journal. */
  async function applyOnce(value: string) {
    const site = backend();
    expect(await site.journal.read()).toBeUndefined();
    const before = await site.read();
    const journal = new Journal(site.journal, before?.lineage ?? "lineage", site.version);
    const begun = await journal.recordIntent(change);
    await site.write({ ...(before ?? emptyState()), outputs: withOutput(value).outputs });
    journal.recordCommit(begun, []);
    await journal.flush();
    journal.saved(journal.position, site.version);
    await journal.close();
  }

  if (SHARED.has(name)) {
    test("if the storage would save journal and state as one document, the first run fails", async () => {
      expect(await diagnosticOf(() => applyOnce("a"))).toMatchObject({
        code: "journal_address_taken",
        detail: expect.stringContaining("TF_HTTP_JOURNAL_ADDRESS"),
      });
      expect((await backend().read())?.outputs).toEqual({});
    });

    test("if the storage would save journal and state as one document, a later run does not change the state", async () => {
      const state = withOutput("kept");
      await backend().write(state);
      expect((await diagnosticOf(() => applyOnce("b"))).code).toBe("journal_address_taken");
      expect(JSON.stringify([...server.documents.values()])).toContain("kept");
    });

    test("if the storage would save journal and state as one document, a run with an empty state fails", async () => {
      await backend().write(emptyState());
      expect((await diagnosticOf(() => applyOnce("b"))).code).toBe("journal_address_taken");
    });
    return;
  }

  test("after two runs, the storage has the state of the second run", async () => {
    await applyOnce("a");
    await applyOnce("b");
    expect((await backend().read())?.outputs["text"]?.value).toBe("b");
  });

  test("if the state's address contains a journal, even without pending changes, reading the state fails", async () => {
    const site = backend();
    const journal = new Journal(site.journal, "lineage", undefined);
    const begun = await journal.recordIntent(change);
    const other = () => {
      const taken = journalAddressOf(new URL(server.url(address(name)))).href;
      return new HttpBackend(httpBackendConfig({ address: taken, retry_max: 0 }, {})).read();
    };
    expect((await diagnosticOf(other)).code).toBe("state_is_journal");
    journal.recordCommit(begun, []);
    await journal.flush();
    await journal.close();
    expect((await diagnosticOf(other)).code).toBe("state_is_journal");
  });

  test("if the journal's address contains a state without resources, a run fails", async () => {
    const taken = journalAddressOf(new URL(server.url(address(name)))).href;
    await new HttpBackend(httpBackendConfig({ address: taken, retry_max: 0 }, {})).write(withOutput("other"));
    expect((await diagnosticOf(() => applyOnce("a"))).code).toBe("journal_address_taken");
  });

  test("a run recovers from a journal at the address that release 0.2 used", async () => {
    const own = new URL(server.url(address(name)));
    own.pathname = `${own.pathname.replace(/\/$/, "")}-journal`;
    const key = keyOf(own);
    if (key === undefined) return;
    const begun: JournalEntry = { kind: "begun", n: 1, change };
    const lines = formatJournal(
      { kind: "head", format: 1, lineage: "lineage", started: "now", states: [null] },
      [begun],
    ).join("");
    const outputs = { steward_journal: { value: lines, type: "string", sensitive: true } };
    server.documents.set(key, formatState({ ...emptyState(), serial: 3, outputs }));

    const killed = backend();
    expect(await killed.journal.read()).toBe(lines);
    expect(await killed.read()).toBeUndefined();
    // Writes the journal in the same way as a recovery that was killed before it saved the state.
    await killed.journal.replace([lines]);
    const site = backend();
    expect(await site.journal.read()).toBe(lines);
    expect(await site.read()).toBeUndefined();
    await site.write(withOutput("recovered"), () => site.journal.replace([lines]));
    await site.journal.clear();
    expect(await backend().journal.read()).toBeUndefined();
    expect((await backend().read())?.outputs["text"]?.value).toBe("recovered");
    expect([...server.documents.values()].join()).not.toContain("memory_thing");
  });
});
