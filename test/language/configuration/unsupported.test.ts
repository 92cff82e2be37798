import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { configurationFrom, loadConfiguration } from "../../../src/language";
import { UNSUPPORTED } from "../../../src/language/configuration/unsupported";
import { diagnosticsOf } from "../support/diagnostics-of";

type Block = keyof typeof UNSUPPORTED;

/**
 * For each kind of block: returns a configuration with a block of this kind that contains one more argument or block.
 */
const WITHIN: Readonly<Record<Block, (more: object) => object>> = {
  file: (more) => more,
  terraform: (more) => ({ terraform: more }),
  provider: (more) => ({ provider: { t: more } }),
  variable: (more) => ({ variable: { v: more } }),
  output: (more) => ({ output: { o: { value: 1, ...more } } }),
  resource: (more) => ({ resource: { t_a: { x: more } } }),
  data: (more) => ({ data: { t_a: { x: more } } }),
  resourceLifecycle: (lifecycle) => ({ resource: { t_a: { x: { lifecycle } } } }),
  dataLifecycle: (lifecycle) => ({ data: { t_a: { x: { lifecycle } } } }),
  removed: (more) => ({ removed: { from: "t_a.x", ...more } }),
};

/** The schemas of all blocks in Terraform 1.16 and OpenTofu 1.12. */
const SCHEMAS = parse(readFileSync(path.join(__dirname, "schemas.yaml"), "utf8")) as Readonly<
  Record<Block, Readonly<Record<string, unknown>>>
>;

const load = (json: object) => diagnosticsOf(() => configurationFrom(json as never, "/"));
const names = Object.entries(SCHEMAS).flatMap(([block, all]) =>
  Object.entries(all).map(([name, value]) => [block as Block, name, value] as const),
);

describe("blocks and arguments of Terraform 1.16 and OpenTofu 1.12", () => {
  test.each(names)(
    "in the block %s, the engine supports %s or suggests a program for it",
    (block, name, value) => {
      const program = UNSUPPORTED[block].get(name);
      const found = load(WITHIN[block]({ [name]: value }));
      if (program === undefined) return expect(found).toEqual([]);
      const runs = program.startsWith("tofu") ? "OpenTofu" : "Terraform";
      expect(found).toMatchObject([
        {
          code: "configuration_unsupported",
          detail: expect.stringMatching(
            new RegExp(
              `"${name}".* is not supported by the embedded engine\\. Run ${runs} on this configuration\\.$`,
            ),
          ),
          action: { kind: "other", program },
        },
      ]);
    },
  );

  test("this test covers each name in the engine's list of unsupported names", () => {
    const listed = Object.entries(UNSUPPORTED).flatMap(([block, all]) =>
      [...all.keys()].map((name) => `${block} ${name}`),
    );
    expect(names.map(([block, name]) => `${block} ${name}`)).toEqual(expect.arrayContaining(listed));
  });

  test.each([
    ["file", "ressource", 'Did you mean "resource"?'],
    ["file", "nonsense", "not part of Terraform's JSON syntax"],
    ["terraform", "required_versions", 'did you mean "required_version"?'],
    ["variable", "sensitiv", 'did you mean "sensitive"?'],
    ["output", "valu", 'did you mean "value"?'],
    ["resourceLifecycle", "prevent_destory", "prevent_destroy"],
    ["removed", "form", 'argument or block "form"'],
  ] as const)(
    "in the block %s, the unknown name %s causes an error with a suggestion",
    (block, name, text) => {
      expect(load(WITHIN[block]({ [name]: {} }))).toMatchObject([
        { code: "configuration_invalid", detail: expect.stringContaining(text) },
      ]);
    },
  );
});

describe("files of other commands and programs", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "steward-files-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const loadWith = (named: string, ...files: string[]) => {
    for (const file of files) writeFileSync(path.join(folder, file), "{}");
    return diagnosticsOf(() => loadConfiguration(path.join(folder, named)));
  };

  test.each([
    ["", "live.tfquery.hcl", "terraform query"],
    ["live.tfquery.json", "live.tfquery.json", "terraform query"],
    ["", "all.tftest.hcl", "terraform test"],
    ["", "main.tofu", "tofu plan"],
    ["main.tofu.json", "main.tofu.json", "tofu plan"],
  ])('loading "%s" from a folder with only %s fails, and the error suggests `%s`', (named, file, program) => {
    expect(loadWith(named, file)).toMatchObject([
      {
        code: "configuration_unsupported",
        action: { kind: "other", program },
      },
    ]);
  });

  test("the loader ignores files of terraform query and terraform test next to a configuration", () => {
    expect(loadWith("", "cdk.tf.json", "live.tfquery.hcl", "all.tftest.json")).toEqual([]);
  });

  test("if a folder has a .tofu file next to the configuration, loading the folder fails", () => {
    expect(loadWith("", "cdk.tf.json", "main.tofu")).toMatchObject([{ code: "configuration_unsupported" }]);
  });
});
