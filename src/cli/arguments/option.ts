import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { fail } from "../../diagnostics";
import type { Shard } from "../../engine";
import type { OutputKind } from "../outputs/kinds";
import type { NamedFile } from "../terminal/terminal";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a duration in Terraform's format, such as `10s`, `1m30s` or `500ms`, into milliseconds. */
export function parseDuration(text: string): number {
  if (text === "0") return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw new InvalidArgumentError("Enter a duration such as 10s, 1m30s or 500ms.");
  }
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit!]!, 0);
}

/** A parser of whole numbers in digits that match. */
const wholeNumber =
  (digits: RegExp, hint: string, highest = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    if (!digits.test(text) || Number(text) > highest) throw new InvalidArgumentError(hint);
    return Number(text);
  };

export const parseCount = wholeNumber(/^[1-9]\d{0,5}$/, "Enter a whole number above 0.");
/** Parses a limit that may be 0. */
export const parseLimit = wholeNumber(/^\d{1,9}$/, "Enter a whole number, 0 for none.");
export const parseProjects = wholeNumber(/^[1-9]\d{0,5}$/, "Enter a number of projects, such as 50.");
export const parsePort = wholeNumber(
  /^\d{1,5}$/,
  "Enter a port between 0 and 65535; 0 picks a free one.",
  65_535,
);

/** Parses a part of several, such as `3/10`. */
export function parseShard(text: string): Shard {
  const [, number, total] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  const shard = { number: Number(number), total: Number(total) };
  if (number === undefined || shard.number > shard.total)
    throw new InvalidArgumentError("Enter a number and a total, such as 3/10 for the third of ten parts.");
  return shard;
}

/** Parses `true` or `false`, as in `--lock=false`. */
export function parseSwitch(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidArgumentError("Enter true or false.");
  return text === "true";
}

/** Parses `NAME=VALUE`, as in `--var`. */
export function parseAssignment(text: string): { readonly name: string; readonly value: string } {
  const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Enter NAME=VALUE.");
  return { name, value };
}

/** Parses a SHA-256 in hexadecimal, with or without its name before it. */
export function parseDigest(text: string): string {
  const [, digest] = /^(?:sha256:)?([0-9a-f]{64})$/.exec(text.toLowerCase()) ?? [];
  if (digest === undefined) throw new InvalidArgumentError("a SHA-256 has 64 hexadecimal digits.");
  return digest;
}

/** Adds a platform, with Go's names for operating system and architecture. */
export function parsePlatforms(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[a-z0-9]+_[a-z0-9]+$/.test(text)) {
    throw new InvalidArgumentError(
      "Enter an operating system and an architecture, such as linux_amd64 or darwin_arm64.",
    );
  }
  return [...new Set([...before, text])];
}

/**
 * An option or a positional argument of the command line, declared once: the parser, the help, the completion, the page of the
 * command line and the type of the value follow from it.
 */
export interface Declared<V> {
  /** Name and value as the help shows them: `--out <file>`, `--lock <boolean>`, `<address>`, `[name...]`. */
  readonly flags: string;
  readonly help: string;
  /** The value if it is not given. */
  readonly absent: V;
  /** Whether the help shows that value. */
  readonly isDefaultShown?: boolean;
  readonly choices?: readonly string[];
  readonly heading?: string;
  readonly isHidden?: boolean;
  readonly isRequired?: boolean;
  /** What it can't be combined with, as an error names it: `--stack`, `--refresh=false`, `--format hcl`, `several --stack`. */
  readonly excludes?: readonly string[];
  /** What the command does with the file that it names: reads it, or writes it. */
  readonly file?: "read" | OutputKind;
  /** The option without which it has no effect. In `--reason TEXT` the text must not be blank. */
  readonly requires?: string;
  /** Converts the text. `before` is what earlier occurrences gave. */
  parse?(text: string, before: V): V;
}

type Rules = Partial<
  Pick<Declared<unknown>, "excludes" | "requires" | "heading" | "isHidden" | "isRequired" | "file">
>;

/** Declarations by the names of their fields. Several options of one field share a list, in the order of the command line. */
export type Options = Readonly<Record<string, Declared<unknown> | readonly Declared<unknown>[]>>;

type ValueIn<D> = D extends Declared<infer V> | readonly Declared<infer V>[] ? V : never;

/** The typed values of declarations. */
export type Given<O extends Options> = {
  readonly [K in keyof O as undefined extends ValueIn<O[K]> ? never : K]: ValueIn<O[K]>;
} & {
  readonly [K in keyof O as undefined extends ValueIn<O[K]> ? K : never]?: ValueIn<O[K]>;
};

/** An option or an argument as the help shows it: flags and help, as in `--out <file>: save the plan`. */
export type Text = `${string}: ${string}`;

type ValueOf<T extends string> = T extends `${infer F}: ${string}` ? ValueOfFlags<F> : never;

type ValueOfFlags<F extends string> = F extends `<${string}...>`
  ? readonly [string, ...string[]]
  : F extends `${string}...${">" | "]"}`
    ? readonly string[]
    : F extends `<${string}>`
      ? string
      : F extends `${string}${">" | "]"}`
        ? string | undefined
        : boolean;

/** An option with any kind of value. */
export function declared<V>(text: Text, absent: V, more: Partial<Declared<V>> = {}): Declared<V> {
  const end = text.indexOf(": ");
  return { flags: text.slice(0, end), help: text.slice(end + 2), absent, ...more };
}

const absentOf = (text: Text): unknown => {
  const [flags] = text.split(": ", 1) as [string];
  if (/\.\.\.[>\]]$/.test(flags)) return [];
  return /[>\]]$/.test(flags) ? undefined : flags.startsWith("--no-");
};

/** A switch, a text, or with `<value...>` a list of texts. */
export const option = <const T extends Text>(text: T, rules: Rules = {}): Declared<ValueOf<T>> =>
  declared(text, absentOf(text) as ValueOf<T>, rules);

/** The same for several, by the names of their fields. */
export const options = <const T extends Readonly<Record<string, Text>>>(texts: T, rules: Rules = {}) =>
  Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, option(text, rules)])) as {
    readonly [K in keyof T]: Declared<ValueOf<T[K]>>;
  };

/** A value that is converted from text. */
export const parsed = <V>(
  text: Text,
  parse: (text: string) => V,
  rules: Rules = {},
): Declared<V | undefined> => declared<V | undefined>(text, undefined, { parse, ...rules });

/** A list that takes one value each time it is given. */
export const repeatable = (text: Text, rules: Rules = {}): Declared<readonly string[]> =>
  declared(text, [], { parse: append, ...rules });

const append = (text: string, before: readonly string[]): readonly string[] => [...before, text];

/** One of several words. */
export const oneOf = <const T extends Text, const C extends string>(
  text: T,
  choices: readonly C[],
  rules: Rules = {},
) => declared(text, undefined as T extends `<${string}` ? C : C | undefined, { choices, ...rules });

/** A switch that is on unless it is given as `false`. */
export const onUnlessFalse = (text: Text): Declared<boolean> => declared(text, true, { parse: parseSwitch });

/** The same option with a default that the help shows. */
export const withDefault = <V>(declared: Declared<V>, absent: NonNullable<V>): Declared<NonNullable<V>> => ({
  ...(declared as Declared<NonNullable<V>>),
  absent,
  isDefaultShown: true,
});

/** Lists take one value each time: a list of several would take the positional arguments as well. */
export const oneEach = <O extends Options>(options: O): O => eachOf(options, asSingle);

const asSingle = (declared: Declared<unknown>): Declared<unknown> | Declared<readonly string[]> =>
  declared.flags.endsWith("...>")
    ? {
        ...(declared as Declared<readonly string[]>),
        flags: declared.flags.replace("...", ""),
        parse: append,
      }
    : declared;

/** Puts options under a heading of their own in the help. */
export const under = <O extends Options>(heading: string, options: O): O =>
  eachOf(options, (declared) => ({ heading, ...declared }));

const eachOf = <O extends Options>(
  options: O,
  change: (declared: Declared<unknown>) => Declared<unknown>,
): O =>
  Object.fromEntries(
    Object.entries(options).map(([name, one]) => [
      name,
      Array.isArray(one) ? one.map(change) : change(one as Declared<unknown>),
    ]),
  ) as O;

/** Describes options in the words of one command. */
export const reworded = <O extends Options>(options: O, help: { readonly [K in keyof O]?: string }): O => ({
  ...options,
  ...Object.fromEntries(Object.entries(help).map(([name, text]) => [name, { ...options[name], help: text }])),
});

/** Adds options to a command. They are stored by the names of their fields. */
export function defineOptions(command: Command, options: Options): void {
  for (const [field, declared] of fieldsOf(options)) {
    const { flags, help, absent, choices, heading, parse, isHidden = false, isRequired = false } = declared;
    const added = new Option(flags, help).hideHelp(isHidden).makeOptionMandatory(isRequired);
    added.attributeName = () => field;
    if (choices !== undefined) added.choices(choices);
    if (parse !== undefined) added.argParser((text, before) => parse(text, before ?? absent));
    if (declared.isDefaultShown) added.default(absent);
    if (heading !== undefined) added.helpGroup(heading);
    command.addOption(added);
  }
}

/** Adds positional arguments to a command. */
export function defineOperands(command: Command, operands: Options): void {
  for (const [, { flags, help, choices }] of fieldsOf(operands)) {
    const added = new Argument(flags, help);
    command.addArgument(choices === undefined ? added : added.choices(choices));
  }
}

/**
 * The values that a command line gives.
 *
 * @throws DiagnosticError `invalid_arguments` for options that can't be combined, or lack another one
 */
export function readGiven(command: Command, options: Options, operands: Options): Record<string, unknown> {
  const values = Object.fromEntries([
    ...fieldsOf(options).map(([field, { absent }]) => [field, command.getOptionValue(field) ?? absent]),
    ...fieldsOf(operands).map(([field], at) => [field, command.processedArgs[at]]),
  ]);
  for (const [field, declared] of fieldsOf({ ...operands, ...options }))
    checkRules(command, field, declared, values);
  return values;
}

/** A file that the command line names, and what the command does with it. */
export interface UsedFile extends NamedFile {
  readonly use: "read" | OutputKind;
}

/** The files that a command line names. */
export function usedFiles(command: Command, options: Options, operands: Options): UsedFile[] {
  const given = [
    ...fieldsOf(options).map(([field, one]) => [one, command.getOptionValue(field)] as const),
    ...fieldsOf(operands).map(([, one], at) => [one, command.processedArgs[at]] as const),
  ];
  return given.flatMap(([{ flags, file: use }, value]) => {
    if (use === undefined) return [];
    const option = nameOf(flags);
    return filesIn(value).map((file) => ({ option, file, use }));
  });
}

/** The files in the value of an option: one, several, or those among the values of variables. */
function filesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(filesIn);
  const file = typeof value === "object" && value !== null ? (value as { file?: unknown }).file : value;
  return typeof file === "string" && file !== "-" ? [file] : [];
}

/** Each declaration with the name of its field. */
const fieldsOf = (options: Options): [string, Declared<unknown>][] =>
  Object.entries(options).flatMap(([field, one]) =>
    [one].flat().map((declared): [string, Declared<unknown>] => [field, declared as Declared<unknown>]),
  );

/** The name of an option, or that of a positional argument in capitals. */
const nameOf = (flags: string): string =>
  /^--[\w-]+/.exec(flags)?.[0] ?? flags.replace(/[^\w-]/g, "").toUpperCase();

function checkRules(
  command: Command,
  field: string,
  { flags, excludes = [], requires }: Declared<unknown>,
  values: Readonly<Record<string, unknown>>,
): void {
  const name = nameOf(flags);
  const isPresent = name.startsWith("--") ? isGiven(command, name) : values[field] !== undefined;
  if (!isPresent) return;
  for (const other of excludes) if (isGiven(command, other)) failConflict(name, other);
  if (requires !== undefined && !isGiven(command, requires))
    invalid("Option requires another option", `${name} requires ${requires}. Pass both, or omit ${name}.`);
}

/** Whether the command line has what a rule names. A command that lacks the option was never given it. */
function isGiven(command: Command, rule: string): boolean {
  const [, several, name, wanted] = /^(several )?(--[\w-]+)(?:[= ](.+))?$/.exec(rule)!;
  const option = command.options.find(({ long }) => long === name);
  if (option === undefined) return false;
  const field = option.attributeName();
  if (command.getOptionValueSource(field) !== "cli") return false;
  const value: unknown = command.getOptionValue(field);
  // `--name` and `--no-name` share a field: the last option counts.
  const isPaired = command.options.some((other) => other !== option && other.attributeName() === field);
  if (isPaired && option.negate === (value !== false)) return false;
  if (several !== undefined) return (value as readonly unknown[]).length > 1;
  if (wanted === "TEXT") return String(value).trim() !== "";
  return wanted === undefined || String(value) === wanted;
}

/** The error for two options that contradict each other. */
export const failConflict = (one: string, other: string): never =>
  invalid("Conflicting options", `${one} and ${other} can't be combined. Omit one of them.`);

/** The error for a command line that lacks something, or has something without an effect. */
export const invalid = (summary: string, detail: string): never =>
  fail({ code: "invalid_arguments", summary, detail });
