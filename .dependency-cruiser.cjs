// The rules of the house: arrows run down only, and the rooms apart stay apart.
const inside = (room) => `^src/${room}(/|\\.ts$)`;
const only = (room, comment, ...allowed) => ({
  name: `${room.replace(/\//g, "-")}-looks-down-only`,
  comment,
  severity: "error",
  from: { path: inside(room) },
  to: { path: "^src/", pathNot: [inside(room), ...allowed.map(inside)] },
});

module.exports = {
  forbidden: [
    only("text", "What is safe to print is for every room to know, and knows none."),
    only("json", "How JSON and YAML are read is for every room to know, and knows none."),
    only("diagnostics", "The ground floor knows nobody but how text is written.", "text"),
    only(
      "http",
      "HTTP knows no service: neither this API nor a storage of states.",
      "diagnostics",
      "json",
      "text",
    ),
    {
      name: "http-has-one-door",
      comment: "The rooms above take HTTP from its index alone.",
      severity: "error",
      from: { path: "^src/", pathNot: inside("http") },
      to: { path: inside("http"), pathNot: "^src/http/index\\.ts$" },
    },
    only("transport", "gRPC knows nothing of what is called by it, such as Terraform's plugin protocol."),
    only("files", "Knows files and processes, and nothing of what they hold."),
    only("api", "Floor 1 knows nothing of Terraform.", "http", "files", "diagnostics", "text"),
    only("provider/schema", "The schema room knows no resource and no API.", "diagnostics", "text"),
    only("provider", "Floor 2 stands on the API.", "api", "diagnostics", "json", "text"),
    only(
      "plugin",
      "A host sees the provider's interface alone, and Terraform through the transport.",
      "provider/schema",
      "provider/protocol",
      "transport",
      "diagnostics",
      "json",
      "text",
    ),
    only(
      "engine",
      "A host sees the provider's interface alone; a state may be kept over HTTP.",
      "provider/schema",
      "provider/protocol",
      "http",
      "files",
      "diagnostics",
      "json",
      "text",
    ),
    only(
      "service",
      "It shares no code with the client: a mistake in one must not hide in the other. Opening files, how deep a text may nest and printing are no such code.",
      "files",
      "json",
      "text",
    ),
    only("constructs", "What users import depends on cdktf and constructs alone."),
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-undeclared-packages",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown", "undetermined"] },
    },
    {
      name: "no-development-packages-in-src",
      severity: "error",
      from: { path: "^src/", pathNot: inside("constructs") },
      // protobufjs is a part of the bundles: see scripts/bundle-command.js.
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["npm-peer"],
        pathNot: "node_modules/@?protobufjs/",
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
