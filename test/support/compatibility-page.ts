import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { COLUMNS, type Column, FEATURES, type Feature } from "./compatibility";
import { INSTALLS, PACKAGES } from "./installs";

const ROOT = path.join(__dirname, "../..");

/** A feature that a test file covers with one program. */
interface Declaration {
  readonly feature: string;
  readonly column: string;
  /** The path of the test file, relative to the root of the repository. */
  readonly file: string;
}

/** Returns the features that tests declare with `describeFeature`. */
export const declarations = (): Declaration[] => declaredBy("describeFeature");

/**
 * Returns the ways of installation that tests declare with `describeInstall`. `column` is the library of the package.
 */
export const installations = (): Declaration[] => declaredBy("describeInstall");

/**
 * Finds the calls of a function in the sources of tests. The first two arguments of a call are literals: a text, and a list
 * of texts.
 */
function declaredBy(name: "describeFeature" | "describeInstall"): Declaration[] {
  const call = new RegExp(`\\b${name}\\(\\s*"([^"]+)",\\s*\\[([^\\]]*)\\]`, "g");
  const files = readdirSync(path.join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .sort();
  return files.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, "test", file), "utf8");
    return [...text.matchAll(call)].flatMap(([, feature, columns]) =>
      [...columns!.matchAll(/"([^"]+)"/g)].map(([, column]) => ({
        feature: feature!,
        column: column!,
        file: `test/${file}`,
      })),
    );
  });
}

/** Returns the table cell for a feature and a program. */
function cellOf(feature: Feature, column: Column, declared: readonly Declaration[]): string {
  const { since, embedded, isRefused } = FEATURES[feature] as (typeof FEATURES)[Feature] & {
    readonly since?: { readonly terraform: string | null; readonly opentofu: string | null };
    readonly embedded?: string;
    readonly isRefused?: true;
  };
  const holds = (one: Column) => declared.some((each) => each.feature === feature && each.column === one);
  const { host } = COLUMNS[column];
  const isHeld = holds(column);
  if (host === "steward") {
    if (embedded !== undefined) return embedded;
    if (isRefused) return NOT_IN_THIS_VERSION;
    return isHeld ? TESTED : UNTESTED;
  }
  if (host !== "grpc-go") {
    const first = since === undefined ? "0.0" : since[host];
    if (first === null || isOlder(COLUMNS[column].version, first)) return NOT_IN_THIS_VERSION;
    if (!isHeld && holds("grpc-go")) return PROTOCOL_TEST_ONLY;
  }
  if (!isHeld) return host === "grpc-go" ? "" : UNTESTED;
  return isRefused ? REFUSED : TESTED;
}

const TESTED = "tested";
const REFUSED = "refused";
const NOT_IN_THIS_VERSION = "not in this version";
const PROTOCOL_TEST_ONLY = "protocol test only";
/** The cell of a feature without a test. A finished page must not contain this cell. */
const UNTESTED = "**not tested**";

const isOlder = (version: string, than: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = than.split(".").map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
};

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Returns the table with the ways to install each package. */
function installTable(): string {
  const declared = installations();
  const rows = Object.entries(INSTALLS).map(([install, title]) => {
    const isHeld = (library: string) =>
      declared.some(({ feature, column }) => feature === install && column === library);
    const files = new Set(
      declared.flatMap(({ feature, file }) => (feature === install ? [`\`${file}\``] : [])),
    );
    const cells = Object.keys(PACKAGES).map((library) => (isHeld(library) ? TESTED : UNTESTED));
    return line([title, ...cells, [...files].join(", ")]);
  });
  const head = ["Installed by", ...Object.values(PACKAGES), "Tests"];
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows].join("\n");
}

/** `docs/compatibility.md`. */
export function compatibilityPage(): string {
  const declared = declarations();
  const columns = Object.keys(COLUMNS) as Column[];
  const features = Object.keys(FEATURES) as Feature[];
  const table = [
    line(["Feature", ...columns.map((column) => COLUMNS[column].title)]),
    `|${"---|".repeat(columns.length + 1)}`,
    ...features.map((feature) =>
      line([FEATURES[feature].title, ...columns.map((column) => cellOf(feature, column, declared))]),
    ),
  ];
  const held = features.flatMap((feature) => {
    const { title, procedures = [] } = FEATURES[feature] as { title: string; procedures?: readonly string[] };
    const files = new Set(declared.filter((one) => one.feature === feature).map(({ file }) => `\`${file}\``));
    return line([title, procedures.map((name) => `\`${name}\``).join(", "), [...files].join(", ")]);
  });
  const tests = [line(["Feature", "Procedures of the plugin protocol", "Tests"]), "|---|---|---|", ...held];
  return `${[INTRODUCTION, table.join("\n"), LEGEND, INSTALLATION, installTable(), "## Tests", tests.join("\n")].join("\n\n")}\n`;
}

const INTRODUCTION = `# Compatibility

<!-- Written by \`npm run compatibility\` from the declarations of the tests. Change the tests or test/support/compatibility.ts, not this page. -->

The features of each program with this provider. A cell is the result of a test with exactly this program.`;

const LEGEND = `- **tested**: a test runs the feature with this program.
- **not in this version**: this program has no such feature. Later releases of it may.
- **refused**: the provider does not have the feature. It does not announce the feature, and refuses its requests with an error that says so.
- **protocol test only**: no test runs it with this program. A client of grpc-go, the gRPC library of Terraform and OpenTofu, sends the program's
  requests and checks the responses.

The run leaves out tests whose program is not on the PATH, and lists them. Several releases may be installed, each in a separate folder.`;

const INSTALLATION = `## Installation

Each test begins with an empty folder. It installs the package, and compiles an app that imports every entry (\`strict\`, with the types of packages checked).
Then it synthesizes the app and plans it against the embedded service, without any warning. Every run of CI tests npm, with its release of Node. \`npm run soak\` tests all
others. [Which package for which library](constructs.md#cdktf-and-cdktn).`;
