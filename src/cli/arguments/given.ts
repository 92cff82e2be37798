import { Argument, type Command, Option } from "commander";
import type { OutputKind } from "../outputs/kinds";
import type { NamedFile } from "../terminal/terminal";
import { type Declared, failConflict, invalid, type Options } from "./option";

/** Adds options to a command. Commander stores the value of each option under the option's key in `options`. */
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
 * Returns the values of a command line.
 *
 * @throws DiagnosticError `invalid_arguments` for options that can't be combined, and for an option without the option that it
 * needs
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

/** Returns the files that a command line names, in options and in positional arguments. */
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

/**
 * Returns the names of the files in the value of an option. The value can be one file, several files, or a list in which some
 * items are files with variables.
 */
function filesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(filesIn);
  const file = typeof value === "object" && value !== null ? (value as { file?: unknown }).file : value;
  return typeof file === "string" && file !== "-" ? [file] : [];
}

/** Returns each option with the name of its field. Several options can share a field. */
const fieldsOf = (options: Options): [string, Declared<unknown>][] =>
  Object.entries(options).flatMap(([field, one]) =>
    [one].flat().map((declared): [string, Declared<unknown>] => [field, declared as Declared<unknown>]),
  );

/** Returns the name of an option from its flags. The name of a positional argument is in capitals. */
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

/**
 * Returns true if the command line meets a rule of `excludes` or `requires`. The command line must have the option of the rule.
 * If the rule has a value, the option must have this value.
 */
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
