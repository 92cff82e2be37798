import type { Library } from "../acceptance/packages/support/packed";
import { describeWhere } from "./capabilities";

// This file lists the ways to install the packages, for docs/compatibility.md. Tests declare a way with `describeInstall`.

/**
 * The ways to install the packages. Every run of CI tests npm. The other ways take minutes, and run only with SOAK=1.
 */
export const INSTALLS = {
  npm: "npm",
  pnpm: "pnpm 10",
  "yarn-1": "Yarn 1",
  "yarn-4-node-modules": "Yarn 4 with `node_modules`",
  "yarn-4-pnp": "Yarn 4 with Plug'n'Play",
  "node-20": "npm under Node 20",
  "node-22": "npm under Node 22",
  "node-24": "npm under Node 24",
  "node-newest": "npm under the newest Node",
} as const;
/** The names of the packages, by the library of an app. */
export const PACKAGES: Readonly<Record<Library, string>> = {
  cdktf: "`cdktf-provider-steward`, with cdktf 0.21",
  cdktn: "`cdktn-provider-steward`, with cdktn 0.24",
};

export type Install = keyof typeof INSTALLS;

/**
 * Declares a `describe` for each package. The tests in it install the package in one way, and compile, synthesize and
 * plan an app. The arguments must be literals, because the page is derived from the source of the tests.
 */
export function describeInstall(
  install: Install,
  libraries: readonly Library[],
  body: (library: Library, install: Install) => void,
): void {
  for (const library of libraries) {
    const name = `${INSTALLS[install]}, the package for ${library}`;
    const suite = () => body(library, install);
    if (install === "npm") describe(name, suite);
    else describeWhere(process.env["SOAK"], "npm's registry, and SOAK=1", name, suite);
  }
}
