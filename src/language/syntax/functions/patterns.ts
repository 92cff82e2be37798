import { RE2JS, RE2JSSyntaxException } from "re2js";
import {
  nullOf,
  object,
  objectOf,
  STRING,
  string,
  type Type,
  tuple,
  tupleOf,
  type Value,
} from "../../values";
import { FunctionError } from "./function";

/** A compiled pattern and what it gives: the match itself, its groups by position, or its groups by name. */
export interface Pattern {
  readonly compiled: RE2JS;
  readonly type: Type;
  readonly names: readonly string[];
}

/** @throws FunctionError that blames the pattern */
export function compilePattern(source: string): Pattern {
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

/** Every match, in order, or the first alone. */
export function matches({ compiled, names }: Pattern, text: string, all: boolean): Value[] {
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
    if (!all) break;
  }
  return found;
}

const REFERENCE = /\$(?:\$|(\w+)|\{(\w+)\})/g;

/** Replaces every match; `$1`, `${1}`, `$name` and `${name}` stand for groups, `$$` for a dollar sign. */
export function replacePattern(text: string, source: string, replacement: string): string {
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
