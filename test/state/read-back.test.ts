import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { FileProblem } from "../../src/files";
import { JsonNumber } from "../../src/json";
import { LocalBackend } from "../../src/state/backends/local-backend";
import { formatState, readableState } from "../../src/state/format/format-state";
import { formatLine } from "../../src/state/journal/entries";
import { FileJournal } from "../../src/state/journal/file-journal";
import { emptyState, type InstanceState, type Json, type State } from "../../src/state/model/model";
import { onGarbledDisk } from "../support/failing-disk";
import { anyState } from "./arbitrary-state";
import { diagnosticOf, useScratchFolder } from "./scratch";

const scratch = useScratchFolder();
const file = () => scratch("site.tfstate");
/** Returns the code of the error with which a write fails. */
const codeOf = async (written: Promise<void>) => (await diagnosticOf(() => written)).code;
const REFUSED = "state_not_read_back";

/** Returns a state with one object, whose instance has these fields. */
const withInstance = (fields: Partial<InstanceState>, name = "one"): State => ({
  ...emptyState(),
  resources: [
    {
      mode: "managed",
      type: "acme_thing",
      name,
      provider: 'provider["registry.example/acme/acme"]',
      instances: [{ schemaVersion: 0, attributes: {}, sensitivePaths: [], dependencies: [], ...fields }],
    },
  ],
});

const withAttribute = (value: unknown): State => withInstance({ attributes: { value: value as Json } });
const nested = (levels: number): Json => (levels === 0 ? 1 : [nested(levels - 1)]);
const twice = (state: State): State => ({ ...state, resources: [...state.resources, ...state.resources] });

test("for any valid state, readableState returns the same text as formatState", () => {
  fc.assert(fc.property(anyState, (state) => expect(readableState(state)).toBe(formatState(state))));
});

const UNREADABLE: readonly (readonly [what: string, state: State])[] = [
  ["an infinite number", withAttribute(Number.POSITIVE_INFINITY)],
  ["a number that JSON can't represent", withAttribute(new JsonNumber("+Inf"))],
  ["values that are nested too deeply", withAttribute(nested(600))],
  ["two resources with one address", twice(withAttribute(1))],
  ["two instances with one key", twiceIn(withAttribute(1))],
  ["an invalid name", withInstance({}, "a b")],
  ["private data that is not base64", withInstance({ private: "?" })],
  ["a negative schema version", withInstance({ schemaVersion: -1 })],
  ["an output without a type", { ...emptyState(), outputs: { o: { value: 1 } as never } }],
];

function twiceIn(state: State): State {
  const [resource] = state.resources;
  return {
    ...state,
    resources: [{ ...resource!, instances: [...resource!.instances, ...resource!.instances] }],
  };
}

test.each(UNREADABLE)("the backend does not replace the saved state by a state with %s", async (_, state) => {
  expect(() => readableState(state)).toThrow(FileProblem);
  const backend = new LocalBackend(file());
  await backend.write(withAttribute(1));
  const before = readFileSync(file(), "utf8");
  expect(await codeOf(backend.write({ ...state, lineage: JSON.parse(before).lineage }))).toBe(REFUSED);
  expect(readFileSync(file(), "utf8")).toBe(before);
  expect(readdirSync(scratch())).toEqual(["site.tfstate"]);
});

test("if the disk returns different bytes than Steward wrote, the saved state does not change", async () => {
  const backend = new LocalBackend(file());
  await backend.write(withAttribute(1));
  const before = readFileSync(file(), "utf8");
  const { lineage } = JSON.parse(before);
  const { result, garbled } = await onGarbledDisk(scratch(), () =>
    codeOf(backend.write({ ...withAttribute(2), lineage })),
  );
  expect({ garbled, result }).toEqual({ garbled: 1, result: REFUSED });
  expect(readFileSync(file(), "utf8")).toBe(before);
  expect(existsSync(`${file()}.backup`)).toBe(false);
  await backend.write({ ...withAttribute(2), lineage });
  expect(JSON.parse(readFileSync(file(), "utf8")).serial).toBe(2);
});

test("if a journal line has too many nested levels, formatLine throws an error", () => {
  const head = { kind: "head", format: 1, lineage: "x", started: "now", states: [] } as const;
  const line = (value: Json) => formatLine({ ...head, extra: value } as typeof head);
  expect(line(1)).toMatch(/^[0-9a-f]{8} \{/);
  expect(() => line(nested(600))).toThrow("can't be saved");
});

test("if new journal lines are invalid, the old journal stays unchanged", async () => {
  const journal = new FileJournal(file());
  const head = { kind: "head", format: 1, lineage: "x", started: "now", states: [] } as const;
  await journal.replace([formatLine(head)]);
  const { result } = await onGarbledDisk(scratch(), () => codeOf(journal.replace([formatLine(head)])));
  expect(result).toBe(REFUSED);
  expect(await codeOf(journal.replace(["0 {}\n"]))).toBe(REFUSED);
  expect(await journal.read()).toBe(formatLine(head));
});
