import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Pair,
  type ParsedNode,
  Parser,
  parseAllDocuments,
  type Scalar,
} from "yaml";
import { isYamlTooDeep, MAX_YAML_DEPTH } from "../../../json";
import {
  bool,
  NULL,
  number,
  object,
  parseNum,
  STRING,
  string,
  tuple,
  typeName,
  type Value,
} from "../../values";
import { convertFor, FunctionError } from "./function";
import { decodeBase64 } from "./text-encoding";
import { formatTimestamp, readTimestamp } from "./timestamp";

const TIMESTAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(Z|[+-]\d\d:\d\d)| (\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/;

/** Returns the RFC 3339 text for a date or time in YAML; undefined for any other text. */
function resolveYamlTimestamp(source: string): string | undefined {
  const match = TIMESTAMP.exec(source);
  if (match === null) return undefined;
  // The groups 4 to 6 contain a time after a "T", and the groups 8 to 10 a time after a space.
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((group) =>
    (match[group] ?? match[group + 4] ?? "").padStart(2, "0"),
  );
  const read = readTimestamp(`${year}-${month}-${day}T${hour}:${minute}:${second}${match[7] ?? "Z"}`);
  return read && formatTimestamp(read);
}

/**
 * Returns the value of one YAML document. Words without quotes have the types that Terraform gives them. @throws FunctionError
 */
export function decodeYaml(text: string): Value {
  if (isYamlTooDeep({ Lexer, Parser }, text))
    throw new FunctionError(`it is nested more than ${MAX_YAML_DEPTH} levels deep`, 0);
  const documents = parseAllDocuments(text, {
    schema: "failsafe",
    resolveKnownTags: false,
    uniqueKeys: false,
    logLevel: "silent",
    stringKeys: false,
  });
  if (!Array.isArray(documents) || documents.length === 0) throw new FunctionError("there is no document", 0);
  const [document, second] = documents;
  const [problem] = documents.flatMap((one) => one.errors);
  if (problem !== undefined) throw new FunctionError(problem.message.split("\n")[0]!.replace(/:$/, ""), 0);
  if (second !== undefined) throw new FunctionError("there is more than one document", 0);
  checkDirectives(text);
  return document!.contents === null ? NULL : new Decoder().node(document!.contents as ParsedNode);
}

class Decoder {
  private readonly anchors = new Map<string, Value | undefined>();

  node(node: ParsedNode | null): Value {
    if (node === null) return NULL;
    if (isAlias(node)) return this.alias(node);
    const anchor = node.anchor;
    if (anchor !== undefined) this.anchors.set(anchor, undefined);
    const value = this.content(node);
    if (anchor !== undefined) this.anchors.set(anchor, value);
    return value;
  }

  private content(node: Exclude<ParsedNode, Alias.Parsed>): Value {
    if (isScalar(node)) return resolveScalar(node);
    if (isSeq(node)) {
      requireTag(node.tag, "seq");
      return tuple(node.items.map((item) => this.node(item as ParsedNode)));
    }
    if (!isMap(node))
      throw new FunctionError("it contains something that is neither text, list nor mapping", 0);
    requireTag(node.tag, "map");
    return this.mapping(node.items as Pair<ParsedNode, ParsedNode | null>[]);
  }

  private mapping(pairs: readonly Pair<ParsedNode, ParsedNode | null>[]): Value {
    const entries = new Map<string, Value>();
    for (const { key, value } of pairs) {
      if (isScalar(key) && key.source === "<<" && key.type === "PLAIN" && key.tag === undefined) {
        for (const [name, one] of this.merged(value)) entries.set(name, one);
      } else entries.set(this.key(key), this.node(value));
    }
    return object(entries);
  }

  private merged(node: ParsedNode | null): ReadonlyMap<string, Value> {
    const value = this.node(node);
    if (value.type.kind === "object") return value.entries;
    throw new FunctionError(`${typeName(value.type)} cannot be merged into a mapping`, 0);
  }

  private key(node: ParsedNode | null): string {
    if (node !== null && !isScalar(node)) throw new FunctionError("the keys of a mapping must be texts", 0);
    const key = convertFor(node === null ? NULL : resolveScalar(node), STRING, 0);
    if (key.isNull) throw new FunctionError("the key of a mapping is null", 0);
    return key.text;
  }

  private alias(node: Alias.Parsed): Value {
    const value = this.anchors.get(node.source);
    if (value !== undefined) return value;
    const why = this.anchors.has(node.source) ? "is used inside itself" : "is not defined";
    throw new FunctionError(`the anchor "${node.source}" ${why}`, 0);
  }
}

const STANDARD = "tag:yaml.org,2002:";

function requireTag(tag: string | undefined, wanted: string): void {
  if (tag === undefined || tag === STANDARD + wanted) return;
  throw new FunctionError(`the tag "${tag}" does not fit`, 0);
}

/** The patterns of words without quotes that are not texts, with the values of these words. */
const WORDS: readonly (readonly [RegExp, Value])[] = [
  [/^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/, bool(true)],
  [/^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/, bool(false)],
  [/^(?:~|null|Null|NULL)?$/, NULL],
  [/^\+?\.(?:inf|Inf|INF)$/, number(Infinity)],
  [/^-\.(?:inf|Inf|INF)$/, number(-Infinity)],
];

const NAN = /^\.(?:nan|NaN|NAN)$/;
const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function resolveScalar(node: Scalar.Parsed): Value {
  const source = String(node.value ?? "");
  const tag = node.tag?.startsWith(STANDARD) ? node.tag.slice(STANDARD.length) : node.tag;
  if (tag !== undefined) return resolveTagged(source, tag, node.type?.startsWith("QUOTE_") === true);
  return node.type === "PLAIN" ? resolvePlain(source) : string(source);
}

function resolvePlain(source: string): Value {
  const word = WORDS.find(([pattern]) => pattern.test(source));
  if (word !== undefined) return word[1];
  if (NAN.test(source)) throw new FunctionError("the value .nan is not supported", 0);
  const timestamp = resolveYamlTimestamp(source);
  if (timestamp !== undefined) return string(timestamp);
  const isNumber = INTEGER.test(source) || FLOAT.test(source);
  return isNumber ? toNumber(source) : string(source);
}

function toNumber(source: string): Value {
  const parsed = parseNum(source) ?? (/^0[xo]/.test(source) ? Number(source) : undefined);
  if (parsed === undefined) throw new FunctionError(`"${source}" is not a number`, 0);
  return number(parsed);
}

function resolveTagged(source: string, tag: string, isQuoted: boolean): Value {
  const read = TAGGED.get(tag)?.(source, isQuoted);
  if (read === undefined) throw new FunctionError(`"${source}" does not fit the tag "${tag}"`, 0);
  return read;
}

/** Returns the value of a scalar with a tag; undefined if the tag does not fit the scalar. */
type TaggedReader = (source: string, isQuoted: boolean) => Value | undefined;

/** Returns a reader that accepts words of one type, and null. A text in quotes stays a text. */
const ofKind =
  (kind: string): TaggedReader =>
  (source, isQuoted) => {
    if (isQuoted) return string(source);
    const value = resolvePlain(source);
    return value.isNull || value.type.kind === kind ? value : undefined;
  };

const ofNumber: TaggedReader = (source, isQuoted) => {
  const word = source.replaceAll("_", "");
  return ofKind("number")(isQuoted ? source : word, isQuoted) ?? toNumber(word);
};

const ofTimestamp: TaggedReader = (source, isQuoted) => {
  if (isQuoted) return string(source);
  return resolveYamlTimestamp(source) === undefined ? undefined : resolvePlain(source);
};

/** Checks that a text is valid base64, and returns the text unchanged, as Terraform does. */
const ofBase64: TaggedReader = (source) => {
  decodeBase64(source);
  return string(source);
};

const TAGGED: ReadonlyMap<string, TaggedReader> = new Map([
  ["str", string],
  ["binary", ofBase64],
  ["bool", ofKind("bool")],
  ["int", ofNumber],
  ["float", ofNumber],
  ["null", () => NULL],
  ["timestamp", ofTimestamp],
]);

const DIRECTIVE = /^%([A-Za-z0-9_-]*)\s*(\S*)/;

/**
 * Throws an error for directives that Terraform refuses: a YAML version other than 1.1, an unknown name, and a repeated
 * directive.
 * @throws FunctionError
 */
function checkDirectives(text: string): void {
  if (!/^%/m.test(text)) return;
  const seen = new Set<string>();
  for (const token of new Parser().parse(text)) {
    if (token.type !== "directive") continue;
    const [, name = "", value = ""] = DIRECTIVE.exec(token.source) ?? [];
    if (name === "YAML" && value !== "1.1")
      throw new FunctionError(`the version of YAML is ${value}, not 1.1`, 0);
    if (name !== "YAML" && name !== "TAG") throw new FunctionError(`the directive "%${name}" is unknown`, 0);
    const key = name === "TAG" ? `${name} ${value}` : name;
    if (seen.has(key)) throw new FunctionError(`the directive "%${key}" is given twice`, 0);
    seen.add(key);
  }
}
