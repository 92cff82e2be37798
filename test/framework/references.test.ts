import * as fc from "fast-check";
import { ApiError } from "../../src/api";
import { Failures } from "../../src/framework/protocol/failures";
import { Lookups } from "../../src/framework/references/lookups";
import {
  isWithoutReference,
  meaning,
  resolveValue,
  spellValue,
} from "../../src/framework/references/normalize";
import { ReferenceNotFound, References } from "../../src/framework/references/references";
import { rememberedIn, withRemembered } from "../../src/framework/references/remembered";
import { failureOf } from "../../src/provider/failure-of";
import { steward } from "../../src/provider/provider";
import { optional, type Reference, required, type Value } from "../../src/schema";
import { runs, seed } from "../support/capabilities";
import { pathOf } from "../support/path-of";

/**
 * Returns look-ups against a stand-in with projects of the ids 1 to 9, and the paths and ids that were requested. Each
 * project has a current and a former path, and the case of paths does not matter.
 */
function directory() {
  const asked: string[] = [];
  const pathOf = (id: number) => `acme/project-${id}`;
  const idOf = (name: number | string): number =>
    typeof name === "number" ? name : Number(/^acme\/(?:project|former)-(\d)$/i.exec(name)?.[1]);
  const projects = {
    async get(name: number | string) {
      asked.push(typeof name === "number" ? `#${name}` : name);
      const id = idOf(name);
      if (!(id < 10)) throw new ApiError({ code: "not_found", what: "there is none" });
      return {
        ...{ id, path_with_namespace: pathOf(id) },
        ...{ marked_for_deletion_on: null, shared_with_groups: [] },
      };
    },
  };
  const groups = {
    projects(): never {
      throw new ApiError({ code: "not_found", what: "there is none" });
    },
  };
  const api = { projects, groups };
  return { asked, lookups: new Lookups({ api, failures: new Failures(failureOf) }, steward) };
}

const spellings = (id: number) => [
  String(id),
  `acme/project-${id}`,
  `Acme/PROJECT-${id}`,
  `acme/former-${id}`,
];
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
const texts = (of: readonly number[]) => fc.tuple(...of.map((id) => fc.constantFrom(...spellings(id))));
const { type } = required.setOfReferences("project", { description: "" });
const resolve = async (references: References, value: Value) =>
  references.settled(() => resolveValue(type, value, references, ["targets"]));
const spell = (references: References, found: readonly Reference[], like: Value) =>
  references.settled(() => spellValue(type, found, like, references));

test("isWithoutReference returns whether a set of blocks contains no reference", () => {
  const nested = { user: optional.reference("user", ""), level: optional.number({ description: "" }) };
  const blocks = required.setOf(nested, { description: "" });
  const block = fc.oneof(
    fc.record({ user: fc.constant(null), level: fc.constantFrom(30, 40) }),
    fc.record({ user: fc.constantFrom("ada", "ben"), level: fc.constant(null) }),
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), (value) => {
      expect(isWithoutReference(blocks.type, value)).toBe(value.every(({ user }) => user === null));
    }),
    { seed, numRuns: runs(150, 1000) },
  );
  expect(isWithoutReference(blocks.type, null)).toBe(true);
  expect(isWithoutReference(required.setOfStrings({ description: "" }).type, ["ada"])).toBe(true);
  expect(isWithoutReference(type, ["acme/web"])).toBe(false);
});

describe("the meaning of references", () => {
  test("two sets of paths and ids are equal if they contain the same projects, and otherwise different", async () => {
    const cases = fc
      .tuple(ids, ids)
      .chain(([one, other]) => fc.tuple(fc.constant(one), fc.constant(other), texts(one), texts(other)));
    await fc.assert(
      fc.asyncProperty(cases, async ([one, other, first, second]) => {
        const references = new References(directory().lookups, undefined);
        const same =
          meaning(type, await resolve(references, first)) ===
          meaning(type, await resolve(references, second));
        expect(same).toBe(JSON.stringify([...one].sort()) === JSON.stringify([...other].sort()));
      }),
      { seed, numRuns: runs(150, 3000) },
    );
  });

  test("if no project has a declared path, the error points at the path's element in the declared set", async () => {
    const references = new References(directory().lookups, undefined);
    await expect(resolve(references, ["1", "acme/nowhere"])).rejects.toThrow(ReferenceNotFound);
    await expect(resolve(references, ["1", "acme/nowhere"])).rejects.toMatchObject({
      diagnostics: [{ code: "reference_not_found", attribute: pathOf('targets["acme/nowhere"]') }],
    });
  });

  test("Steward resolves a declared id without a request", async () => {
    const { asked, lookups } = directory();
    await resolve(new References(lookups, undefined), ["1", "77"]);
    expect(asked).toEqual([]);
  });

  test("a project's old path gives a warning; a path with other upper and lower case gives none", async () => {
    const references = new References(directory().lookups, undefined);
    await resolve(references, ["acme/former-1", "ACME/project-2"]);
    await resolve(references, ["acme/former-1"]);
    expect(references.moved).toMatchObject([
      { severity: "warning", code: "reference_moved", attribute: pathOf('targets["acme/former-1"]') },
    ]);
  });
});

describe("the spelling of live references", () => {
  const shown = (of: readonly number[]) => of.map((id): Reference => ({ id, path: `acme/project-${id}` }));

  test("a read returns projects of the state in the state's spelling, and then new projects by full path", async () => {
    const cases = fc
      .tuple(ids, ids)
      .chain(([live, like]) => fc.tuple(fc.constant(live), fc.constant(like), texts(like)));
    await fc.assert(
      fc.asyncProperty(cases, async ([live, like, candidates]) => {
        const references = new References(directory().lookups, undefined);
        const spelled = (await spell(references, shown(live), candidates)) as string[];
        const kept = candidates.filter((_, index) => live.includes(like[index]!));
        expect(spelled.slice(0, kept.length)).toEqual(kept);
        const fresh = live.filter((id) => !like.includes(id)).map((id) => `acme/project-${id}`);
        expect(spelled.slice(kept.length)).toEqual(fresh.sort());
      }),
      { seed, numRuns: runs(150, 3000) },
    );
  });

  test("with stored look-ups, a later read returns a project in the same spelling without a request", async () => {
    await fc.assert(
      fc.asyncProperty(
        ids.chain((live) => fc.tuple(fc.constant(live), texts(live))),
        async ([live, candidates]) => {
          const first = new References(directory().lookups, undefined);
          const spelled = await spell(first, shown(live), candidates);
          const { asked, lookups } = directory();
          const next = new References(lookups, first.remember());
          expect(meaning(type, await resolve(next, spelled))).toBe(meaning(type, shown(live)));
          expect(await spell(next, shown(live), spelled)).toEqual(spelled);
          expect(next.remember()).toBe(first.remember());
          expect(asked).toEqual([]);
        },
      ),
      { seed, numRuns: runs(150, 3000) },
    );
  });

  test("if the token can't see a live project, the read returns the project's id instead of its path", async () => {
    const { asked, lookups } = directory();
    const references = new References(lookups, undefined);
    expect(await spell(references, [{ id: 3 }, { id: 99 }], [])).toEqual(["99", "acme/project-3"]);
    expect(asked).toEqual(["#3", "#99"]);
  });

  test("the private data stores a declared old path together with the project's id", async () => {
    const references = new References(directory().lookups, undefined);
    expect(await spell(references, shown([1]), ["ACME/former-1"])).toEqual(["ACME/former-1"]);
    expect(JSON.parse(Buffer.from(references.remember()!, "base64").toString())).toEqual({
      references: { "project:ACME/former-1": 1 },
    });
  });

  test("without look-ups, a read returns a project by its remembered path, or otherwise by its id", async () => {
    const references = new References(directory().lookups, undefined);
    await resolve(references, ["acme/former-1"]);
    const cut = references.offline();
    expect(await spell(cut, [{ id: 1 }, { id: 2 }], ["acme/former-1"])).toEqual(["acme/former-1", "2"]);
  });
});

describe("a computation", () => {
  test("if all paths of a computation are already resolved, the computation returns its result instead of a promise", () => {
    const references = new References(directory().lookups, undefined);
    references.learn("project", "acme/project-1", 1);
    const known = references.settled(() => references.named("project", "acme/project-1", []));
    expect(known).toEqual({ id: 1, path: "acme/project-1" });
  });

  test("a computation sends all its look-ups together, and runs again after their responses", async () => {
    const { asked, lookups } = directory();
    const references = new References(lookups, undefined);
    const seen: string[][] = [];
    await references.settled(() => {
      references.named("project", "acme/project-1", []);
      references.named("project", "acme/project-2", []);
      seen.push([...asked]);
    });
    // The first run of the computation records both look-ups. Both look-ups are then sent at the same time, before the
    // second run.
    expect(seen).toEqual([[], ["acme/project-1", "acme/project-2"]]);
  });

  test("after a computation throws an error, the next computation returns its own result", async () => {
    const references = new References(directory().lookups, undefined);
    const failing = () =>
      references.settled(() => {
        references.named("project", "acme/project-1", []);
        throw new Error("no");
      });
    expect(failing).toThrow("no");
    expect(references.settled(() => "done")).toBe("done");
  });
});

describe("remembered references in the private bytes", () => {
  test.each([
    undefined,
    "",
    "not base64 at all!",
    Buffer.from("null").toString("base64"),
    Buffer.from("[1]").toString("base64"),
    Buffer.from('{"references":"x"}').toString("base64"),
    Buffer.from('{"references":{"project:acme/project-1":"7"}}').toString("base64"),
  ])("Steward reads no references from the invalid private bytes %j", async (remembered) => {
    const { asked, lookups } = directory();
    const references = new References(lookups, remembered);
    expect(await references.resolve("project", "acme/project-1", [])).toMatchObject({ id: 1 });
    expect(asked).toEqual(["acme/project-1"]);
  });

  test("Steward does not confuse a group, a project and a user with the same name", async () => {
    const references = new References(directory().lookups, undefined);
    references.learn("group", "acme", 1);
    references.learn("user", "acme", 2);
    expect(await references.resolve("group", "acme", [])).toEqual({ id: 1, path: "acme" });
    expect(await references.resolve("user", "acme", [])).toEqual({ id: 2, path: "acme" });
    await expect(references.resolve("project", "acme", [])).rejects.toThrow(ReferenceNotFound);
  });
});

describe("the private data about the declaration", () => {
  const bytes = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");

  test("if private bytes are damaged or of an older release, Steward reads no declared attributes from them", () => {
    const old = bytes({ references: { "project:acme/shop": 7 } });
    for (const one of [undefined, "", "????", old, bytes({ declared: "all" }), bytes([1])])
      expect(rememberedIn(one).declared).toBeUndefined();
  });

  test("the names of declared attributes are stored next to the existing private data", () => {
    const old = bytes({ references: {}, notRemoved: [{ kind: "project", id: 3 }] });
    const planned = new References(undefined, old);
    planned.noteDeclared(["inbound_enabled"]);
    const noted = planned.remember();
    expect(JSON.parse(Buffer.from(noted!, "base64").toString())).toEqual({
      references: {},
      notRemoved: [{ kind: "project", id: 3 }],
      declared: ["inbound_enabled"],
    });
    expect(new References(undefined, noted).remember()).toBe(noted);
    expect(rememberedIn(withRemembered(noted, { notRemoved: [] })).declared).toEqual(["inbound_enabled"]);
    const changed = new References(undefined, noted);
    changed.noteDeclared([]);
    expect(rememberedIn(changed.remember()).declared).toEqual([]);
  });
});
