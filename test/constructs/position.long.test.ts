import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, buildSync } from "esbuild";

const ROOT = path.join(__dirname, "../..");

/** The app. The compiled code lacks the lines of the interface, so the line numbers of source and compiled code differ. */
const APP = `import { App, TerraformStack } from "cdktf";
import { JobTokenScope, StewardProvider } from "cdktf-provider-steward";

interface Options {
  readonly project: string;
  readonly inboundEnabled: boolean;
}

const options: Options = { project: "acme/shop", inboundEnabled: true };
const app = new App();
const stack = new TerraformStack(app, "shop");
new StewardProvider(stack, "steward");
new JobTokenScope(stack, "limit", options);
app.synth();
`;
const LINE = 13;

let folder: string;
beforeEach(() => {
  // The folder is inside the project, so that the app finds the packages of a user's project.
  folder = mkdtempSync(path.join(ROOT, ".steward-position (of) "));
  mkdirSync(path.join(folder, "src"));
  writeFileSync(path.join(folder, "src/main.ts"), APP);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) => execFileSync(process.execPath, words, { cwd: folder });

/** Compiles the app to CommonJS in `out`. */
const compile = (sourcemap: NonNullable<BuildOptions["sourcemap"]>) =>
  buildSync({ entryPoints: ["src/main.ts"], absWorkingDir: folder, outdir: "out", format: "cjs", sourcemap });

function position(): string {
  const text = readFileSync(path.join(folder, "cdktf.out/stacks/shop/cdk.tf.json"), "utf8");
  return JSON.parse(text).resource.steward_job_token_scope.limit["//"].metadata.position;
}

describe("the recorded position of a declaration is the line of the TypeScript source", () => {
  test("the recorded position is the TypeScript line if tsx runs the app", () => {
    run("--import", "tsx", "src/main.ts");
    expect(position()).toBe(`src/main.ts:${LINE}`);
  });

  test("the recorded position is the TypeScript line if tsx runs the app as an ES module", () => {
    writeFileSync(path.join(folder, "src/main.mts"), APP);
    run("--import", "tsx", "src/main.mts");
    expect(position()).toBe(`src/main.mts:${LINE}`);
  });

  test.each([
    ["next to the code", "linked"],
    ["in the code", "inline"],
  ] as const)(
    "the recorded position is the TypeScript line if Node runs compiled code with a source map %s",
    (_, sourcemap) => {
      compile(sourcemap);
      run("out/main.js");
      expect(position()).toBe(`src/main.ts:${LINE}`);
      run("--enable-source-maps", "out/main.js");
      expect(position()).toBe(`src/main.ts:${LINE}`);
    },
  );

  test("if the compiled file has no source map, the recorded position is in the compiled file", () => {
    compile(false);
    run("out/main.js");
    const lines = readFileSync(path.join(folder, "out/main.js"), "utf8").split("\n");
    const line = lines.findIndex((text) => text.includes(", options)")) + 1;
    expect(position()).toBe(`out/main.js:${line}`);
  });
});
