import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type OwnProject, ownProject, ROOT } from "../acceptance/support/own-project";
import { filesOf } from "../acceptance/support/page";
import { describeWhere } from "../support/capabilities";

// The tests compile the examples of docs/testing.md with the types of each test framework, and run them with this framework.
// The file docs.long.test.ts runs the example for Node's test runner.

jest.setTimeout(600_000);

const MODULES = path.join(ROOT, "node_modules");
const files = filesOf("docs/testing.md");
let project: OwnProject;

beforeEach(() => {
  project = ownProject();
  for (const name of ["web-shop.ts", "fixture.ts"]) write(name, files.get(name)!);
});
afterEach(() => project.remove());

const write = (name: string, text: string) => writeFileSync(path.join(project.folder, name), text);

function run(
  program: string,
  ...words: string[]
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const options = { cwd: project.folder, env: { PATH: process.env["PATH"], HOME: process.env["HOME"] } };
    const child = execFile(program, words, options, (_problem, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, output: stdout + stderr }),
    );
  });
}

/** Compiles the test as users do, and also checks all declaration files that it imports. */
async function compile(types: readonly string[], ...names: string[]) {
  const compilerOptions = {
    module: "Node16",
    lib: ["ES2023"],
    types,
    typeRoots: [path.join(MODULES, "@types")],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  write("tsconfig.json", JSON.stringify({ compilerOptions, files: names }));
  return run(process.execPath, path.join(MODULES, "typescript/bin/tsc"), "-p", ".");
}

const JEST = files.get("settings.jest.ts")!;
const WRONG_COUNT = JEST.replace("toPlan({ add: 2 })", "toPlan({ add: 3 })");

describe("Jest", () => {
  const jestConfig = {
    testEnvironment: path.join(MODULES, "jest-environment-node"),
    testRegex: "jest\\.ts$",
    transform: { "\\.ts$": path.join(MODULES, "@swc/jest") },
    // The long timeout is needed, because this test runs at the same time as other tests.
    testTimeout: 60_000,
  };
  const runJest = () => {
    write("jest.config.json", JSON.stringify(jestConfig));
    return run(process.execPath, path.join(MODULES, "jest/bin/jest.js"), "--config", "jest.config.json");
  };

  it("in Jest, the example of docs/testing.md passes", async () => {
    write("settings.jest.ts", JEST);
    write("wrong-count.jest.ts", WRONG_COUNT);
    expect(await compile(["node", "jest"], "settings.jest.ts")).toEqual({ code: 0, output: "" });
    const { code, output } = await runJest();
    expect(code).toBe(1);
    expect(output).toMatch(/PASS .*settings\.jest\.ts/);
    expect(output).toMatch(/FAIL .*wrong-count\.jest\.ts/);
    expect(output).toContain("1 failed, 1 passed, 2 total");
    expect(output).toContain("Expected 3 to add and nothing else, but the plan is:");
    expect(output).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
  });

  it("the compiler refuses toPlan with `remove`, because a plan does not count removes", async () => {
    write(
      "wrong.ts",
      `import "cdktf-provider-steward/testing/jest";
void expect(1).toPlan({ remove: 1 });
void expect(1).toGrant({ user: "maya", project: "acme/web-shop" });
`,
    );
    const { output } = await compile(["node", "jest"], "wrong.ts");
    const lines = output.split("\n").filter((line) => line.startsWith("wrong.ts"));
    expect(lines).toEqual([
      expect.stringMatching(/^wrong\.ts\(2,.*'remove'/),
      expect.stringMatching(/^wrong\.ts\(3,/),
    ]);
  });
});

describeWhere(process.env["SOAK"], "npm's registry, and SOAK=1", "Vitest", () => {
  it("in Vitest, the example of docs/testing.md passes", async () => {
    // The package is installed as users install it, because it must find the project's Vitest.
    rmSync(path.join(project.folder, "node_modules"), { recursive: true });
    write("package.json", "{}");
    const packed = await run(process.execPath, path.join(ROOT, "scripts/pack/pack.js"), project.folder);
    const [tarball] = packed.output.trim().split("\n");
    const packages = [tarball!, "cdktf@0.21", "constructs@10", "vitest@4", "@types/node@22"];
    expect(await run("npm", "install", "--no-audit", "--no-fund", ...packages)).toMatchObject({ code: 0 });
    const vitest = (text: string) =>
      text.replace(
        'import "cdktf-provider-steward/testing/jest";\n',
        'import "cdktf-provider-steward/testing/vitest";\nimport { afterAll, beforeAll, expect, test } from "vitest";\n',
      );
    write("settings.test.ts", vitest(JEST));
    expect(await compile(["node"], "settings.test.ts")).toEqual({ code: 0, output: "" });
    const program = path.join(project.folder, "node_modules", "vitest", "vitest.mjs");
    expect(await run(process.execPath, program, "run")).toMatchObject({
      code: 0,
      output: expect.stringContaining("1 passed"),
    });
    write("settings.test.ts", vitest(WRONG_COUNT));
    const failed = await run(process.execPath, program, "run");
    expect(failed.code).toBe(1);
    expect(failed.output).toContain("Expected 3 to add and nothing else, but the plan is:");
  });
});
