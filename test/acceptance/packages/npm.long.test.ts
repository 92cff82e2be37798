import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { runs } from "../../support/capabilities";
import { describeInstall } from "../../support/installs";
import { FreshApp, type Manager, warningsOf } from "./support/fresh-app";
import { type GettingStarted, gettingStarted } from "./support/getting-started";
import { installedIn } from "./support/installed";
import { type LoopbackRegistry, startRegistry } from "./support/loopback-registry";
import { LIBRARIES, type Library, otherThan, packageFor, ROOT, run, usePacked } from "./support/packed";

// The tests repeat the steps of a new user: install, compile, synthesize and plan. No command may print a warning.
// docs/getting-started.md has the install command for cdktn, and docs/installing.md the command for cdktf. Both commands
// install the packed files.

jest.setTimeout(600_000);

const packed = usePacked();
let service: Service;
let registry: LoopbackRegistry;
let page: GettingStarted;
beforeAll(async () => {
  service = await startService({ fixture: path.join(ROOT, "examples/quickstart/fixture.yaml") });
  registry = await startRegistry(Object.values(packed.tarballs));
  page = await gettingStarted(packed.folder, registry.url, packed.tarballs.cdktn);
});
afterAll(async () => {
  await registry?.close();
  await service?.close();
});

test("the commands of docs/getting-started.md succeed with the packed package and print no warning", async () => {
  if (page.code !== 0) throw new Error(page.output);
  expect(warningsOf(page.output).filter((line) => !OF_NPM.test(line))).toEqual([]);
  expect(readFileSync(path.join(page.mine, "drift.md"), "utf8")).toContain("no drift, ");
  expect(readFileSync(path.join(page.settings, "package.json"), "utf8")).toContain(
    `"${packageFor("cdktn")}": "file:`,
  );
});

/**
 * Matches messages of npm that are no problem: about an install by npx, and about packages with install scripts, such as
 * esbuild.
 */
const OF_NPM = /npm warn (exec The following package was not found|install-scripts)/;
/** The package `tsx`, which the app of the page uses, and the packages that `tsx` needs. */
const OF_TSX = ["tsx", "esbuild", "@esbuild", "get-tsconfig", "resolve-pkg-maps"];

const NPM: Manager = { install: ["npm", "install"] };

/**
 * Size limits. A larger package means a new dependency, which needs a decision. docs/dependencies.md has the figures.
 */
const MOST = {
  /** The maximum size of the unpacked package in bytes. */
  size: 14_200_000,
  files: 1_500,
  /** The number of packages that npm installs in addition to this package, the library and `constructs`. */
  packages: 12,
};

describeInstall("npm", ["cdktf", "cdktn"], (library) => {
  let app: FreshApp;
  /** The path of node_modules. */
  let folder: string;
  /** The output of npm. */
  let printed = "";

  beforeAll(async () => {
    app = new FreshApp(path.join(packed.folder, library), library, NPM);
    folder = library === "cdktn" ? page.settings : app.folder;
    if (library === "cdktn") return app.useInstalled(folder);
    // The install command of the pages. It names no versions and no types of Node.
    const words = ["install", packed.tarballs[library], library, "constructs", "--no-audit", "--no-fund"];
    const { stdout, stderr } = await run("npm", words, { cwd: folder });
    printed = stdout + stderr;
  });

  const env = () => ({ STEWARD_BASE_URL: service.url, STEWARD_TOKEN: "quickstart-maintainer-token" });

  test(`npm installs the package for ${library} without ${otherThan(library)}`, async () => {
    expect(warningsOf(printed)).toEqual([]);
    const { stdout } = await run("npm", ["ls", "--all", "--parseable"], { cwd: folder });
    const names = stdout
      .trim()
      .split("\n")
      .map((one) => path.basename(one));
    expect(names).toEqual(expect.arrayContaining([library, packageFor(library), "constructs"]));
    expect(names.filter((name) => name.startsWith(otherThan(library)))).toEqual([]);
  });

  test("npm installs at most the allowed number of files, bytes and packages", () => {
    const { files, size, beside } = installedIn(folder, library, library === "cdktn" ? OF_TSX : []);
    expect(size).toBeLessThan(MOST.size);
    expect(files.length).toBeLessThan(MOST.files);
    expect(beside.length).toBeLessThanOrEqual(MOST.packages);
    expect(files.filter((name) => /\.map$|\.cache$|tsbuildinfo/.test(name))).toEqual([]);
  });

  test("an app that imports every entry point of the package compiles, even without the compiler option skipLibCheck", async () => {
    expect(await app.compile()).toBe("");
  });

  // The test of docs/getting-started.md runs these commands for cdktn.
  if (library === "cdktf")
    test("the installed package can plan an app, write a JUnit report and start the embedded service", async () => {
      // `steward plan` runs the synthesis first.
      const planned = await app.command("steward", ["plan", "--report", "plan.xml"], env());
      expect(warningsOf(planned)).toEqual([]);
      expect(planned).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
      // A JUnit report shows that the package contains all files that reports need.
      expect(readFileSync(path.join(app.folder, "plan.xml"), "utf8")).toContain("<testsuites");
      expect(await app.node("service.cjs")).toBe("the service answers 200\n");
    });

  test(`\`steward adopt\` writes a new app that imports ${library}`, async () => {
    await app.command("steward", ["adopt", "acme/web-shop", "--out", "adopted"], env());
    const read = (name: string) => readFileSync(path.join(app.folder, "adopted", name), "utf8");
    expect(read("main.ts")).toMatch(new RegExp(`from "${library}";\n.* from "${packageFor(library)}";`, "s"));
    expect(JSON.parse(read("package.json")).dependencies).toMatchObject({
      [library]: expect.stringMatching(/^\^0\.2\d\.0$/),
      [packageFor(library)]: expect.stringMatching(/^\^\d/),
      constructs: expect.stringMatching(/^\^10\./),
    });
    const into = ["adopt", "acme/web-shop", "--into", "main.ts"];
    expect(await app.command("steward", into, env())).toContain("main.ts");
  });

  test(`the test of an app that \`steward init\` wrote for ${library} passes`, async () => {
    const fresh = library === "cdktn" ? page.settings : path.join(folder, "fresh");
    const read = (name: string) => readFileSync(path.join(fresh, name), "utf8");
    // The test of docs/getting-started.md writes and compiles this app for cdktn.
    if (library === "cdktf") {
      await app.command("steward", ["init", "fresh"]);
      const compiler = path.join(ROOT, "node_modules/.bin/tsc");
      expect((await run(compiler, ["-p", "."], { cwd: fresh })).stdout).toBe("");
      const tsx = pathToFileURL(path.join(ROOT, "node_modules/tsx/dist/loader.mjs")).href;
      const words = ["--import", tsx, "--test", "main.test.ts"];
      expect((await run(process.execPath, words, { cwd: fresh })).stdout).toMatch(/pass 1\b/);
    }
    for (const file of ["main.ts", "main.test.ts", "state.ts", "package.json"])
      expect(read(file)).not.toMatch(new RegExp(`"${otherThan(library)}["-]`));
  });

  test(`if an app uses ${otherThan(library)}, the error suggests to install ${packageFor(otherThan(library))}`, async () => {
    const other = JSON.stringify(path.join(ROOT, "node_modules", otherThan(library)));
    writeFileSync(
      path.join(app.folder, "wrong.cjs"),
      `const { App, TerraformStack } = require(${other});
      const { StewardProvider } = require("${packageFor(library)}");
      try {
        new StewardProvider(new TerraformStack(new App({ outdir: "wrong" }), "web"), "steward");
      } catch ({ code, message }) {
        console.log(code, message);
      }
      console.log(typeof require("./node_modules/${packageFor(library)}/dist/bundle/xmlbuilder2.js").create);`,
    );
    expect(await app.node("wrong.cjs")).toMatch(
      new RegExp(
        `^wrong_package \\[web/steward\\] .* Install ${packageFor(otherThan(library))} .*\nfunction\n$`,
      ),
    );
  });
});

test("next to a prerelease of cdktn, npm installs the package for cdktn without a second cdktn", async () => {
  const folder = path.join(packed.folder, "with-prerelease");
  const write = (name: string, content: object) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), JSON.stringify(content));
  };
  // A copy of cdktn with another version is enough, because npm checks only the version and the dependencies of a package.
  const manifest = JSON.parse(readFileSync(path.join(ROOT, "node_modules/cdktn/package.json"), "utf8"));
  const version = "0.25.0-pre.1";
  write("cdktn/package.json", { ...manifest, version });
  await run("npm", ["pack", "--ignore-scripts"], { cwd: path.join(folder, "cdktn") });
  const prerelease = path.join(folder, "cdktn", `cdktn-${version}.tgz`);
  const published = await startRegistry([packed.tarballs.cdktn, prerelease]);
  try {
    write("package.json", { dependencies: { cdktn: version, [packageFor("cdktn")]: "*" } });
    const words = ["install", "--package-lock-only", "--registry", published.url, "--no-audit", "--no-fund"];
    const { stdout, stderr } = await run("npm", words, { cwd: folder });
    expect(warningsOf(stdout + stderr)).toEqual([]);
  } finally {
    await published.close();
  }
  const lock = JSON.parse(readFileSync(path.join(folder, "package-lock.json"), "utf8")) as Lock;
  expect(lock.packages["node_modules/cdktn"]!.version).toBe(version);
  expect(Object.keys(lock.packages).filter((name) => name.endsWith("/cdktn"))).toHaveLength(1);
});

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
}

// Two tools look for common faults of packages. Such faults are entries without a file, types that a module resolution does
// not find, and exports that Node can't import.

/** Runs a script of this repository on a tarball. */
const check = async (script: string, tarball: string): Promise<string> =>
  (await run("npm", ["run", "--silent", script, tarball], { cwd: ROOT })).stdout;

test("publint finds no problem in the packages for cdktf and cdktn", async () => {
  for (const library of LIBRARIES)
    expect(await check("pack:lint", packed.tarballs[library])).toContain("All good!");
});

// Both packages have the same files and entries, so only the soak checks both.
test.each(runs<readonly Library[]>(["cdktn"], LIBRARIES))(
  'the tool "Are the types wrong?" finds no problem in the package for %s',
  async (library) => {
    expect(await check("pack:types", packed.tarballs[library])).toContain("No problems found");
  },
);
