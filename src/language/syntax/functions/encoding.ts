import { constants, deflateRawSync, gzipSync } from "node:zlib";
import {
  BOOL,
  DYNAMIC,
  isKnown,
  isNotNull,
  list,
  listOf,
  NUMBER,
  object,
  objectOf,
  refine,
  refinementOf,
  STRING,
  string,
  type Type,
  textOf,
  unknown,
  type Value,
} from "../../values";
import type { Args } from "./definition";
import { FunctionError, type FunctionTable, fn, nullableFn } from "./function";
import { decodeJson, encodeJson } from "./json-encoding";
import { decodeBase64, decodeText, encodeText } from "./text-encoding";

/** Reads comma-separated values (RFC 4180): quotes double inside quotes, blank lines do not count. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const reader = new CsvReader(text.replaceAll("\r\n", "\n"));
  for (let row = reader.row(); row !== undefined; row = reader.row()) rows.push(row);
  return rows;
}

class CsvReader {
  private position = 0;
  private line = 1;

  constructor(private readonly text: string) {}

  row(): string[] | undefined {
    while (this.text[this.position] === "\n") this.advance(1);
    if (this.position >= this.text.length) return undefined;
    const fields = [this.field()];
    while (this.text[this.position] === ",") {
      this.position += 1;
      fields.push(this.field());
    }
    this.advance(1);
    return fields;
  }

  private advance(count: number): void {
    this.position += count;
    this.line += 1;
  }

  private field(): string {
    if (this.text[this.position] === '"') return this.quoted();
    const start = this.position;
    while (this.position < this.text.length && !",\n".includes(this.text[this.position]!)) {
      if (this.text[this.position] === '"')
        throw this.error("a quote stands inside a field that does not begin with one");
      this.position += 1;
    }
    return this.text.slice(start, this.position);
  }

  private quoted(): string {
    let value = "";
    this.position += 1;
    for (;;) {
      const end = this.text.indexOf('"', this.position);
      if (end < 0) throw this.error("a quote is not closed");
      value += this.text.slice(this.position, end);
      this.position = end + 1;
      const next = this.text[this.position];
      if (next === undefined || next === "," || next === "\n") return value;
      if (next !== '"') throw this.error("a quote ends before the field does");
      value += '"';
      this.position += 1;
    }
  }

  private error(what: string): FunctionError {
    return new FunctionError(`on line ${this.line} ${what}`, 0);
  }
}

function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  throw new FunctionError("what it decodes to is not UTF-8", 0);
}

const GZIP_HEADER = Buffer.from("1f8b08000000000000ff", "hex");
/** An empty last block. */
const GZIP_END = Buffer.from("010000ffff", "hex");

/** Terraform flushes before it closes the stream, so that its last block is an empty one. */
function gzip(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([
    GZIP_HEADER,
    deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
    GZIP_END,
    // Checksum and length.
    gzipSync(bytes).subarray(-8),
  ]);
}

const PLAIN = /[A-Za-z0-9_.~-]/;

/** As in a query: spaces are "+". */
const encodeUrl = (text: string): string =>
  Array.from(Buffer.from(text, "utf8"), (byte) => {
    const character = String.fromCharCode(byte);
    if (character === " ") return "+";
    return PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");

function csvType([given]: Args): Type {
  if (!isKnown(given)) return DYNAMIC;
  const [header] = parseCsv(textOf(given));
  if (header === undefined) throw new FunctionError("there is no line with the names of the columns", 0);
  const repeated = header.find((name, index) => header.indexOf(name) !== index);
  if (repeated !== undefined) throw new FunctionError(`two columns are named "${repeated}"`, 0);
  return listOf(objectOf(new Map(header.map((name) => [name, STRING]))));
}

function decodeCsv([given]: Args, type: Type): Value {
  const [header, ...rows] = parseCsv(textOf(given));
  const objects = rows.map((row, index) => {
    if (row.length !== header!.length) {
      throw new FunctionError(
        `row ${index + 1} has ${row.length} fields, the first line ${header!.length}`,
        0,
      );
    }
    return object(new Map(header!.map((name, column) => [name, string(row[column]!)])));
  });
  return list(objects, type.kind === "list" ? type.element : DYNAMIC);
}

/** The first character of a JSON text tells its type before the rest is known. */
function jsonType([given]: Args): Type {
  if (isKnown(given)) return decodeJson(textOf(given)).type;
  const first = refinementOf(given).prefix.trim()[0];
  if (first === undefined || "{[n".includes(first)) return DYNAMIC;
  if (first === '"') return STRING;
  if (first === "t" || first === "f") return BOOL;
  if (/[-.\d]/.test(first)) return NUMBER;
  throw new FunctionError(`no JSON begins with ${JSON.stringify(first)}`, 0);
}

function toJson([value]: Args): Value {
  if (!value.containsUnknown) return string(encodeJson(value));
  if (!isNotNull(value)) return unknown(STRING);
  const { kind } = value.type;
  const first =
    kind === "string"
      ? '"'
      : kind === "object" || kind === "map"
        ? "{"
        : ["tuple", "list", "set"].includes(kind)
          ? "["
          : "";
  return refine(unknown(STRING), { notNull: true, prefix: first });
}

const open = { type: DYNAMIC, dynamic: true, unknown: true, nullable: true };
const text = { str: STRING };

const ENCODING_FUNCTIONS: FunctionTable = {
  base64decode: fn(text, STRING, ([given]) => string(decodeUtf8(decodeBase64(textOf(given))))),
  base64encode: fn(text, STRING, ([given]) => string(Buffer.from(textOf(given), "utf8").toString("base64"))),
  base64gzip: fn(text, STRING, ([given]) => string(gzip(textOf(given)).toString("base64"))),
  csvdecode: fn(text, csvType, decodeCsv),
  jsondecode: nullableFn(text, jsonType, ([given]) => decodeJson(textOf(given))),
  jsonencode: fn({ val: open }, STRING, toJson),
  textdecodebase64: fn({ source: STRING, encoding: STRING }, STRING, ([source, encoding]) =>
    string(decodeText(decodeBase64(textOf(source)), textOf(encoding))),
  ),
  textencodebase64: fn({ string: STRING, encoding: STRING }, STRING, ([given, encoding]) =>
    string(encodeText(textOf(given), textOf(encoding)).toString("base64")),
  ),
  urlencode: fn(text, STRING, ([given]) => string(encodeUrl(textOf(given)))),
};

export = ENCODING_FUNCTIONS;
