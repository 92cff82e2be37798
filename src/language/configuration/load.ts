import path from "node:path";
import { DiagnosticError, fail, nearest } from "../../diagnostics";
import { parseJson } from "../../json";
import {
  checkName,
  constructOf,
  type JsonObject,
  labelled,
  loadEach,
  loadLabelled,
  malformed,
  problemsOf,
  refuseUnknownArguments,
} from "./blocks";
import { type ConfigurationFile, readConfigurationFiles } from "./files";
import { loadConditions } from "./lifecycle";
import { loadImports, loadMoves, loadRemovals } from "./load-adjustments";
import { loadResource, parseBody } from "./load-resource";
import { loadFleets, loadTerraform } from "./load-terraform";
import { loadLocals, loadOutputs, loadVariables } from "./load-values";
import type { CheckDeclaration, Configuration, ResourceDeclaration } from "./model";
import { refuseUnsupported, UNSUPPORTED, unsupportedFeature } from "./unsupported";

interface Checks {
  readonly checks: Map<string, CheckDeclaration>;
  readonly resources: Map<string, ResourceDeclaration>;
}

/** Arguments that a data source within a check can't have. */
const NOT_NESTED = ["count", "for_each", "lifecycle"];

/**
 * Loads the `check` blocks of one file. A data source within one is added to the other data sources, with a
 * reference to its check.
 */
function loadChecks(
  { checks, resources }: Checks,
  json: JsonObject,
  loadData: (labels: [string, string], body: JsonObject, check: string) => ResourceDeclaration,
): void {
  loadEach(labelled(json["check"], "check", 1), ({ labels, body }) => {
    const [name] = labels as [string];
    const place = { address: `check.${name}`, construct: constructOf(body) };
    checkName(name, place.address);
    refuseUnknownArguments(body, ["data", "assert", "depends_on"], place.address);
    if (checks.has(name)) malformed(place.address, "it is declared twice; rename one of them");
    const asserts = loadConditions(body, "assert", place);
    if (asserts.length === 0) malformed(place.address, "it has no assert block");
    const [data, duplicate] = [...labelled(body["data"], `${place.address}.data`, 2)];
    if (duplicate !== undefined) malformed(place.address, "it has more than one data block");
    const nested = data && loadData(data.labels as [string, string], data.body, place.address);
    if (data !== undefined && nested !== undefined) {
      for (const argument of NOT_NESTED)
        if (data.body[argument] !== undefined)
          malformed(nested.address, `a data source within a check can't have ${argument}`);
      if (resources.has(nested.address))
        malformed(nested.address, "it is declared twice; rename one of them");
      resources.set(nested.address, nested);
    }
    checks.set(name, { ...place, data: nested?.address, asserts });
  });
}

type Mutable<T> = {
  -readonly [K in keyof T]: T[K] extends ReadonlyMap<infer A, infer B>
    ? Map<A, B>
    : T[K] extends readonly (infer E)[]
      ? E[]
      : T[K];
};

/**
 * Loads a configuration in Terraform's JSON syntax from a folder or a file. Parses all expressions and
 * evaluates none. Throws diagnostics for invalid and unsupported parts.
 */
export function loadConfiguration(place: string): Configuration {
  const { folder, files } = readConfigurationFiles(place);
  return load(folder, files);
}

/**
 * Loads a configuration that is given as an object, as a file in Terraform's JSON syntax would hold it.
 *
 * @param folder where relative paths begin, and where the state is by default
 */
export function configurationFrom(json: Readonly<Record<string, unknown>>, folder: string): Configuration {
  // Numbers of JavaScript become those of Terraform, and what JSON can't say is left out.
  const copy = parseJson(JSON.stringify(json)) as JsonObject;
  return load(folder, [{ file: path.join(folder, "(configuration)"), json: copy }]);
}

function load(folder: string, files: ConfigurationFile[]): Configuration {
  const configuration: Mutable<Configuration> = {
    folder,
    files,
    requiredProviders: new Map(),
    providerVersions: new Map(),
    backend: undefined,
    providers: new Map(),
    variables: new Map(),
    locals: new Map(),
    outputs: new Map(),
    resources: new Map(),
    checks: new Map(),
    imports: [],
    moves: [],
    fleets: new Map(),
    removals: new Map(),
  };
  const problems = files.flatMap(({ file, json }) => [
    ...problemsOf(() => checkBlocks(json, file)),
    ...problemsOf(() => loadTerraform(configuration, json)),
    ...problemsOf(() => loadProviders(configuration, json)),
    ...problemsOf(() => loadVariables(configuration, json)),
    ...problemsOf(() => loadLocals(configuration, json)),
    ...problemsOf(() => loadOutputs(configuration, json)),
    ...problemsOf(() => loadResources(configuration, json, "managed")),
    ...problemsOf(() => loadResources(configuration, json, "data")),
    ...problemsOf(() =>
      loadChecks(configuration, json, ([type, name], body, check) =>
        loadResource("data", type, name, body, check),
      ),
    ),
    ...problemsOf(() => loadImports(configuration, json)),
    ...problemsOf(() => loadMoves(configuration, json)),
    ...problemsOf(() => loadFleets(configuration, json)),
    ...problemsOf(() => loadRemovals(configuration, json)),
  ]);
  if (problems.length > 0) throw new DiagnosticError(problems);
  return configuration;
}

const BLOCKS = [
  ...[
    "terraform",
    "provider",
    "variable",
    "locals",
    "output",
    "resource",
    "data",
    "check",
    "import",
    "moved",
  ],
  "removed",
];

/** Refuses blocks that the engine or Terraform does not have. */
const checkBlocks = (json: JsonObject, file: string): void =>
  loadEach(Object.keys(json), (keyword) => {
    if (keyword === "//" || BLOCKS.includes(keyword)) return;
    const program = UNSUPPORTED.file[keyword as keyof typeof UNSUPPORTED.file];
    if (program !== undefined) unsupportedFeature(`The block "${keyword}" in ${file}`, { program });
    const close = nearest(keyword, BLOCKS);
    fail({
      code: "configuration_invalid",
      summary: "Invalid configuration",
      detail:
        `${file} has a block "${keyword}", which is not part of Terraform's JSON syntax.` +
        (close === undefined ? "" : ` Did you mean "${close}"?`),
    });
  });

function loadProviders({ providers }: Mutable<Configuration>, json: JsonObject): void {
  loadEach(labelled(json["provider"], "provider", 1), ({ labels, body }) => {
    const [name] = labels as [string];
    const { alias } = body;
    const key = typeof alias === "string" ? `${name}.${alias}` : name;
    if (providers.has(key))
      malformed(`provider.${key}`, "it is configured twice; set an alias on one of them");
    const place = { address: `provider.${key}`, construct: constructOf(body) };
    checkName(name, place.address);
    refuseUnsupported(Object.keys(body), "provider", place.address, place);
    providers.set(key, {
      name,
      alias: typeof alias === "string" ? alias : undefined,
      body: parseBody(body, place, new Set(["//", "alias", "version"])),
      construct: place.construct,
    });
  });
}

function loadResources(
  { resources }: Mutable<Configuration>,
  json: JsonObject,
  mode: "managed" | "data",
): void {
  const keyword = mode === "managed" ? "resource" : "data";
  loadLabelled(json[keyword], keyword, (type, name, body) => {
    const declaration = loadResource(mode, type, name, body);
    const { size } = resources;
    resources.set(declaration.address, declaration);
    if (resources.size === size) malformed(declaration.address, "it is declared twice; rename one of them");
  });
}
