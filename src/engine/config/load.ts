import {
  bodies,
  constructOf,
  type JsonObject,
  labelled,
  malformed,
  type Place,
  parseAttribute,
  parseDependsOn,
  parseType,
} from "./blocks";
import { readConfigurationFiles } from "./files";
import { loadLifecycle } from "./lifecycle";
import { loadAdjustments } from "./load-adjustments";
import type { Backend, Body, Configuration, ResourceDeclaration, VariableDeclaration } from "./model";
import { refuseUnsupported, refuseUnsupportedInResource } from "./unsupported";

/** What a resource's body says to the engine and not to the provider. */
const META_ARGUMENTS = new Set([
  "//",
  "depends_on",
  "count",
  "for_each",
  "provider",
  "lifecycle",
  "provisioner",
  "connection",
]);

type Mutable<T> = {
  -readonly [K in keyof T]: T[K] extends ReadonlyMap<infer A, infer B>
    ? Map<A, B>
    : T[K] extends readonly (infer E)[]
      ? E[]
      : T[K];
};

/**
 * Loads a configuration in Terraform's JSON syntax from a folder or a file. Parses all expressions, evaluates none.
 * Fails with diagnostics that name what is malformed, and what the embedded engine does not do.
 */
export function loadConfiguration(place: string): Configuration {
  const { folder, files } = readConfigurationFiles(place);
  const configuration: Mutable<Configuration> = {
    folder,
    files,
    requiredProviders: new Map(),
    backend: undefined,
    providers: new Map(),
    variables: new Map(),
    locals: new Map(),
    outputs: new Map(),
    resources: new Map(),
    imports: [],
    moves: [],
    removals: new Map(),
  };
  for (const { file, json } of files) {
    refuseUnsupported(json, file);
    loadTerraform(configuration, json);
    loadProviders(configuration, json);
    loadValues(configuration, json);
    loadResources(configuration, json, "managed");
    loadResources(configuration, json, "data");
    loadAdjustments(configuration, json);
  }
  return configuration;
}

function loadTerraform(configuration: Mutable<Configuration>, json: JsonObject): void {
  for (const body of bodies(json["terraform"], "terraform")) {
    for (const required of bodies(body["required_providers"], "required_providers")) {
      for (const [name, value] of Object.entries(required)) {
        const source =
          typeof value === "object" && value !== null ? (value as JsonObject)["source"] : undefined;
        configuration.requiredProviders.set(name, typeof source === "string" ? source : `hashicorp/${name}`);
      }
    }
    for (const { labels, body: config } of labelled(body["backend"], "backend", 1)) {
      configuration.backend = { type: labels[0]!, config } satisfies Backend;
    }
    // Another place for the state, though not written as a backend.
    for (const config of bodies(body["cloud"], "cloud")) configuration.backend = { type: "cloud", config };
  }
}

function loadProviders({ providers }: Mutable<Configuration>, json: JsonObject): void {
  for (const { labels, body } of labelled(json["provider"], "provider", 1)) {
    const [name] = labels as [string];
    const { alias } = body;
    const key = typeof alias === "string" ? `${name}.${alias}` : name;
    if (providers.has(key))
      malformed(`provider.${key}`, "it is configured twice; give one of the two an alias");
    const place = { address: `provider.${key}`, construct: constructOf(body) };
    providers.set(key, {
      name,
      alias: typeof alias === "string" ? alias : undefined,
      body: parseBody(body, place, new Set(["//", "alias", "version"])),
      construct: place.construct,
    });
  }
}

function loadValues(configuration: Mutable<Configuration>, json: JsonObject): void {
  for (const { labels, body } of labelled(json["variable"], "variable", 1)) {
    configuration.variables.set(labels[0]!, loadVariable(labels[0]!, body));
  }
  for (const body of bodies(json["locals"], "locals")) {
    for (const [name, value] of Object.entries(body)) {
      if (name === "//") continue;
      configuration.locals.set(
        name,
        parseAttribute(value, { address: `local.${name}`, construct: undefined }, []),
      );
    }
  }
  for (const { labels, body } of labelled(json["output"], "output", 1)) {
    const [name] = labels as [string];
    const place = { address: `output.${name}`, construct: constructOf(body) };
    if (body["value"] === undefined) malformed(place.address, "it has no value");
    configuration.outputs.set(name, {
      name,
      value: parseAttribute(body["value"], place, ["value"]),
      sensitive: body["sensitive"] === true,
      dependsOn: parseDependsOn(body["depends_on"], place),
      construct: place.construct,
    });
  }
}

function loadVariable(name: string, body: JsonObject): VariableDeclaration {
  const place = { address: `var.${name}`, construct: constructOf(body) };
  const { type } = body;
  if (type !== undefined && typeof type !== "string") malformed(place.address, "its type is not a text");
  return {
    name,
    constraint: parseType(type ?? "any", place),
    type: type ?? "any",
    // A default is a constant: its strings are texts and not templates.
    default:
      body["default"] === undefined
        ? undefined
        : parseAttribute(escapeTemplates(body["default"]), place, ["default"]),
    sensitive: body["sensitive"] === true,
    nullable: body["nullable"] !== false,
  };
}

function escapeTemplates(json: unknown): unknown {
  if (typeof json === "string") return json.replace(/[$%](?=\{)/g, (sign) => sign + sign);
  if (Array.isArray(json)) return json.map(escapeTemplates);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, escapeTemplates(value)]));
}

function loadResources(
  { resources }: Mutable<Configuration>,
  json: JsonObject,
  mode: "managed" | "data",
): void {
  const keyword = mode === "managed" ? "resource" : "data";
  for (const { labels, body } of labelled(json[keyword], keyword, 2)) {
    const declaration = loadResource(mode, labels as [string, string], body);
    if (resources.has(declaration.address))
      malformed(declaration.address, "it is declared twice; give one another name");
    resources.set(declaration.address, declaration);
  }
}

function loadResource(
  mode: "managed" | "data",
  [type, name]: [string, string],
  body: JsonObject,
): ResourceDeclaration {
  const address = `${mode === "data" ? "data." : ""}${type}.${name}`;
  const place = { address, construct: constructOf(body) };
  if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)) {
    malformed(
      address,
      "a name begins with a letter or an underscore, and goes on with letters, digits, underscores and dashes",
    );
  }
  refuseUnsupportedInResource(body, place);
  const { provider } = body;
  if (provider !== undefined && typeof provider !== "string")
    malformed(`${address}.provider`, "it is not a text");
  const expression = (argument: string) =>
    body[argument] === undefined ? undefined : parseAttribute(body[argument], place, [argument]);
  return {
    mode,
    type,
    name,
    address,
    provider: provider === undefined ? type.split("_")[0]! : provider.replace(/^\$\{(.*)\}$/, "$1"),
    body: parseBody(body, place, META_ARGUMENTS),
    dependsOn: parseDependsOn(body["depends_on"], place),
    count: expression("count"),
    forEach: expression("for_each"),
    lifecycle: loadLifecycle(mode, body, place),
    construct: place.construct,
  };
}

const parseBody = (body: JsonObject, place: Place, without: ReadonlySet<string>): Body =>
  new Map(
    Object.entries(body)
      .filter(([name]) => !without.has(name))
      .map(([name, value]) => [name, parseAttribute(value, place, [name])]),
  );
