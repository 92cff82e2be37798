import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { describeInstall } from "../../support/installs";
import { FreshApp, type Manager, warningsOf } from "./support/fresh-app";
import { installedIn } from "./support/installed";
import { otherThan, packageFor, ROOT, run, usePacked } from "./support/packed";

// What a user does first, in an empty folder: install, compile, synthesize, plan. Nothing of it warns of anything.

jest.setTimeout(600_000);

const packed = usePacked();
let service: Service;
beforeAll(async () => {
  service = await startService({ fixture: path.join(ROOT, "examples/quickstart/fixture.yaml") });
});
afterAll(() => service?.close());

const NPM: Manager = { install: ["npm", "install"] };

/** Above these figures something came in that nobody decided on. They are in docs/dependencies.md. */
const MOST = {
  /** Of this package, unpacked, in bytes. */
  size: 13_500_000,
  files: 1_500,
  /** Packages that are installed beside this one, the library and `constructs`. */
  packages: 12,
};

describeInstall("npm", ["cdktf", "cdktn"], (library) => {
  let app: FreshApp;
  let printed: string;
  let compiled: string;

  beforeAll(async () => {
    app = new FreshApp(path.join(packed.folder, library), library, NPM);
    // As the pages say: without a version, and without types of Node.
    const words = ["install", packed.tarballs[library], library, "constructs"];
    const { stdout, stderr } = await run("npm", words, { cwd: app.folder });
    printed = stdout + stderr;
    compiled = await app.compile();
  });

  test("gives no warning", () => {
    expect(warningsOf(printed)).toEqual([]);
  });

  test(`installs neither ${otherThan(library)} nor its package, and fulfils all peers`, async () => {
    const { stdout } = await run("npm", ["ls", "--all", "--parseable"], { cwd: app.folder });
    const names = stdout
      .trim()
      .split("\n")
      .map((folder) => path.basename(folder));
    expect(names).toEqual(expect.arrayContaining([library, packageFor(library), "constructs"]));
    expect(names.filter((name) => name.startsWith(otherThan(library)))).toEqual([]);
  });

  test("installs no more files, bytes and packages than was decided, and no source maps or caches", () => {
    const { files, size, beside } = installedIn(app.folder, library);
    expect(size).toBeLessThan(MOST.size);
    expect(files.length).toBeLessThan(MOST.files);
    expect(beside.length).toBeLessThanOrEqual(MOST.packages);
    expect(files.filter((name) => /\.map$|\.cache$|tsbuildinfo/.test(name))).toEqual([]);
  });

  test("compiles an app that imports every entry, with all checks of types, also in packages", () => {
    expect(compiled).toBe("");
  });

  test("synthesizes and plans the app", async () => {
    const env = { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: "quickstart-maintainer-token" };
    expect(warningsOf(await app.command("steward", ["synth"], env))).toEqual([]);
    const planned = await app.command("steward", ["plan"], env);
    expect(warningsOf(planned)).toEqual([]);
    expect(planned).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
  });

  test("the installed package has an embedded service that starts", async () => {
    expect(await app.node("service.cjs")).toBe("the service answers 200\n");
  });

  test(`names ${library} where \`steward adopt\` writes an app`, async () => {
    const env = { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: "quickstart-maintainer-token" };
    await app.command("steward", ["adopt", "acme/web-shop", "--out", "adopted"], env);
    const read = (name: string) => readFileSync(path.join(app.folder, "adopted", name), "utf8");
    expect(read("main.ts")).toMatch(new RegExp(`from "${library}";\n.* from "${packageFor(library)}";`, "s"));
    expect(JSON.parse(read("package.json")).dependencies).toMatchObject({
      [library]: expect.stringMatching(/^\^0\.2\d\.0$/),
      [packageFor(library)]: expect.stringMatching(/^\^\d/),
      constructs: expect.stringMatching(/^\^10\./),
    });
  });

  test(`names ${library} in the app of \`steward init\`, which compiles, and whose test passes`, async () => {
    await app.command("steward", ["init", "fresh"]);
    const folder = path.join(app.folder, "fresh");
    const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
    for (const file of ["main.ts", "main.test.ts", "state.ts", "package.json"])
      expect(read(file)).not.toMatch(new RegExp(`"${otherThan(library)}["-]`));
    const compiler = path.join(ROOT, "node_modules/.bin/tsc");
    expect((await run(compiler, ["-p", "."], { cwd: folder })).stdout).toBe("");
    const tsx = pathToFileURL(path.join(ROOT, "node_modules/tsx/dist/loader.mjs")).href;
    const words = ["--import", tsx, "--test", "main.test.ts"];
    expect((await run(process.execPath, words, { cwd: folder })).stdout).toMatch(/pass 1\b/);
  });

  test("the installed package brings what reports for JUnit and additions to an app's source need", async () => {
    const env = { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: "quickstart-maintainer-token" };
    await app.command("steward", ["plan", "--report", "plan.xml"], env);
    expect(readFileSync(path.join(app.folder, "plan.xml"), "utf8")).toContain("<testsuites");
    const into = ["adopt", "acme/web-shop", "--into", "main.ts"];
    expect(await app.command("steward", into, env)).toContain("main.ts");
    const progress = `node_modules/${packageFor(library)}/dist/bundle/listr2.js`;
    writeFileSync(
      path.join(app.folder, "progress.cjs"),
      `console.log(typeof require("./${progress}").Listr)`,
    );
    expect(await app.node("progress.cjs")).toBe("function\n");
  });

  test(`throws an error that names ${packageFor(otherThan(library))} in a stack of ${otherThan(library)}`, async () => {
    const other = JSON.stringify(path.join(ROOT, "node_modules", otherThan(library)));
    writeFileSync(
      path.join(app.folder, "wrong.cjs"),
      `const { App, TerraformStack } = require(${other});
      const { StewardProvider } = require("${packageFor(library)}");
      try {
        new StewardProvider(new TerraformStack(new App({ outdir: "wrong" }), "web"), "steward");
      } catch ({ code, message }) {
        console.log(code, message);
      }`,
    );
    expect(await app.node("wrong.cjs")).toMatch(
      new RegExp(`^wrong_package \\[web/steward\\] .* Install ${packageFor(otherThan(library))} `),
    );
  });
});

test("npm install takes the package for cdktn with the next prerelease of cdktn", async () => {
  const copy = path.join(packed.folder, "prerelease");
  cpSync(path.join(ROOT, "node_modules/cdktn"), copy, { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(copy, "package.json"), "utf8"));
  const version = "0.25.0-pre.1";
  writeFileSync(path.join(copy, "package.json"), JSON.stringify({ ...manifest, version }));
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", packed.folder], { cwd: copy });
  const folder = path.join(packed.folder, "with-prerelease");
  mkdirSync(folder);
  const tarballs = [packed.tarballs.cdktn, path.join(packed.folder, `cdktn-${version}.tgz`)];
  const { stdout, stderr } = await run("npm", ["install", ...tarballs], { cwd: folder });
  expect(warningsOf(stdout + stderr)).toEqual([]);
  expect((await run("npm", ["ls", "cdktn"], { cwd: folder })).stdout).toContain(`cdktn@${version}`);
});
