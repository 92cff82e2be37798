import { quoteAsGo } from "../../../json";
import {
  BOOL,
  DYNAMIC,
  formatNumAs,
  isSequence,
  lengthRange,
  list,
  listOf,
  NUMBER,
  type Num,
  refine,
  STRING,
  string,
  type Type,
  toBigInt,
  unknown,
  unknownNotNull,
  type Value,
} from "../../values";
import type { Args } from "./definition";
import { convertFor, FunctionError, type FunctionTable, fn } from "./function";
import { encodeJson } from "./json-encoding";
import { graphemes } from "./letters";

/** A verb in a format string, such as `%-5.2f` or `%[1]s`, in parsed form. */
interface Verb {
  readonly raw: string;
  readonly mode: string;
  readonly flags: ReadonlySet<string>;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

/** Matches a verb with its parts, the escape `%%`, or a single percent sign. */
const VERB = /%(?:%|([0#\-+ ]*)([1-9]\d*)?(?:\.(\d*))?(?:\[([1-9]\d*)\])?([A-Za-z]))?/g;

/** Returns a format string in which the arguments replace the verbs. @throws FunctionError */
function formatText(format: string, args: readonly Value[]): string {
  let next = 1;
  let highest = 0;
  const text = format.replace(VERB, (raw, flags, width, precision, index, mode, at: number) => {
    if (raw === "%%") return "%";
    if (mode === undefined)
      throw new FunctionError(`there is no valid verb at offset ${at}; write "%%" for a percent sign`, 0);
    const position = index === undefined ? next : Number(index);
    const arg = args[position - 1];
    if (arg === undefined)
      throw new FunctionError(`"${raw}" needs argument ${position}, but there are ${args.length}`);
    highest = Math.max(highest, position);
    next = position + 1;
    const verb = {
      raw,
      mode,
      flags: new Set<string>(flags),
      width: asNumber(width),
      precision: asNumber(precision),
    };
    return formatVerb(verb, arg, position);
  });
  if (highest < args.length)
    throw new FunctionError(`the format uses ${highest} of ${args.length} arguments`);
  return text;
}

const asNumber = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits);

function formatVerb(verb: Verb, arg: Value, position: number): string {
  const { mode, raw } = verb;
  if (mode !== "v" && arg.isNull) throw new FunctionError(`null cannot be written as "${raw}"`, position);
  const as = (type: Type): Value => convertFor(arg, type, position);
  if (mode === "v") return padText(verb, formatValue(verb, arg));
  if (mode === "t") return String(as(BOOL).isTrue);
  if (RADIX[mode] !== undefined) return formatInteger(verb, as(NUMBER).num, position);
  if (isFloatMode(mode)) return formatFloat(verb, mode, as(NUMBER).num);
  if (mode !== "s" && mode !== "q") throw new FunctionError(`"${raw}" is not a verb`, 0);
  const text = cut(verb, as(STRING).text);
  return padText(verb, mode === "q" ? quoteAsGo(text) : text);
}

function formatValue(verb: Verb, arg: Value): string {
  if (!verb.flags.has("#") && !arg.isNull) {
    if (arg.type.kind === "string") return arg.text;
    if (arg.type.kind === "number") return formatNumAs(arg.num, "g");
  }
  return encodeJson(arg);
}

function cut({ precision }: Verb, text: string): string {
  return precision === undefined || precision === 0 ? text : graphemes(text).slice(0, precision).join("");
}

/** Returns a text that is padded to the width of the verb, with spaces or with zeros. */
function padText({ width = 0, flags }: Verb, text: string): string {
  const missing = width - graphemes(text).length;
  if (missing <= 0) return text;
  const fill = (flags.has("0") ? "0" : " ").repeat(missing);
  return flags.has("-") ? text + fill : fill + text;
}

/** Returns a number that is padded to the width of the verb. Zeros come between the sign and the digits. */
function padNumber({ width = 0, flags }: Verb, prefix: string, digits: string, hasZeros: boolean): string {
  const missing = width - prefix.length - digits.length;
  if (missing <= 0) return prefix + digits;
  if (flags.has("-")) return prefix + digits + " ".repeat(missing);
  return hasZeros ? prefix + "0".repeat(missing) + digits : " ".repeat(missing) + prefix + digits;
}

function signText({ flags }: Verb, isNegative: boolean): string {
  if (isNegative) return "-";
  if (flags.has("+")) return "+";
  return flags.has(" ") ? " " : "";
}

const RADIX: Readonly<Record<string, number>> = { b: 2, d: 10, o: 8, x: 16, X: 16 };
const RADIX_PREFIX: Readonly<Record<string, string>> = { b: "0b", o: "0", x: "0x", X: "0X" };

function formatInteger(verb: Verb, value: Num, position: number): string {
  const whole = toBigInt(value);
  if (whole === undefined) throw new FunctionError(`"${verb.raw}" needs a whole number`, position);
  const plain = (whole < 0n ? -whole : whole).toString(RADIX[verb.mode]);
  const digits = verb.mode === "X" ? plain.toUpperCase() : plain;
  const prefix = signText(verb, whole < 0n) + (verb.flags.has("#") ? (RADIX_PREFIX[verb.mode] ?? "") : "");
  if (verb.precision === 0 && whole === 0n) return padNumber(verb, "", "", false);
  const padded = digits.padStart(verb.precision ?? 0, "0");
  return padNumber(verb, prefix, padded, verb.flags.has("0") && verb.precision === undefined);
}

type FloatMode = Parameters<typeof formatNumAs>[1];
const isFloatMode = (mode: string): mode is FloatMode => /^[eEfgG]$/.test(mode);

const DEFAULT_PLACES = 6;

function formatFloat(verb: Verb, mode: FloatMode, value: Num): string {
  const precision = verb.precision ?? (mode === "g" || mode === "G" ? undefined : DEFAULT_PLACES);
  const text = formatNumAs(value, mode, precision);
  const isNegative = text.startsWith("-");
  const digits = text.replace(/^[-+]/, "");
  const isInfinite = digits === "Inf";
  const prefix = isInfinite && !isNegative ? "+" : signText(verb, isNegative);
  return padNumber(verb, prefix, digits, verb.flags.has("0") && !isInfinite);
}

function format([pattern, ...args]: Args): Value {
  const text = pattern.text;
  if (args.every((arg) => !arg.hasUnknown)) return string(formatText(text, args));
  const percent = text.indexOf("%");
  return refine(unknown(STRING), { isNotNull: true, prefix: percent > 0 ? text.slice(0, percent) : "" });
}

function lengthOfLists(args: readonly Value[]): number | undefined {
  let length: number | undefined;
  for (const [index, arg] of args.entries()) {
    if (!isSequence(arg.type) || arg.isNull) continue;
    const [least, most] = lengthRange(arg);
    if (least !== most) continue;
    if (length !== undefined && length !== least) {
      throw new FunctionError(`the lists have different lengths, ${length} and ${least}`, index + 1);
    }
    length = least;
  }
  return length;
}

/**
 * Returns the list of texts for `formatlist`. For each text, a list argument supplies its element at the index of the text.
 * Arguments that are not lists are equal for all texts.
 */
function formatList([pattern, ...args]: Args, type: Type): Value {
  const text = pattern.text;
  const length = lengthOfLists(args);
  const isOpen = (arg: Value): boolean =>
    isSequence(arg.type) && !arg.isNull
      ? !arg.isKnown || lengthRange(arg)[0] !== lengthRange(arg)[1]
      : !arg.isKnown && arg.type.kind === "dynamic";
  if (args.some(isOpen)) return unknown(type);
  const rounds = Array.from({ length: length ?? 1 }, (_, round) => {
    const row = args.map((arg) => (isSequence(arg.type) && !arg.isNull ? arg.elements[round]! : arg));
    return row.some((one) => one.hasUnknown) ? unknownNotNull(STRING) : string(formatText(text, row));
  });
  return list(rounds, STRING);
}

const anyArgument = { args: { type: DYNAMIC, canBeNull: true, canBeUnknown: true } };

const FORMAT_FUNCTIONS: FunctionTable = {
  format: fn({ format: STRING }, STRING, format, { rest: anyArgument }),
  formatlist: fn({ format: STRING }, listOf(STRING), formatList, { rest: anyArgument }),
};

export = FORMAT_FUNCTIONS;
