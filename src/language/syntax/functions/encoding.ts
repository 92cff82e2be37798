import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { parseJson } from "../../../json";
import {
  BOOL,
  DYNAMIC,
  fromJsonDynamic,
  isSequence,
  list,
  NUMBER,
  object,
  objectOf,
  refine,
  STRING,
  string,
  type Type,
  unknown,
  type Value,
} from "../../values";
import type { Args } from "./definition";
import { FunctionError, type FunctionTable, fn, nullableFn, textFn } from "./function";
import { encodeJson } from "./json-encoding";
import { decodeBase64, decodeText, encodeText } from "./text-encoding";

/** Matches a field of a CSV text and the separator after the field. In a field with quotes, two quotes mean one quote. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/y;

/** Returns the records of comma-separated values (RFC 4180), each as a list of fields. Empty lines are skipped. */
function parseCsv(text: string): string[][] {
  const source = text.replaceAll("\r\n", "\n");
  const rows: string[][] = [];
  let row: string[] = [];
  let line = 1;
  for (let at = 0; at < source.length || row.length > 0; at = FIELD.lastIndex) {
    FIELD.lastIndex = at;
    const [, quoted, plain, separator] = FIELD.exec(source) ?? [];
    if (separator === undefined) throw new FunctionError(`on line ${line} ${csvFault(source, at)}`, 0);
    const isBlank = row.length === 0 && plain === "" && separator === "\n";
    if (!isBlank) row.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (separator === ",") continue;
    line += 1;
    if (row.length > 0) rows.push(row);
    row = [];
  }
  return rows;
}

/** Returns the reason why the text at a position is not a valid CSV field. */
function csvFault(source: string, at: number): string {
  if (source[at] !== '"') return "a field contains a quote, but does not start with one";
  const isClosed = /^"(?:[^"]|"")*"(?!")/.test(source.slice(at));
  return isClosed ? "a quote ends before the field does" : "a quote is not closed";
}

function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  throw new FunctionError("the decoded text is not UTF-8", 0);
}

const GZIP_HEADER = Buffer.from("1f8b08000000000000ff", "hex");
/** An empty block, which ends a compressed stream. */
const GZIP_END = Buffer.from("010000ffff", "hex");

/**
 * Returns a text in gzip format, byte for byte as Terraform compresses it. Terraform flushes the stream before the end, so the
 * last block is empty.
 */
function gzip(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([
    GZIP_HEADER,
    deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
    GZIP_END,
    // The last eight bytes of a gzip file contain its checksum and its length.
    gzipSync(bytes).subarray(-8),
  ]);
}

/** Returns a text encoded for the query of a URL. Spaces become "+". */
const encodeUrl = (text: string): string =>
  new URLSearchParams([["", text]]).toString().slice(1).replaceAll("*", "%2A").replaceAll("%7E", "~");

function decodeCsv([given]: Args): Value {
  const [header, ...rows] = parseCsv(given.text);
  if (header === undefined) throw new FunctionError("the line with the names of the columns is missing", 0);
  const repeated = header.find((name, index) => header.indexOf(name) !== index);
  if (repeated !== undefined) throw new FunctionError(`two columns are named "${repeated}"`, 0);
  const objects = rows.map((row, index) => {
    if (row.length !== header.length) {
      const fault = `row ${index + 1} has ${row.length} fields, the first line ${header.length}`;
      throw new FunctionError(fault, 0);
    }
    return object(new Map(header.map((name, column) => [name, string(row[column]!)])));
  });
  return list(objects, objectOf(new Map(header.map((name) => [name, STRING]))));
}

/** Returns the value of a JSON text. @throws FunctionError for the first argument */
function decodeJson(text: string): Value {
  try {
    return fromJsonDynamic(parseJson(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new FunctionError(error.message, 0);
    throw error;
  }
}

/**
 * Returns the type of the value in a JSON text. The first character of an unknown text can be known, and can determine the type.
 */
function jsonType([given]: Args): Type {
  if (given.isKnown) return DYNAMIC;
  const first = given.refinement.prefix.trim()[0];
  if (first === undefined || "{[n".includes(first)) return DYNAMIC;
  if (first === '"') return STRING;
  if (first === "t" || first === "f") return BOOL;
  if (/[-.\d]/.test(first)) return NUMBER;
  throw new FunctionError(`no JSON begins with ${JSON.stringify(first)}`, 0);
}

/**
 * Returns the first character in the JSON of each value of a type, except null; an empty text if the type does not determine it.
 */
function firstCharacter(type: Type): string {
  const { kind } = type;
  if (kind === "string") return '"';
  if (kind === "object" || kind === "map") return "{";
  return isSequence(type) ? "[" : "";
}

function toJson([value]: Args): Value {
  if (!value.hasUnknown) return string(encodeJson(value));
  if (!value.isNotNull) return unknown(STRING);
  return refine(unknown(STRING), { isNotNull: true, prefix: firstCharacter(value.type) });
}

const open = { type: DYNAMIC, canBeDynamic: true, canBeUnknown: true, canBeNull: true };
const text = { str: STRING };

const ENCODING_FUNCTIONS: FunctionTable = {
  base64decode: textFn("str", (given) => decodeUtf8(decodeBase64(given))),
  base64encode: textFn("str", (given) => Buffer.from(given, "utf8").toString("base64")),
  base64gzip: textFn("str", (given) => gzip(given).toString("base64")),
  csvdecode: fn(text, DYNAMIC, decodeCsv),
  jsondecode: nullableFn(text, jsonType, ([given]) => decodeJson(given.text)),
  jsonencode: fn({ val: open }, STRING, toJson),
  textdecodebase64: textFn("source encoding", (source, encoding) =>
    decodeText(decodeBase64(source), encoding),
  ),
  textencodebase64: textFn("string encoding", (given, encoding) =>
    encodeText(given, encoding).toString("base64"),
  ),
  urlencode: textFn("str", encodeUrl),
};

export = ENCODING_FUNCTIONS;
