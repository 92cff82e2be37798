import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { TerraformDataSource, TerraformProvider, TerraformResource } from "cdktf";
import { toConstructConfig } from "../../scripts/generate/declaration";
import { exampleOf } from "../../scripts/generate/examples";
import * as constructs from "../../src/constructs";
import { createProvider, PROVIDER_NAME } from "../../src/provider";
import { type Synthesized, synthesized } from "./support/synthesized";

// The tests run the generated example apps, and compare their declarations with the pages.

const EXAMPLES = path.join(__dirname, "../../examples");
const { schema } = createProvider();
let outdir: string;

beforeEach(() => {
  outdir = mkdtempSync(path.join(tmpdir(), "steward-examples-"));
  process.env["CDKTF_OUTDIR"] = outdir;
});
afterEach(() => {
  delete process.env["CDKTF_OUTDIR"];
  rmSync(outdir, { recursive: true });
});

function run(app: string): Synthesized {
  jest.isolateModules(() => require(path.join(EXAMPLES, app, "main.ts")));
  return JSON.parse(readFileSync(path.join(outdir, "stacks/example/cdk.tf.json"), "utf8")) as Synthesized;
}

it("if a resource type has no .sample.ts file, the generator of examples fails and names the file", () => {
  expect(() => exampleOf("resource", "steward_new")).toThrow(
    "src/provider/resources/new.sample.ts is missing: it says what the suites and the page of steward_new need to know.",
  );
});

it.each([
  ["resources", schema.resources],
  ["data-sources", schema.dataSources],
])("each type of %s has an example app", (folder, types) => {
  expect(readdirSync(path.join(EXAMPLES, folder)).sort()).toEqual(Object.keys(types).sort());
});

/** Returns the declarations of one type in an app, without metadata. */
const declared = (blocks: Synthesized["resource"], type: string) => {
  expect(Object.keys(blocks!)).toEqual([type]);
  return Object.entries(blocks![type]!).map(([id, { "//": _, ...config }]) => ({ id, config }));
};

it.each(Object.keys(schema.resources))(
  "the example app of resource %s has one declaration, with the construct id and attributes in the resource's .sample.ts file",
  (type) => {
    const { id, config } = exampleOf("resource", type);
    expect(declared(run(`resources/${type}`).resource, type)).toEqual([{ id, config }]);
  },
);

it.each(Object.keys(schema.dataSources))(
  "the example app of data source %s has one declaration, with the id and attributes in samples/data-sources.ts",
  (type) => {
    const { id, config } = exampleOf("data source", type);
    expect(declared(run(`data-sources/${type}`).data, type)).toEqual([{ id, config }]);
  },
);

it("the synthesized stack contains the provider with the attributes of its example", () => {
  const { id, config } = exampleOf("provider", PROVIDER_NAME);
  const { provider } = synthesized((stack) => {
    new constructs.StewardProvider(stack, id, toConstructConfig(config) as object);
  });
  expect(provider).toEqual({ [PROVIDER_NAME]: [config] });
});

it.each([
  ["resource", TerraformResource, Object.keys(schema.resources)],
  ["data source", TerraformDataSource, Object.keys(schema.dataSources)],
  ["provider", TerraformProvider, [PROVIDER_NAME]],
] as const)("each type of %s has one construct, and no other construct exists", (_, base, types) => {
  const exported = Object.values(constructs)
    .filter((one) => (one as { readonly prototype?: unknown }).prototype instanceof base)
    .map((one) => (one as unknown as { readonly tfResourceType: string }).tfResourceType);
  expect(exported.sort()).toEqual([...types].sort());
});
