// The rules of the house: imports run down only, between the rooms and inside them, and a room is entered by its door.

/** From the ground up: a room may import those that it names. */
const ROOMS = {
  text: [],
  json: [],
  files: ["text"],
  diagnostics: ["text"],
  schema: ["diagnostics", "json", "text"],
  http: ["diagnostics", "json", "text"],
  // This REST API, and nothing of Terraform.
  api: ["http", "files", "diagnostics", "text"],
  language: ["schema", "diagnostics", "json", "text", "files"],
  state: ["language", "schema", "http", "files", "diagnostics", "json", "text"],
  // What every provider needs; it knows no API.
  framework: ["schema", "http", "diagnostics", "json", "text"],
  provider: ["framework", "api", "schema", "diagnostics", "json", "text"],
  transport: [],
  // The two hosts of a provider never meet.
  plugin: ["framework", "transport", "schema", "diagnostics", "files", "json", "text"],
  engine: ["framework", "state", "language", "schema", "http", "files", "diagnostics", "json", "text"],
  // Live settings as apps and configurations. It knows the engine by its library alone.
  adopt: ["engine", "provider", "schema", "files", "diagnostics", "json", "text"],
  // Live settings as a fixture: a second reader of the API, which never looks at the embedded service's own code.
  snapshot: ["provider", "api", "framework", "diagnostics", "text"],
  // The files of a new app.
  init: [],
  // It knows the engine by its library alone: what that is made of is not the command's concern.
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
  // Apart: it shares no code with the client, where a mistake in one would hide in the other.
  service: ["files", "json", "text"],
  // What a test of an app uses: the package's entry for tests.
  testing: ["cli", "engine", "provider", "service", "json"],
  constructs: [],
};

/** The rooms inside of a room, from the ground up; each may import those before it. */
const INNER_ROOMS = {
  language: ["values", "syntax", "addresses", "configuration", "evaluation"],
  state: ["model", "format", "storage", "lock", "journal", "backends"],
  service: [
    ...["settings", "store", "http", "access", "habits", "model", "endpoint", "areas", "fixture"],
    ...["server", "start"],
  ],
  framework: ["ownership", "table", "protocol", "references", "collections", "definition", "operations"],
  engine: [
    ...[
      "graph",
      "builtin",
      "live",
      "model",
      "run",
      "record",
      "steps",
      "checks",
      "lifecycle",
      "moves",
      "validate",
      "data",
      "recovery",
    ],
    ...["stacks", "import", "plan-json", "plan", "plan-file", "apply", "drift", "source", "operations"],
  ],
  adopt: ["model", "typescript", "configuration", "folder", "accept"],
  cli: [
    // version.ts and bundles.ts stand at the top: the bundle finds its files from the same depth.
    ...[
      "embedded",
      "run-script",
      "version",
      "bundles",
      "terminal",
      "outputs",
      "arguments",
      "printing",
      "html",
      "difference",
      "drift",
      "stacks",
      "policy",
      "document",
      "views",
      "reports",
      "history",
      "run",
      "approval",
      "ci",
      "commands",
    ],
  ],
};

const inside = (room) => `^src/${room}(/|\\.ts$)`;

const downOnly = Object.entries(ROOMS).map(([room, below]) => ({
  name: `${room}-looks-down-only`,
  severity: "error",
  from: { path: inside(room) },
  to: { path: "^src/", pathNot: [room, ...below].map(inside) },
}));

const oneDoor = Object.keys(ROOMS).map((room) => ({
  name: `${room}-has-one-door`,
  comment: "Other rooms import its index alone.",
  severity: "error",
  from: { path: "^src/", pathNot: inside(room) },
  to: {
    path: inside(room),
    pathNot: `^src/${room}/index\\.ts$`,
  },
}));

const innerDownOnly = Object.entries(INNER_ROOMS).flatMap(([room, inner]) =>
  inner.map((name, at) => ({
    name: `${room}-${name}-looks-down-only`,
    severity: "error",
    from: { path: inside(`${room}/${name}`) },
    to: { path: inside(room), pathNot: inner.slice(0, at + 1).map((below) => inside(`${room}/${below}`)) },
  })),
);

module.exports = {
  forbidden: [
    ...downOnly,
    ...oneDoor,
    ...innerDownOnly,
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
      // protobufjs and fflate are parts of the bundles: see scripts/bundle-command.js.
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
