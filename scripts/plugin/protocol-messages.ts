import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  common,
  type Field,
  MapField,
  type Method,
  parse,
  type ReflectionObject,
  Service,
  Type,
} from "protobufjs";
import type { Generator } from "../generate/generated-files";

const PLACE = "src/plugin/messages/generated";
const SOURCES = path.join(__dirname, "..", "..", "src", "plugin", "proto");

/**
 * Generates the TypeScript of the plugin protocols: the types of messages, the code that reads and writes them, and the
 * services.
 */
export const protocolMessages = (): Generator => ({
  place: PLACE,
  generate: async () =>
    new Map(
      ["tfplugin6", "go-plugin", "health"].map((name) => [
        `${PLACE}/${name}.ts`,
        formatted(protocolSource(`${name}.proto`, readFileSync(path.join(SOURCES, `${name}.proto`), "utf8"))),
      ]),
    ),
});

/** Formats a source, because the formatter checks generated files too. */
function formatted(source: string): string {
  const biome = require.resolve("@biomejs/biome/bin/biome");
  return execFileSync(process.execPath, [biome, "format", "--stdin-file-path=messages.ts"], {
    input: source,
    encoding: "utf8",
  });
}

/** Returns the TypeScript for one .proto file. */
function protocolSource(name: string, proto: string): string {
  const { root, package: packageName = "", imports = [] } = parse(proto, { alternateCommentMode: true });
  for (const file of imports) root.addJSON(common.get(file)!.nested!);
  root.resolveAll();
  const imported = imports.flatMap((file) => within(root.lookup(packageOf(file))!));
  const declared = [...imported, ...within(root.lookup(packageName)!)];
  const types = declared.filter((one) => one instanceof Type).filter((type) => !isNamespace(type));
  const services = declared.filter((one) => one instanceof Service);
  return [
    ...licenceOf(proto),
    `// Made from src/plugin/proto/${name} by scripts/generate.ts. Change that file.`,
    'import { Message, method } from "../codec";',
    "",
    ...types.flatMap((type) => [typeSource(type), messageSource(type)]),
    ...(isSpoken(packageName) ? messagesSource(types) : []),
    ...services.flatMap(serviceSource),
    "",
  ].join("\n");
}

/**
 * Returns the lines with copyright and licence. The licence also applies to files that are generated from the .proto
 * file.
 */
const licenceOf = (proto: string): string[] => proto.match(/^\/\/ (Copyright|SPDX-).*$/gm) ?? [];

/** Returns the package of an imported file: `google.protobuf` for `google/protobuf/timestamp.proto`. */
const packageOf = (file: string): string => path.posix.dirname(file).replaceAll("/", ".");

/**
 * Returns all declarations inside another declaration. The declarations are sorted by name, so that a move within the
 * .proto file changes nothing.
 */
function within(one: ReflectionObject): ReflectionObject[] {
  const nested = "nestedArray" in one ? (one.nestedArray as ReflectionObject[]) : [];
  return nested.flatMap((each) => [each, ...within(each)]).sort((a, b) => (a.fullName < b.fullName ? -1 : 1));
}

/**
 * Returns true for a message that has no fields and contains only other messages, such as the request and response of a
 * call.
 */
const isNamespace = ({ fieldsArray, nestedArray }: Type): boolean =>
  fieldsArray.length === 0 && nestedArray.length > 0;

/**
 * Returns the name in the protocol without the package, such as `GetMetadata.Request`. The parts of a package's name
 * begin with a small letter.
 */
const nameInProtocol = ({ fullName }: ReflectionObject): string => fullName.replace(/^\.([a-z]\w*\.)*/, "");
/** Returns the name in TypeScript. The name must not hide a global such as `Function`. */
function nameOf(one: ReflectionObject): string {
  const name = nameInProtocol(one).replaceAll(".", "");
  return name in globalThis ? `${name}Message` : name;
}

const quoted = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

function typeSource(type: Type): string {
  if (type.fieldsArray.length === 0) return `type ${nameOf(type)} = Readonly<Record<string, never>>;`;
  const fields = type.fieldsArray.map((field) => `  readonly ${field.name}: ${typeScriptOf(field)};`);
  return [`interface ${nameOf(type)} {`, ...fields, "}"].join("\n");
}

/**
 * Returns true for the provider's protocol. Only the messages of this protocol are exported by name. No names are
 * exported for the services that every plugin has.
 */
const isSpoken = (packageName: string): boolean => packageName === "tfplugin6";

const messagesSource = (types: readonly Type[]): string[] => [
  "/** The messages by their names in the protocol. */",
  "export interface Messages {",
  ...types.map((type) => `  readonly ${quoted(nameInProtocol(type))}: ${nameOf(type)};`),
  "}",
];

const SCALARS: Readonly<Record<string, string>> = {
  string: "string",
  bool: "boolean",
  bytes: "Uint8Array",
  int32: "number",
  int64: "number",
  uint32: "number",
};

function typeScriptOf(field: Field): string {
  const names = enumNames(field);
  const single = field.resolvedType instanceof Type ? nameOf(field.resolvedType) : SCALARS[field.type];
  const element = names?.map((name) => JSON.stringify(name)).join(" | ") ?? single;
  if (element === undefined)
    throw new Error(`${field.fullName}: ${field.type} is not known to the generator.`);
  if (field instanceof MapField) return `Readonly<Record<string, ${element}>>`;
  if (field.repeated) return `readonly ${names === undefined ? element : `(${element})`}[]`;
  return ruleOf(field) === "optional" || field.resolvedType instanceof Type
    ? `${element} | undefined`
    : element;
}

const messageSource = (type: Type): string =>
  `const ${nameOf(type)}: Message<${nameOf(type)}> = new Message(() => [${type.fieldsArray.map(fieldSource).join(", ")}]);\n`;

function wireTypeSource(field: Field): string {
  if (field.resolvedType instanceof Type) return nameOf(field.resolvedType);
  const names = enumNames(field);
  if (names === undefined) return JSON.stringify(field.type);
  return `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;
}

function fieldSource(field: Field): string {
  const type = wireTypeSource(field);
  const rule = ruleOf(field);
  return `[${JSON.stringify(field.name)}, ${field.id}, ${type}${rule === "single" ? "" : `, "${rule}"`}]`;
}

function ruleOf(field: Field): "single" | "optional" | "repeated" | "map" {
  if (field instanceof MapField) return "map";
  if (field.repeated) return "repeated";
  return field.partOf === null ? "single" : "optional";
}

/** Returns the names of an enum in the order of their numbers. The numbers must go from 0 upwards without gaps. */
function enumNames({ resolvedType, fullName }: Field): string[] | undefined {
  if (resolvedType === null || resolvedType instanceof Type) return undefined;
  const names = Object.entries(resolvedType.values).sort(([, one], [, other]) => one - other);
  if (names.some(([, number], index) => number !== index)) throw new Error(`${fullName}: the enum has gaps.`);
  return names.map(([name]) => name);
}

function serviceSource(service: Service): string[] {
  const methods = service.methodsArray.map((method) => {
    const { name, resolvedRequestType, resolvedResponseType } = method;
    const messages = `${nameOf(resolvedRequestType!)}, ${nameOf(resolvedResponseType!)}`;
    return `${name}: method("${kindOf(method)}", "/${service.fullName.slice(1)}/${name}", ${messages}),`;
  });
  return ["", `export const ${constantName(service.name)} = {`, ...methods, "};"];
}

/** Returns the kind of a method, in the words of `src/plugin/messages/codec.ts`. */
function kindOf({ requestStream = false, responseStream = false }: Method): string {
  if (requestStream) return responseStream ? "bidirectional-streaming" : "client-streaming";
  return responseStream ? "server-streaming" : "unary";
}

/** Returns the name of a constant: `GRPC_BROKER_SERVICE` for `GRPCBroker`. */
const constantName = (name: string): string =>
  `${name.replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3_$2$4").toUpperCase()}_SERVICE`;
