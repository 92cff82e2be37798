import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { annotationDiagnostics, readManifest, selectStacks } from "../../../src/engine/source/app-files";
import { seed } from "../../support/capabilities";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-manifest-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a manifest with these stacks. For each stack, the argument has the names of the stacks on which it depends. */
function manifest(stacks: Record<string, readonly string[]>, annotations: readonly object[] = []): string {
  const entries = Object.entries(stacks).map(([name, dependencies]) => [
    name,
    {
      name,
      constructPath: `app/${name}`,
      workingDirectory: `stacks/${name}`,
      dependencies: dependencies.map((one) => `app/${one}`),
      annotations,
    },
  ]);
  writeFileSync(path.join(folder, "manifest.json"), JSON.stringify({ stacks: Object.fromEntries(entries) }));
  return folder;
}

const names = (output: string) => readManifest(output).map(({ name }) => name);

describe("the stacks of a manifest", () => {
  test("stacks are listed after their dependencies", () => {
    expect(names(manifest({ web: ["base", "net"], net: ["base"], base: [], lone: [] }))).toEqual([
      "base",
      "net",
      "web",
      "lone",
    ]);
  });

  test("each stack is listed once, after its dependencies, for any acyclic graph", () => {
    const graph = fc.array(fc.uniqueArray(fc.nat(11), { maxLength: 4 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(graph, fc.nat(), (edges, turn) => {
        // All edges lead to smaller numbers, so there is no cycle. The list is rotated, so that its order does not already
        // satisfy the test.
        const all = edges.map(
          (below, index) =>
            [`s${index}`, below.filter((one) => one < index).map((one) => `s${one}`)] as const,
        );
        const turned = all.map((_, index) => all[(index + turn) % all.length]!);
        const order = names(manifest(Object.fromEntries(turned)));
        expect([...order].sort()).toEqual(all.map(([name]) => name).sort());
        for (const [name, below] of all) {
          for (const one of below) expect(order.indexOf(one)).toBeLessThan(order.indexOf(name));
        }
      }),
      { seed, numRuns: 50 },
    );
  });

  test("if stacks depend on each other in a cycle, the error names the cycle", () => {
    expect(() => names(manifest({ a: ["b"], b: ["c"], c: ["a"] }))).toThrow("a needs b needs c needs a");
  });

  test("selected stacks are in the order of their dependencies", () => {
    const entries = readManifest(manifest({ web: ["base"], base: [], lone: [] }));
    const chosen = (...wanted: string[]) => selectStacks(entries, wanted).map(({ name }) => name);
    expect(chosen("web", "base")).toEqual(["base", "web"]);
    expect(chosen()).toEqual(["base", "web", "lone"]);
    expect(chosen("*e*")).toEqual(chosen("web", "base", "lone"));
    expect(chosen("w*")).toEqual(["web"]);
    expect(() => chosen("x*")).toThrow('no stack "x*"');
    expect(() => chosen("wep")).toThrow('no stack "wep". Did you mean "web"?');
  });

  test("a missing, an empty and an unreadable manifest each cause a different error", () => {
    expect(() => names(manifest({}))).toThrow("app.synth()");
    expect(() => names(path.join(folder, "nowhere"))).toThrow("wrote no");
    writeFileSync(path.join(folder, "manifest.json"), "{");
    expect(() => names(folder)).toThrow("can't be read");
  });
});

test("an annotation of a construct becomes a diagnostic with the construct's path", () => {
  const entries = readManifest(
    manifest({ web: [] }, [
      { constructPath: "app/web/a", level: "@cdktf/warn", message: "old" },
      { constructPath: "app/web/b", level: "@cdktf/error", message: "wrong" },
      { constructPath: "app/web/c", level: "@cdktf/info", message: "by the way" },
    ]),
  );
  expect(annotationDiagnostics(entries)).toMatchObject([
    { severity: "warning", code: "app_annotation", detail: "old", construct: "app/web/a" },
    { severity: "error", code: "app_annotation", detail: "wrong", construct: "app/web/b" },
  ]);
});
