import path from "node:path";
import { DiagnosticError, fail, nearest } from "../../diagnostics";
import { JsonNumber, parseJson } from "../../json";
import { parseTypeConstraint, references } from "../syntax";
import { referencedDeclaration } from "../syntax/references";
import {
  type BlockLocation,
  bodies,
  checkName,
  constructOf,
  declare,
  flag,
  type JsonObject,
  loadEach,
  loadLabelled,
  malformed,
  parseAttribute,
  parseDependsOn,
  problemsOf,
  refuseUnknownArguments,
  withLocation,
} from "./blocks";
import { type ConfigurationFile, readConfigurationFiles } from "./files";
import { loadImports, loadMoves, loadRemovals } from "./load-adjustments";
import { loadConditions } from "./load-lifecycle";
import { loadResource, parseBody } from "./load-resource";
import { loadTerraform } from "./load-terraform";
import {
  type Condition,
  type Configuration,
  fleetDeclaration,
  type Loading,
  type OutputDeclaration,
  type VariableDeclaration,
} from "./model";
import { refuseUnsupported, UNSUPPORTED, unsupportedFeature } from "./unsupported";

/** The arguments that are not allowed in a data source within a check. */
const NOT_NESTED = ["count", "for_each", "lifecycle"];

/**
 * Loads the `check` blocks of one file. The data source in a check becomes an entry of `resources` with the address of the check.
 */
const loadChecks = ({ checks, resources }: Loading, block: unknown): void =>
  loadLabelled(block, "check", 1, ([name = ""], body) => {
    const place = { address: `check.${name}`, construct: constructOf(body) };
    checkName(name, place.address);
    refuseUnknownArguments(body, ["data", "assert", "depends_on"], place.address);
    const asserts = loadConditions(body, "assert", place);
    if (asserts.length === 0) malformed(place.address, "it has no assert block");
    let data: string | undefined;
    loadLabelled(body["data"], `${place.address}.data`, 2, ([type = "", inner = ""], block) => {
      if (data !== undefined) malformed(place.address, "it has more than one data block");
      const nested = loadResource("data", type, inner, block, place.address);
      for (const argument of NOT_NESTED)
        if (block[argument] !== undefined)
          malformed(nested.address, `a data source within a check can't have ${argument}`);
      declare(resources, nested.address, nested.address, nested);
      data = nested.address;
    });
    declare(checks, name, place.address, { ...place, data, asserts });
  });

/**
 * Returns the configuration in Terraform's JSON syntax from a folder or a file. All expressions are parsed, and none is
 * evaluated.
 * @throws DiagnosticError with all invalid and unsupported parts
 */
export function loadConfiguration(place: string): Configuration {
  const { folder, files } = readConfigurationFiles(place);
  return load(folder, files);
}

/**
 * Returns the configuration in an object that has the content of a file in Terraform's JSON syntax.
 *
 * @param folder the base folder of relative paths, and the default folder of the state
 */
export function configurationFrom(json: Readonly<Record<string, unknown>>, folder: string): Configuration {
  // The conversion to JSON text and back has two effects: numbers are read as in a file, and values that JSON can't represent are
  // dropped.
  const copy = parseJson(JSON.stringify(json)) as JsonObject;
  return load(folder, [{ file: path.join(folder, "(configuration)"), json: copy }]);
}

function load(folder: string, files: ConfigurationFile[]): Configuration {
  const loading: Loading = {
    requiredProviders: new Map(),
    providerVersions: new Map(),
    backend: undefined,
    comments: [],
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
    ...problemsOf(() => checkBlocks(Object.keys(json), file)),
    ...Object.entries(LOADERS).flatMap(([keyword, loadBlock]) =>
      problemsOf(() => loadBlock(loading, json[keyword])),
    ),
  ]);
  if (problems.length > 0) throw new DiagnosticError(problems);
  return { folder, files, ...loading };
}

/** Throws errors about unknown keywords: blocks that the engine does not support, and blocks that Terraform does not have. */
const checkBlocks = (keywords: readonly string[], file: string): void =>
  loadEach(keywords, (keyword) => {
    if (Object.hasOwn(LOADERS, keyword)) return;
    const program = UNSUPPORTED.file.get(keyword);
    if (program !== undefined) unsupportedFeature(`The block "${keyword}" in ${file}`, { program });
    const blocks = Object.keys(LOADERS).filter((one) => one !== "//");
    const close = nearest(keyword, blocks);
    fail({
      code: "configuration_invalid",
      summary: "Invalid configuration",
      detail:
        `${file} has a block "${keyword}", which is not part of Terraform's JSON syntax.` +
        (close === undefined ? "" : ` Did you mean "${close}"?`),
    });
  });

const loadProviders = ({ providers }: Loading, block: unknown): void =>
  loadLabelled(block, "provider", 1, ([name = ""], body) => {
    const alias = typeof body["alias"] === "string" ? body["alias"] : undefined;
    const key = alias === undefined ? name : `${name}.${alias}`;
    if (providers.has(key))
      malformed(`provider.${key}`, "it is configured twice; set an alias on one of them");
    const place = { address: `provider.${key}`, construct: constructOf(body) };
    checkName(name, place.address);
    refuseUnsupported(Object.keys(body), "provider", place.address, place);
    const attributes = parseBody(body, place, new Set(["//", "alias", "version"]));
    providers.set(key, { name, alias, body: attributes, construct: place.construct });
  });

const loadResources =
  (keyword: "resource" | "data") =>
  ({ resources }: Loading, block: unknown): void =>
    loadLabelled(block, keyword, 2, ([type = "", name = ""], body) => {
      const declaration = loadResource(keyword === "data" ? "data" : "managed", type, name, body);
      declare(resources, declaration.address, declaration.address, declaration);
    });

/** Loads the variables of one file. */
const loadVariables = ({ variables }: Loading, block: unknown): void =>
  loadLabelled(block, "variable", 1, ([name = ""], body) =>
    add(variables, "var", name, loadVariable(name, body)),
  );

/** Loads the locals of one file. */
function loadLocals({ locals }: Loading, block: unknown): void {
  const all = bodies(block, "locals").flatMap((body) => Object.entries(body));
  loadEach(all, ([name, value]) => {
    if (name === "//") return;
    add(locals, "local", name, parseAttribute(value, { address: `local.${name}`, construct: undefined }, []));
  });
}

/** Loads the outputs of one file. */
const loadOutputs = ({ outputs }: Loading, block: unknown): void =>
  loadLabelled(block, "output", 1, ([name = ""], body) =>
    add(outputs, "output", name, loadOutput(name, body)),
  );

function add<T>(all: Map<string, T>, kind: string, name: string, one: T): void {
  checkName(name, `${kind}.${name}`);
  declare(all, name, `${kind}.${name}`, one);
}

/** The meta-arguments of module calls, which are not allowed as names of variables. */
const RESERVED = ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];

function loadVariable(name: string, body: JsonObject): VariableDeclaration {
  const place = { address: `var.${name}`, construct: constructOf(body) };
  refuseUnknownArguments(
    body,
    ["type", "default", "description", "sensitive", "ephemeral", "nullable", "validation"],
    place.address,
    "variable",
  );
  if (RESERVED.includes(name)) malformed(place.address, "the name is reserved; choose another");
  const { type } = body;
  if (type !== undefined && typeof type !== "string") malformed(place.address, "its type must be a text");
  return {
    name,
    constraint: withLocation(place, ["type"], () => parseTypeConstraint(type ?? "any")),
    type,
    // A default must be constant, so `${` in its texts is escaped and starts no template.
    default:
      body["default"] === undefined
        ? undefined
        : parseAttribute(escapeTemplates(body["default"]), place, ["default"]),
    sensitive: flag(body, "sensitive", place.address, false),
    ephemeral: flag(body, "ephemeral", place.address, false),
    nullable: flag(body, "nullable", place.address, true),
    validations: loadValidations(name, body, place),
    construct: place.construct,
  };
}

function loadValidations(name: string, body: JsonObject, place: BlockLocation): Condition[] {
  const validations = loadConditions(body, "validation", place);
  const stray = validations.find(
    ({ condition }) =>
      !references(condition).some((one) => referencedDeclaration(one).address === place.address),
  );
  if (stray !== undefined)
    malformed(
      place.address,
      `the condition of a validation must refer to var.${name}, whose value it checks`,
    );
  return validations;
}

function escapeTemplates(json: unknown): unknown {
  if (typeof json === "string") return json.replace(/[$%](?=\{)/g, (sign) => sign + sign);
  if (Array.isArray(json)) return json.map(escapeTemplates);
  if (typeof json !== "object" || json === null || json instanceof JsonNumber) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, escapeTemplates(value)]));
}

function loadOutput(name: string, body: JsonObject): OutputDeclaration {
  const place: BlockLocation = { address: `output.${name}`, construct: constructOf(body) };
  refuseUnknownArguments(
    body,
    ["value", "description", "sensitive", "ephemeral", "depends_on", "precondition"],
    place.address,
    "output",
  );
  if (body["value"] === undefined) malformed(place.address, "it has no value");
  if (flag(body, "ephemeral", place.address, false))
    malformed(
      place.address,
      "an output of the root module can't be ephemeral; its value is stored in the state",
    );
  return {
    name,
    value: parseAttribute(body["value"], place, ["value"]),
    sensitive: flag(body, "sensitive", place.address, false),
    dependsOn: parseDependsOn(body["depends_on"], place),
    preconditions: loadConditions(body, "precondition", place),
    construct: place.construct,
  };
}

/** Loads the fleets from the metadata of a stack. The construct of each fleet wrote the fleet into this metadata. */
function loadFleets({ fleets, locals, outputs, checks }: Loading, comment: unknown): void {
  const { metadata } = Object(comment) as { metadata?: { fleets?: object } };
  for (const [name, noted] of Object.entries(metadata?.fleets ?? {})) {
    const { data } = fleetDeclaration.safeParse(noted);
    if (data === undefined) malformed(`The fleet ${name}`, "its metadata is damaged; run synth again");
    fleets.set(name, data);
    for (const own of data.selector_checks ?? []) {
      locals.delete(own);
      outputs.delete(own);
      checks.delete(own);
    }
  }
}

/** The loaders for the blocks of one file, by keyword, in the order in which they run. */
const LOADERS: Readonly<Record<string, (loading: Loading, block: unknown) => void>> = {
  terraform: loadTerraform,
  provider: loadProviders,
  variable: loadVariables,
  locals: loadLocals,
  output: loadOutputs,
  resource: loadResources("resource"),
  data: loadResources("data"),
  check: loadChecks,
  import: ({ imports }, block) => loadImports(imports, block),
  moved: ({ moves }, block) => loadMoves(moves, block),
  removed: ({ removals }, block) => loadRemovals(removals, block),
  // The fleets must be loaded last, because they remove local values, outputs and checks that other loaders have added.
  "//": (loading, comment) => {
    if (comment !== undefined) loading.comments.push(comment);
    loadFleets(loading, comment);
  },
};
