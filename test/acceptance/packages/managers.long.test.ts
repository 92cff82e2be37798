import path from "node:path";
import { describeInstall, type Install } from "../../support/installs";
import type { Manager } from "./support/fresh-app";
import { run } from "./support/packed";
import { useFreshApps } from "./support/use-fresh-apps";

// The tests install the package with other package managers than npm. The package managers come from npm's registry.

jest.setTimeout(1_200_000);

const apps = useFreshApps();
let registry: string;
let tools: string;

beforeAll(async () => {
  if (!process.env["SOAK"]) return;
  tools = path.join(apps.packed.folder, "tools");
  const programs = ["pnpm@10", "yarn1@npm:yarn@1.22.22", "@yarnpkg/cli-dist@4"];
  await run("npm", ["install", "--silent", "--prefix", tools, ...programs]);
  registry = (await run("npm", ["config", "get", "registry"])).stdout.trim();
});

const tool = (...file: readonly string[]): [string, string] => [
  process.execPath,
  path.join(tools, "node_modules", ...file),
];
const pnpm = (): Manager => ({ install: [...tool("pnpm/bin/pnpm.cjs"), "add"] });
const yarn1 = (): Manager => ({
  install: [...tool("yarn1/bin/yarn.js"), "add", "--no-progress"],
  files: { "package.json": '{ "private": true, "license": "MIT" }' },
  // The warning about "bare" is expected: a dependency of cdktf names an engine that Yarn does not know.
  warning: /^(?!.*The engine "bare")warning/,
  env: { YARN_REGISTRY: registry },
});
const yarn4 = (linker: string): Manager => ({
  install: [...tool("@yarnpkg/cli-dist/bin/yarn.js"), "add"],
  exec: tool("@yarnpkg/cli-dist/bin/yarn.js"),
  // Matches all codes of Yarn except some: about phases, about added packages, and about Plug'n'Play for ES modules.
  warning: /YN(?!0000|0013|0019|0085|0092)\d{4}/,
  isPatched: linker === "pnp",
  files: {
    "package.json": '{ "private": true }',
    // Without this file, Yarn would look for a project in the parent folders.
    "yarn.lock": "",
    ".yarnrc.yml": `nodeLinker: ${linker}\nenableTelemetry: false\nenableGlobalCache: false\n`,
  },
  env: { YARN_NPM_REGISTRY_SERVER: registry, YARN_ENABLE_IMMUTABLE_INSTALLS: "false" },
});
const MANAGERS: Partial<Readonly<Record<Install, () => Manager>>> = {
  pnpm,
  "yarn-1": yarn1,
  "yarn-4-node-modules": () => yarn4("node-modules"),
  "yarn-4-pnp": () => yarn4("pnp"),
};

const installs = (library: "cdktf" | "cdktn", install: Install) =>
  test("a package manager installs the package, and an app compiles, synthesizes and plans without a warning", () =>
    apps.check(install, library, MANAGERS[install]!()));

describeInstall("pnpm", ["cdktf", "cdktn"], installs);
describeInstall("yarn-1", ["cdktf", "cdktn"], installs);
describeInstall("yarn-4-node-modules", ["cdktf", "cdktn"], installs);
describeInstall("yarn-4-pnp", ["cdktf", "cdktn"], installs);
