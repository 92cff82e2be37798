import { DYNAMIC, formatNum, STRING, string, unknown, type Value } from "../../values";
import type { Args } from "./definition";
import { type FunctionTable, nullableFn } from "./function";
import { encodeJson } from "./json-encoding";
import { decodeYaml } from "./yaml-decoding";

/** The column after which a line is broken at the next space. */
const WIDTH = 80;
const LONGEST_SIMPLE_KEY = 128;

/**
 * Returns a value as YAML, byte for byte as Terraform formats it, because the result is compared with texts in states and files.
 */
function encodeYaml(value: Value): string {
  if (isPlain(value)) return `${plainText(value)}\n...\n`;
  const text = node(value, 0, { indent: 0, column: 0 });
  return text.endsWith("\n") ? text : `${text}\n`;
}

const isPlain = (value: Value): boolean =>
  value.isNull || value.type.kind === "number" || value.type.kind === "bool";

/** Returns null, a number or a boolean as YAML. In YAML, a number can be infinite. */
const plainText = (value: Value): string =>
  !value.isNull && value.type.kind === "number" ? formatNum(value.num) : encodeJson(value);

const isMapping = ({ type }: Value): boolean => type.kind === "map" || type.kind === "object";

/** A position in a YAML text: the indentation of the block around it, and the column. */
interface YamlPosition {
  readonly indent: number;
  readonly column: number;
}

/** Returns a value as YAML for a position. @param indent the indentation of nested lists and mappings */
function node(value: Value, indent: number, place: YamlPosition): string {
  if (isPlain(value)) return plainText(value);
  if (value.type.kind === "string") return scalar(value.text, place, true);
  if (value.elements.length === 0) return isMapping(value) ? "{}" : "[]";
  const margin = `\n${" ".repeat(indent)}`;
  const items = isMapping(value)
    ? [...value.entries].map(([key, one]) => entry(key, one, indent))
    : value.elements.map((one) => `- ${node(one, indent + 2, { indent, column: indent + 2 })}`);
  // If an item ends with a line break, no second line break is added after it.
  return items.reduce((text, item) => (text.endsWith("\n") ? text + margin.slice(1) : text + margin) + item);
}

function entry(key: string, value: Value, indent: number): string {
  if (key.includes("\n") || Buffer.byteLength(key) > LONGEST_SIMPLE_KEY) {
    const place = { indent, column: indent + 2 };
    const question = scalar(key, place, true);
    return `? ${question}\n${" ".repeat(indent)}: ${node(value, indent + 2, place)}`;
  }
  const name = scalar(key, { indent, column: indent }, false);
  const inner = isMapping(value) ? indent + 2 : indent;
  const text = node(value, inner, { indent, column: indent + [...name].length + 2 });
  const isOnLine = isPlain(value) || value.type.kind === "string" || value.elements.length === 0;
  return isOnLine ? `${name}: ${text}` : `${name}:\n${" ".repeat(inner)}${text}`;
}

/** Matches characters that YAML requires as escapes. */
const UNPRINTABLE = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const NO_BLOCK = / \n| $/;

function scalar(text: string, place: YamlPosition, canBreak: boolean): string {
  const isBlock = text.includes("\n") && !NO_BLOCK.test(text) && !UNPRINTABLE.test(text);
  return isBlock ? literal(text, place.indent + 2) : quoted(text, place, canBreak);
}

/** Returns a text with several lines as a YAML block (`|`). */
function literal(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? "2" : "";
  const keepsBreaks = text === "\n" || text.endsWith("\n\n") ? "+" : "";
  const chomp = text.endsWith("\n") ? keepsBreaks : "-";
  const lines = text.replace(/\n$/, "").split("\n");
  const body = lines.map((line) => (line === "" ? "" : " ".repeat(indent) + line)).join("\n");
  return `|${hint}${chomp}\n${body}${chomp === "+" ? "\n" : ""}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\x85": "N",
  "\u2028": "L",
  "\u2029": "P",
};

function quoted(text: string, place: YamlPosition, canBreak: boolean): string {
  const characters = [...text];
  let written = '"';
  let column = place.column + 1;
  let hasSpaces = false;
  for (const [index, character] of characters.entries()) {
    let piece =
      ESCAPES[character] === undefined && !UNPRINTABLE.test(character) ? character : escaped(character);
    const isInside = index > 0 && index < characters.length - 1;
    if (character === " " && canBreak && !hasSpaces && isInside && column > WIDTH) {
      written += `\n${" ".repeat(place.indent + 2)}`;
      column = place.indent + 2;
      piece = characters[index + 1] === " " ? "\\" : "";
    }
    hasSpaces = character === " ";
    written += piece;
    column += piece.length;
  }
  return `${written}"`;
}

function escaped(character: string): string {
  const short = ESCAPES[character];
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0)!;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  if (code <= 0xffff) return `\\u${digits.padStart(4, "0")}`;
  return `\\U${digits.padStart(8, "0")}`;
}

const encode = ([value]: Args): Value => (value.hasUnknown ? unknown(STRING) : string(encodeYaml(value)));

const YAML_FUNCTIONS: FunctionTable = {
  yamldecode: nullableFn({ src: STRING }, DYNAMIC, ([src]) => decodeYaml(src.text)),
  yamlencode: nullableFn({ value: { type: DYNAMIC, canBeDynamic: true, canBeNull: true } }, STRING, encode),
};

export = YAML_FUNCTIONS;
