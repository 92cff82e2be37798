import { posix } from "node:path";
import { RE2JS, RE2JSSyntaxException } from "re2js";
import {
  BOOL,
  bool,
  compareText,
  DYNAMIC,
  lengthRange,
  list,
  listOf,
  NUMBER,
  nullOf,
  object,
  objectOf,
  refine,
  STRING,
  string,
  type Type,
  tuple,
  tupleOf,
  unknown,
  type Value,
} from "../../values";
import type { Args } from "./definition";
import { FunctionError, type FunctionTable, fn, integerOf, nullableFn, textFn } from "./function";
import { graphemes, lowerCase, titleCase, trimCharacters, trimSpace, upperCase } from "./letters";

/** A compiled pattern and the type of its matches: the matched text, a tuple of groups, or an object of named groups. */
interface Pattern {
  readonly compiled: RE2JS;
  readonly type: Type;
  readonly names: readonly string[];
}

/** Returns the compiled form of a pattern. @throws FunctionError for the pattern */
function compilePattern(source: string): Pattern {
  const compiled = compile(source);
  const byIndex = new Map(Object.entries(compiled.namedGroups()).map(([name, index]) => [index, name]));
  const count = compiled.groupCount();
  const names = [...byIndex].sort(([a], [b]) => a - b).map(([, name]) => name);
  if (names.length === 0) {
    return { compiled, names, type: count === 0 ? STRING : tupleOf(new Array<Type>(count).fill(STRING)) };
  }
  if (names.length < count)
    throw new FunctionError("a pattern cannot have groups both with and without names", 0);
  return { compiled, names, type: objectOf(new Map(names.map((name) => [name, STRING]))) };
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new FunctionError(`the pattern cannot be read: ${error.message}`, 0);
  }
}

/** Returns all matches of a pattern in order, or only the first match if `isGlobal` is false. */
function matches({ compiled, names }: Pattern, text: string, isGlobal: boolean): Value[] {
  const matcher = compiled.matcher(text);
  const found: Value[] = [];
  while (matcher.find()) {
    const group = (index: number): Value => {
      const captured = matcher.group(index);
      return captured === null ? nullOf(STRING) : string(captured);
    };
    const count = compiled.groupCount();
    if (count === 0) found.push(group(0));
    else {
      const groups = Array.from({ length: count }, (_, index) => group(index + 1));
      found.push(
        names.length === 0 ? tuple(groups) : object(new Map(names.map((name, i) => [name, groups[i]!]))),
      );
    }
    if (!isGlobal) break;
  }
  return found;
}

const REFERENCE = /\$(?:\$|(\w+)|\{(\w+)\})/g;

/**
 * Returns a text in which the replacement replaces every match. `$1`, `${1}`, `$name` and `${name}` insert groups, and `$$`
 * inserts a dollar sign.
 */
function replacePattern(text: string, source: string, replacement: string): string {
  const compiled = compile(source);
  const named = compiled.namedGroups();
  const matcher = compiled.matcher(text);
  let result = "";
  let end = 0;
  while (matcher.find()) {
    result += text.slice(end, matcher.start());
    result += replacement.replace(REFERENCE, (_whole, bare?: string, braced?: string) => {
      const name = bare ?? braced;
      if (name === undefined) return "$";
      const index = /^\d+$/.test(name) ? Number(name) : named[name];
      return index === undefined || index > compiled.groupCount() ? "" : (matcher.group(index) ?? "");
    });
    end = matcher.end();
  }
  return result + text.slice(end);
}

const anyText = { type: STRING, canBeDynamic: true };

function join([separator, ...lists]: readonly Value[]): Value {
  if (lists.length === 0) throw new FunctionError("at least one list is needed");
  if (lists.some((one) => one.hasUnknown)) return unknown(STRING);
  const texts = lists.flatMap((one, index) =>
    one.elements.map((element, at) => {
      if (element.isNull) throw new FunctionError(`element ${at} is null, but null is not a text`, index + 1);
      return element.text;
    }),
  );
  return string(texts.join(separator!.text));
}

function sort([given]: Args): Value {
  if (given.hasUnknown) {
    const [minLength, maxLength] = lengthRange(given);
    return refine(unknown(listOf(STRING)), { isNotNull: true, minLength, maxLength });
  }
  const elements = given.elements;
  const missing = elements.findIndex((one) => one.isNull);
  if (missing >= 0) throw new FunctionError(`element ${missing} is null, and null has no order`, 0);
  return list(
    [...elements].sort((a, b) => compareText(a.text, b.text)),
    STRING,
  );
}

function startsWith(given: Value, prefix: string): Value {
  if (given.isKnown) return bool(given.text.startsWith(prefix));
  if (prefix === "") return bool(true);
  const known = given.refinement.prefix;
  if (known === "") return unknown(BOOL);
  if (known.startsWith(prefix)) return bool(true);
  return known.length >= prefix.length ? bool(false) : unknown(BOOL);
}

function substr([given, offset, length]: Args): Value {
  const characters = graphemes(given.text);
  const wanted = integerOf(length, 2);
  let start = integerOf(offset, 1);
  if (start < 0) start = Math.max(0, start + characters.length);
  else if (wanted === 0) return string("");
  // If the offset is negative, a length of zero selects all characters up to the end, as in Terraform.
  return string(characters.slice(start, wanted <= 0 ? undefined : start + wanted).join(""));
}

const patternType = (source: Value): Type | undefined =>
  source.isKnown ? compilePattern(source.text).type : undefined;

function firstMatch([source, given]: Args): Value {
  const [found] = matches(compilePattern(source.text), given.text, false);
  if (found === undefined) throw new FunctionError("the pattern matches no part of the text");
  return found;
}

/** Returns a text in which the replacement replaces each occurrence of `part`. A `part` between slashes is a pattern. */
function replace(given: string, part: string, replacement: string): string {
  const isPattern = part.length > 1 && part.startsWith("/") && part.endsWith("/");
  if (isPattern) return replacePattern(given, part.slice(1, -1), replacement);
  return part === "" ? insertEverywhere(given, replacement) : given.replaceAll(part, () => replacement);
}

const insertEverywhere = (given: string, inserted: string): string =>
  inserted + Array.from(given, (one) => one + inserted).join("");

const split = (separator: string, given: string): Value[] =>
  (separator === "" ? [...given] : given.split(separator)).map(string);

const STRING_FUNCTIONS: FunctionTable = {
  basename: textFn("path", (path) => (path === "" ? "." : posix.basename(path) || "/")),
  chomp: textFn("str", (given) => given.replace(/[\r\n]+$/, "")),
  dirname: textFn("path", (path) =>
    posix.normalize(path.replace(/[^/]*$/, "") || ".").replace(/(?<=.)\/$/, ""),
  ),
  endswith: fn({ str: STRING, suffix: STRING }, BOOL, ([given, end]) => bool(given.text.endsWith(end.text))),
  indent: fn({ spaces: NUMBER, str: STRING }, STRING, ([spaces, given]) => {
    const width = integerOf(spaces, 0);
    if (width < 0) throw new FunctionError("the number of spaces must not be negative", 0);
    return string(given.text.replaceAll("\n", `\n${" ".repeat(width)}`));
  }),
  join: fn({ separator: STRING }, STRING, join, { rest: { lists: listOf(STRING) } }),
  lower: fn({ str: anyText }, STRING, ([given]) => string(lowerCase(given.text))),
  regex: fn({ pattern: STRING, string: STRING }, ([source]) => patternType(source) ?? DYNAMIC, firstMatch),
  regexall: fn(
    { pattern: STRING, string: STRING },
    ([source]) => listOf(patternType(source) ?? DYNAMIC),
    ([source, given]) => {
      const pattern = compilePattern(source.text);
      return list(matches(pattern, given.text, true), pattern.type);
    },
  ),
  replace: textFn("str substr replace", replace),
  sort: fn({ list: { type: listOf(STRING), canBeUnknown: true } }, listOf(STRING), sort),
  split: fn({ separator: STRING, str: STRING }, listOf(STRING), ([separator, given]) =>
    list(split(separator.text, given.text), STRING),
  ),
  startswith: fn({ str: { type: STRING, canBeUnknown: true }, prefix: STRING }, BOOL, ([given, prefix]) =>
    startsWith(given, prefix.text),
  ),
  strcontains: nullableFn({ str: STRING, substr: STRING }, BOOL, ([given, part]) =>
    bool(given.text.includes(part.text)),
  ),
  strrev: fn({ str: anyText }, STRING, ([given]) => string(graphemes(given.text).reverse().join(""))),
  substr: fn(
    {
      str: anyText,
      offset: { type: NUMBER, canBeDynamic: true },
      length: { type: NUMBER, canBeDynamic: true },
    },
    STRING,
    substr,
  ),
  title: textFn("str", titleCase),
  trim: textFn("str cutset", trimCharacters),
  trimprefix: textFn("str prefix", (given, prefix) =>
    given.startsWith(prefix) ? given.slice(prefix.length) : given,
  ),
  trimspace: textFn("str", trimSpace),
  trimsuffix: textFn("str suffix", (given, end) =>
    end !== "" && given.endsWith(end) ? given.slice(0, -end.length) : given,
  ),
  upper: fn({ str: anyText }, STRING, ([given]) => string(upperCase(given.text))),
};

export = STRING_FUNCTIONS;
