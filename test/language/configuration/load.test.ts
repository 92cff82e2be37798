import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { parse } from "yaml";
import { DiagnosticError } from "../../../src/diagnostics";
import { loadConfiguration } from "../../../src/language";
import { runs, seed } from "../../support/capabilities";

const folder = mkdtempSync(path.join(tmpdir(), "steward-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(json: object | string) {
  writeFileSync(path.join(folder, "cdk.tf.json"), typeof json === "string" ? json : JSON.stringify(json));
  return loadConfiguration(folder);
}

describe("loading a configuration", () => {
  test("if several blocks of a configuration have errors, one exception reports all errors", () => {
    const wrong = { resource: { t_a: { "1": {} } }, data: { t_b: { "2": {} } }, nonsense: {} };
    expect(() => load(wrong)).toThrow(/nonsense[\s\S]*t_a\.1[\s\S]*t_b\.2/);
  });

  test("a loaded configuration contains its providers, variables, outputs, resources and data sources", () => {
    const configuration = load({
      terraform: {
        required_providers: { steward: { source: "a/b/c" } },
        backend: { local: { path: "x.tfstate" } },
      },
      provider: { steward: [{ base_url: "http://x" }, { alias: "eu" }] },
      variable: { region: { type: "string", default: "north ${not a template}", sensitive: true } },
      locals: { name: "${var.region}" },
      resource: { t_a: { one: { x: 1 } } },
      data: { t_b: { two: { provider: "steward.eu", depends_on: ["t_a.one"] } } },
      output: { out: { value: "${t_a.one.x}" } },
    });
    expect([...configuration.requiredProviders]).toEqual([["steward", "a/b/c"]]);
    expect(configuration.backend).toEqual({ type: "local", config: { path: "x.tfstate" } });
    expect([...configuration.providers.keys()]).toEqual(["steward", "steward.eu"]);
    expect([...configuration.resources.keys()]).toEqual(["t_a.one", "data.t_b.two"]);
    expect(configuration.resources.get("data.t_b.two")).toMatchObject({
      provider: "steward.eu",
      mode: "data",
    });
    expect(configuration.variables.get("region")).toMatchObject({ sensitive: true, nullable: true });
    expect([...configuration.outputs.keys()]).toEqual(["out"]);
  });

  test("a block can be a JSON object or an array of JSON objects", () => {
    const one = load({ resource: { t_a: { x: { name: "x" } } } });
    const many = load({ resource: [{ t_a: [{ x: [{ name: "x" }] }] }] });
    expect([...many.resources.keys()]).toEqual([...one.resources.keys()]);
  });

  test('the construct path of a declaration comes from the comment "//" of cdktf', () => {
    const { resources } = load({ resource: { t_a: { x: { "//": { metadata: { path: "stack/x" } } } } } });
    expect(resources.get("t_a.x")!.construct).toBe("stack/x");
  });

  test('the file and line of a declaration come from the metadata in the comment "//"', () => {
    const { resources } = load({
      resource: { t_a: { x: { "//": { metadata: { position: "main.ts:7" } } } } },
    });
    expect(resources.get("t_a.x")!.position).toBe("main.ts:7");
  });

  test("the block `cloud` counts as a backend", () => {
    expect(load({ terraform: { cloud: { organization: "acme" } } }).backend?.type).toBe("cloud");
  });

  test("the loader combines all .tf.json files of a folder into one configuration", () => {
    writeFileSync(path.join(folder, "more.tf.json"), JSON.stringify({ resource: { t_a: { y: {} } } }));
    expect([...load({ resource: { t_a: { x: {} } } }).resources.keys()].sort()).toEqual(["t_a.x", "t_a.y"]);
    rmSync(path.join(folder, "more.tf.json"));
  });
});

describe("the errors of a configuration that can't be loaded", () => {
  test("the loader reports the mistakes of all blocks and attributes at once", () => {
    const bad = "${1 +}";
    const configuration = {
      terraform: { required_providers: { t: { source: "a/b/t", version: "new" } } },
      provider: { t: [{ a: bad }, { alias: "x", a: bad }] },
      variable: { "a b": {}, count: {}, kept: { const: true } },
      locals: { one: bad, two: bad },
      output: { one: {}, two: {} },
      resource: { t_a: { x: { one: bad, two: bad }, y: { count: 1, for_each: {} } } },
      data: { t_d: { x: { one: bad }, y: { one: bad } } },
      check: { one: {}, two: {} },
      import: [{ to: "t_a.x" }, {}],
      moved: [{ from: "t_a.x", to: "t_a.x" }, {}],
      removed: [{ from: "data.t_d.x" }, {}],
    };
    let told: readonly (readonly [string, string])[] = [];
    try {
      load(configuration);
    } catch (problem) {
      const { diagnostics } = problem as DiagnosticError;
      told = diagnostics.map(({ address = "", attribute = [], detail }) => [
        `${address} ${attribute.join(".")}`.trim(),
        detail,
      ]);
    }
    const places = told.map(([place, detail]) => (place === "" ? detail.split(":")[0]! : place));
    expect(places).toEqual([
      "required_providers.t",
      "provider.t a",
      "provider.t.x a",
      "var.a b",
      "var.count",
      expect.stringContaining('"const" of var.kept'),
      "local.one",
      "local.two",
      "output.one",
      "output.two",
      "t_a.x one",
      "t_a.x two",
      "t_a.y",
      "data.t_d.x one",
      "data.t_d.y one",
      "check.one",
      "check.two",
      "import t_a.x",
      "import.to",
      "moved",
      expect.any(String),
      "removed.from",
      expect.any(String),
    ]);
  });

  const REFUSED = parse(readFileSync(path.join(__dirname, "refused.yaml"), "utf8")) as [
    string,
    object | string,
    string,
    string,
  ][];

  test.each(REFUSED)("loading fails, and the error contains the cause: %s", (_what, json, code, text) => {
    const problem = thrown(() => load(json));
    expect(problem.diagnostics[0]).toMatchObject({ severity: "error" });
    expect(problem.diagnostics[0]!.code.replace("configuration_", "")).toBe(code);
    expect(problem.diagnostics[0]!.detail).toContain(text);
    if (code === "unsupported")
      expect(problem.diagnostics[0]!.action).toEqual({ kind: "other", program: "terraform plan" });
  });

  test("if `to` of an import block is invalid, the error points to the attribute `to`", () => {
    const [problem] = thrown(() => load({ import: { to: "t_a.x[", id: "x" } })).diagnostics;
    expect(problem).toMatchObject({ code: "invalid_expression", attribute: ["to"] });
  });

  test("if a folder has no configuration, loading fails", () => {
    const empty = mkdtempSync(path.join(folder, "empty-"));
    expect(thrown(() => loadConfiguration(empty)).diagnostics[0]!.code).toBe("configuration_not_found");
    expect(thrown(() => loadConfiguration(path.join(empty, "none"))).diagnostics[0]!.code).toBe(
      "configuration_not_found",
    );
    writeFileSync(path.join(empty, "main.tf"), "");
    expect(thrown(() => loadConfiguration(empty)).diagnostics[0]!.code).toBe("configuration_unsupported");
  });

  test("each error that the loader throws for a damaged configuration contains diagnostics", () => {
    const good = JSON.stringify({
      terraform: { required_providers: { t: { source: "a/b/t" } } },
      variable: { v: { type: "list(string)", default: ["a"] } },
      resource: { t_a: { x: { name: "${var.v[0]}", count: 2, depends_on: ["t_a.y"] }, y: {} } },
      output: { o: { value: "${t_a.x[*].name}" } },
    });
    const damage = fc.tuple(
      fc.nat(good.length - 1),
      fc.string({ maxLength: 3, unit: "binary-ascii" }),
      fc.nat(4),
    );
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        let text = good;
        for (const [place, inserted, cut] of damages)
          text = text.slice(0, place) + inserted + text.slice(place + cut);
        try {
          load(text);
        } catch (problem) {
          expect(problem).toBeInstanceOf(DiagnosticError);
        }
      }),
      { numRuns: runs(300, 20_000), seed },
    );
  });
});

function thrown(act: () => unknown): DiagnosticError {
  try {
    act();
  } catch (problem) {
    if (problem instanceof DiagnosticError) return problem;
    throw problem;
  }
  throw new Error("Nothing was thrown.");
}
