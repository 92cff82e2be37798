import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { exampleOf } from "../../scripts/generate/examples";
import { createProvider } from "../../src/provider";
import type { Synthesized } from "./support/synthesized";

// The example apps are generated: what is shown here is that they run as they stand, and declare what their pages show.

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

it("a type without a sample stops the generator, which names the file that is missing", () => {
  expect(() => exampleOf("resource", "steward_new")).toThrow(
    "src/provider/resources/new.sample.ts is missing: it says what the suites and the page of steward_new need to know.",
  );
});

it.each([
  ["resources", schema.resources],
  ["data-sources", schema.dataSources],
])("there is an app for each type of %s", (folder, types) => {
  expect(readdirSync(path.join(EXAMPLES, folder)).sort()).toEqual(Object.keys(types).sort());
});

it.each(readdirSync(path.join(EXAMPLES, "resources")))("resource %s", (type) => {
  const { id, config } = exampleOf("resource", type);
  expect(run(`resources/${type}`).resource).toEqual({ [type]: { [id]: expect.objectContaining(config) } });
});

it.each(readdirSync(path.join(EXAMPLES, "data-sources")))("data source %s", (type) => {
  const { id, config } = exampleOf("data source", type);
  expect(run(`data-sources/${type}`).data).toEqual({ [type]: { [id]: expect.objectContaining(config) } });
});
