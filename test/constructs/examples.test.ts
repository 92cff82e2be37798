import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { exampleOf } from "../../scripts/generate/examples";
import { testCompleteness } from "../support/every-resource";
import type { Synthesized } from "./support/synthesized";

// The example apps are generated: what is shown here is that they run as they stand, and declare what their pages show.

const EXAMPLES = path.join(__dirname, "../../examples");
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

/** The apps of a folder, by their type. */
const appsIn = (folder: string) =>
  Object.fromEntries(readdirSync(path.join(EXAMPLES, folder)).map((type) => [type, path.join(folder, type)]));
const FILE = "scripts/generate/examples.ts";
testCompleteness({ about: "an example app", samples: appsIn("resources"), file: FILE });
testCompleteness({
  over: "data source",
  about: "an example app",
  samples: appsIn("data-sources"),
  file: FILE,
});

it("a type without an example stops the generator, which says where one goes", () => {
  expect(() => exampleOf("resource", "steward_new")).toThrow(
    "The resource steward_new has no example. Give it one in scripts/generate/examples.ts.",
  );
});

it.each(readdirSync(path.join(EXAMPLES, "resources")))("resource %s", (type) => {
  const { id, config } = exampleOf("resource", type);
  expect(run(`resources/${type}`).resource).toEqual({ [type]: { [id]: expect.objectContaining(config) } });
});

it.each(readdirSync(path.join(EXAMPLES, "data-sources")))("data source %s", (type) => {
  const { id, config } = exampleOf("data source", type);
  expect(run(`data-sources/${type}`).data).toEqual({ [type]: { [id]: expect.objectContaining(config) } });
});
