// Rules for imports: a module imports only from modules below it, and only their index.ts.

/** The modules of src/, the lowest first; each may import the modules of its list. */
const MODULES = {
  text: [],
  json: [],
  files: ["text"],
  diagnostics: ["text"],
  schema: ["diagnostics", "json", "text"],
  http: ["diagnostics", "json", "text"],
  // This REST API, without anything of Terraform.
  api: ["http", "files", "diagnostics", "text"],
  language: ["schema", "diagnostics", "json", "text", "files"],
  state: ["language", "schema", "http", "files", "diagnostics", "json", "text"],
  // Code that every provider needs; it contains nothing of a particular API.
  framework: ["schema", "http", "diagnostics", "json", "text"],
  provider: ["framework", "api", "schema", "diagnostics", "json", "text"],
  transport: [],
  // The two hosts of a provider do not import each other.
  plugin: ["framework", "transport", "schema", "diagnostics", "files", "json", "text"],
  engine: ["framework", "state", "language", "schema", "http", "files", "diagnostics", "json", "text"],
  // Writes live settings as apps and configurations. It imports only the public library of the engine.
  adopt: ["engine", "provider", "schema", "files", "diagnostics", "json", "text"],
  // Writes live settings as a fixture. It reads the API and imports no code of the embedded service.
  snapshot: ["provider", "api", "framework", "diagnostics", "text"],
  // The files of a new app.
  init: [],
  // It imports only the public library of the engine, not its inner modules.
  cli: [
    "adopt",
    "snapshot",
    "init",
    "engine",
    "plugin",
    "provider",
    "api",
    "service",
    "files",
    "diagnostics",
    "json",
    "text",
  ],
  // It shares no code with the client: one mistake in both would pass every test.
  service: ["files", "json", "text"],
  // The package's entry for tests of apps.
  testing: ["cli", "engine", "provider", "service", "json"],
  constructs: [],
};

/** The modules inside of a module, the lowest first; each may import the modules before it. */
const INNER_MODULES = {
  language: ["values", "syntax", "addresses", "configuration", "evaluation"],
  state: ["model", "format", "storage", "lock", "journal", "backends"],
  service: [
    ...["settings", "store", "http", "access", "habits", "model", "endpoint", "areas", "fixture"],
    ...["server", "start"],
  ],
  framework: ["ownership", "table", "protocol", "references", "collections", "definition", "operations"],
  engine: [
    ...["results", "declarations", "stack-run", "objects", "selection", "steps", "recovery", "stacks"],
    ...["import", "validate", "plan-json", "plan", "plan-file", "apply", "drift", "source", "library"],
  ],
  adopt: ["model", "typescript", "configuration", "folder", "accept"],
  cli: [
    // version.ts and bundles.ts stay directly in cli/: the bundle finds its files from the same depth.
    ...[
      "embedded",
      "run-script",
      "version",
      "bundles",
      "terminal",
      "outputs",
      "arguments",
      "difference",
      "objects",
      "findings",
      "policy",
      "document",
      "views",
      "reports",
      "history",
      "stack-runs",
      "approval",
      "ci",
      "commands",
    ],
  ],
};

const inside = (name) => `^src/${name}(/|\\.ts$)`;

const lowerOnly = Object.entries(MODULES).map(([name, below]) => ({
  name: `${name}-imports-only-lower-modules`,
  severity: "error",
  from: { path: inside(name) },
  to: { path: "^src/", pathNot: [name, ...below].map(inside) },
}));

const indexOnly = Object.keys(MODULES).map((name) => ({
  name: `${name}-is-imported-by-its-index`,
  comment: "Other modules import only its index.ts.",
  severity: "error",
  from: { path: "^src/", pathNot: inside(name) },
  to: {
    path: inside(name),
    pathNot: `^src/${name}/index\\.ts$`,
  },
}));

const innerLowerOnly = Object.entries(INNER_MODULES).flatMap(([outer, inner]) =>
  inner.map((name, at) => ({
    name: `${outer}-${name}-imports-only-lower-modules`,
    severity: "error",
    from: { path: inside(`${outer}/${name}`) },
    to: { path: inside(outer), pathNot: inner.slice(0, at + 1).map((below) => inside(`${outer}/${below}`)) },
  })),
);

module.exports = {
  forbidden: [
    ...lowerOnly,
    ...indexOnly,
    ...innerLowerOnly,
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-undeclared-packages",
      severity: "error",
      from: { path: "^src/" },
      // Node 20 has no node:sqlite: see the driver in service/store.
      to: {
        dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown", "undetermined"],
        pathNot: "^(node:)?sqlite$",
      },
    },
    {
      name: "no-development-packages-in-src",
      severity: "error",
      from: { path: "^src/", pathNot: inside("constructs") },
      // The bundles contain protobufjs and fflate: see scripts/bundle-command.js.
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["npm-peer"],
        pathNot: "node_modules/(@?protobufjs|fflate)/",
      },
    },
    {
      name: "src-never-imports-tests",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|scripts|bench|examples)/" },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^dist/"] },
    tsPreCompilationDeps: true,
    parser: "swc",
  },
};
