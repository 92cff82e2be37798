import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const built = path.join(__dirname, "..", "..", "..", "dist", "cli");
const NAMES = { bundle: "bundle/program.js", modules: "cli/program.js", compiled: ".tsbuildinfo" } as const;

/**
 * Creates a folder with the real entry point, and with stand-ins for its programs. Each stand-in prints its name when Node
 * loads it.
 */
function place(written: Partial<Record<keyof typeof NAMES, number>>): string {
  const root = mkdtempSync(path.join(tmpdir(), "steward-bundle-"));
  for (const name of [
    "main.js",
    "run-program.js",
    "run-script.js",
    "bundles.js",
    "embedded.js",
    "version.js",
  ]) {
    cpSync(path.join(built, name), path.join(root, "dist", "cli", name));
  }
  for (const [name, seconds] of Object.entries(written)) {
    const file = path.join(root, "dist", NAMES[name as keyof typeof NAMES]);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `exports.main = async () => (console.log("${name}"), 0);`);
    utimesSync(file, seconds, seconds);
  }
  return root;
}

test.each([
  ["the bundle if it is newer than the compilation", { modules: 1, compiled: 2, bundle: 3 }, "bundle"],
  [
    "the bundle in a package, which has no compiler output to compare with",
    { modules: 2, bundle: 1 },
    "bundle",
  ],
  [
    "the modules if the compilation is newer than the bundle",
    { modules: 1, bundle: 2, compiled: 3 },
    "modules",
  ],
  ["the modules if there is no bundle", { modules: 1, compiled: 2 }, "modules"],
])("the command loads %s", (_what, written, loaded) => {
  const root = place(written);
  const main = path.join(root, "dist", "cli", "main.js");
  expect(execFileSync(process.execPath, [main, "plan"], { encoding: "utf8" })).toBe(`${loaded}\n`);
  rmSync(root, { recursive: true });
});

test("the built command evaluates Terraform functions of each kind, such as abs, upper and md5", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-functions-"));
  const calls = {
    numeric: "abs(-1)",
    string: 'upper("a")',
    collection: 'length(["a"])',
    list: 'element(["b"], 0)',
    mapping: 'keys({ c = "d" })[0]',
    set: 'sort(setunion(["e"], []))[0]',
    type: "tostring(2)",
    encoding: 'base64encode("f")',
    hash: 'md5("g")',
    date: 'formatdate("YYYY", "2026-11-26T00:00:00Z")',
    network: 'cidrhost("10.0.0.0/8", 3)',
    format: 'format("%03d", 4)',
    yaml: 'yamldecode("h: i").h',
    path: 'basename("j/k")',
  };
  const output = Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, { value: `\${${call}}` }]),
  );
  writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify({ output }));
  const words = [path.join(built, "main.js"), "plan", "--config", "main.tf.json"];
  const told = execFileSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  const values = [...told.matchAll(/\+ (\w+) += "?([^"\n]*)"?/g)].map(([, name, value]) => [name, value]);
  expect(Object.fromEntries(values)).toEqual({
    numeric: "1",
    string: "A",
    collection: "1",
    list: "b",
    mapping: "c",
    set: "e",
    type: "2",
    encoding: "Zg==",
    hash: "b2f5ff47436671b6e533d8dc3614845d",
    date: "2026",
    network: "10.0.0.3",
    format: "004",
    yaml: "i",
    path: "k",
  });
});

describe("the V8 code cache of the bundle", () => {
  const root = place({ modules: 1, compiled: 2, bundle: 3 });
  const bundles = path.join(root, "dist", "cli", "bundles.js");
  const loadedProgram = () =>
    execFileSync(process.execPath, [path.join(root, "dist", "cli", "main.js"), "plan"], { encoding: "utf8" });
  const inProcess = (script: string) =>
    execFileSync(process.execPath, ["-e", script, bundles], { encoding: "utf8" });
  const cache = inProcess("process.stdout.write(require(process.argv[1]).codeCacheFile('program.js'))");
  afterAll(() => rmSync(root, { recursive: true }));

  test("if a code cache was written for the same bundle, V8 accepts the cache", () => {
    inProcess(
      "const { codeCacheFile, runBundle } = require(process.argv[1]);" +
        "const { script } = runBundle('program.js');" +
        "require('node:fs').writeFileSync(codeCacheFile('program.js'), script.createCachedData());",
    );
    expect(loadedProgram()).toBe("bundle\n");
    const isTaken = inProcess(
      "const { codeCacheFile, runBundle } = require(process.argv[1]);" +
        "const cache = require('node:fs').readFileSync(codeCacheFile('program.js'));" +
        "process.stdout.write(String(runBundle('program.js', cache).script.cachedDataRejected));",
    );
    expect(isTaken).toBe("false");
  });

  test("if the code cache is invalid, steward runs without the cache", () => {
    writeFileSync(cache, "nothing that V8 knows");
    expect(loadedProgram()).toBe("bundle\n");
  });

  test("if the code cache is older than the bundle, steward does not read the cache", () => {
    rmSync(cache);
    mkdirSync(cache);
    utimesSync(cache, 2, 2);
    expect(loadedProgram()).toBe("bundle\n");
  });
});

test("V8 accepts the code cache of the built command", () => {
  const load = `
    const { codeCacheFile, runBundle } = require(${JSON.stringify(path.join(built, "bundles.js"))});
    const { readFileSync } = require("node:fs");
    const { script } = runBundle("program.js", readFileSync(codeCacheFile("program.js")));
    console.log(script.cachedDataRejected);`;
  expect(execFileSync(process.execPath, ["-e", load], { encoding: "utf8" })).toBe("false\n");
});

test("when steward sets its V8 flags, V8 prints no warning", () => {
  const set = `require(${JSON.stringify(path.join(built, "run-script.js"))}).optimizeLater();`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", set], { encoding: "utf8" });
  expect(stdout + stderr).toBe("");
});
