import { fail } from "../../diagnostics";
import type { OutputKind } from "../outputs/kinds";
import { parseSwitch } from "./values";

/**
 * An option or a positional argument of the command line. The parser, the help, the completion and the reference page use this
 * declaration.
 */
export interface Declared<V> {
  /**
   * The name and the value of the option, as the help shows them: `--out <file>`, `--lock <boolean>`, `<address>`, `[name...]`.
   */
  readonly flags: string;
  readonly help: string;
  /** The value of the option if the command line does not contain it. */
  readonly absent: V;
  /** Whether the help shows `absent` as the default value of the option. */
  readonly isDefaultShown?: boolean;
  readonly choices?: readonly string[];
  readonly heading?: string;
  readonly isHidden?: boolean;
  readonly isRequired?: boolean;
  /**
   * The options that can't be combined with this option, in the spelling of the error message: `--stack`, `--refresh=false`,
   * `--format hcl`, `several --stack`.
   */
  readonly excludes?: readonly string[];
  /** The use of the file that the option names: `read`, or the kind of output that the command writes into the file. */
  readonly file?: "read" | OutputKind;
  /** The option without which this option has no effect. If `requires` is `--reason TEXT`, the text must not be blank. */
  readonly requires?: string;
  /** Converts the text that follows the option. `before` is the value from earlier occurrences of the option. */
  parse?(text: string, before: V): V;
}

type Rules = Partial<
  Pick<Declared<unknown>, "excludes" | "requires" | "heading" | "isHidden" | "isRequired" | "file">
>;

/** Declared options by field name. The options of a list share one field, whose values have the order of the command line. */
export type Options = Readonly<Record<string, Declared<unknown> | readonly Declared<unknown>[]>>;

type ValueIn<D> = D extends Declared<infer V> | readonly Declared<infer V>[] ? V : never;

/** The type of an object with the values of the declared options. The keys are field names. */
export type Given<O extends Options> = {
  readonly [K in keyof O as undefined extends ValueIn<O[K]> ? never : K]: ValueIn<O[K]>;
} & {
  readonly [K in keyof O as undefined extends ValueIn<O[K]> ? K : never]?: ValueIn<O[K]>;
};

/** The flags of an option, and the help text of the option: `--out <file>: save the plan`. */
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

/** Declares an option with a value of any type. */
export function declared<V>(text: Text, absent: V, more: Partial<Declared<V>> = {}): Declared<V> {
  const end = text.indexOf(": ");
  return { flags: text.slice(0, end), help: text.slice(end + 2), absent, ...more };
}

const absentOf = (text: Text): unknown => {
  const [flags] = text.split(": ", 1) as [string];
  if (/\.\.\.[>\]]$/.test(flags)) return [];
  return /[>\]]$/.test(flags) ? undefined : flags.startsWith("--no-");
};

/**
 * Declares an option. The value of the option is true or false for a switch, a text for `<value>`, or a list of texts for
 * `<value...>`.
 */
export const option = <const T extends Text>(text: T, rules: Rules = {}): Declared<ValueOf<T>> =>
  declared(text, absentOf(text) as ValueOf<T>, rules);

/** Declares several options. The keys are field names, and the values are the flags and help texts of the options. */
export const options = <const T extends Readonly<Record<string, Text>>>(texts: T, rules: Rules = {}) =>
  Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, option(text, rules)])) as {
    readonly [K in keyof T]: Declared<ValueOf<T[K]>>;
  };

/** Declares an option whose value `parse` converts from text. */
export const parsed = <V>(
  text: Text,
  parse: (text: string) => V,
  rules: Rules = {},
): Declared<V | undefined> => declared<V | undefined>(text, undefined, { parse, ...rules });

/** Declares an option whose value is a list. Each occurrence of the option adds one value. */
export const repeatable = (text: Text, rules: Rules = {}): Declared<readonly string[]> =>
  declared(text, [], { parse: append, ...rules });

const append = (text: string, before: readonly string[]): readonly string[] => [...before, text];

/** Declares an option whose value is one of several words. */
export const oneOf = <const T extends Text, const C extends string>(
  text: T,
  choices: readonly C[],
  rules: Rules = {},
) => declared(text, undefined as T extends `<${string}` ? C : C | undefined, { choices, ...rules });

/** Declares a switch that is on unless the command line sets it to `false`. */
export const onUnlessFalse = (text: Text): Declared<boolean> => declared(text, true, { parse: parseSwitch });

/** Adds a default value to an option. The help shows this value. */
export const withDefault = <V>(declared: Declared<V>, absent: NonNullable<V>): Declared<NonNullable<V>> => ({
  ...(declared as Declared<NonNullable<V>>),
  absent,
  isDefaultShown: true,
});

/**
 * Returns the options, changed so that an option with `<value...>` takes one value in each occurrence. Without this change, the
 * option would also take the positional arguments after it.
 */
export const oneEach = <O extends Options>(options: O): O => eachOf(options, asSingle);

const asSingle = (declared: Declared<unknown>): Declared<unknown> | Declared<readonly string[]> =>
  declared.flags.endsWith("...>")
    ? {
        ...(declared as Declared<readonly string[]>),
        flags: declared.flags.replace("...", ""),
        parse: append,
      }
    : declared;

/** Puts options under a separate heading in the help. */
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

/** Returns the options with new help texts, for a command that the shared help texts do not fit. */
export const reworded = <O extends Options>(options: O, help: { readonly [K in keyof O]?: string }): O => ({
  ...options,
  ...Object.fromEntries(Object.entries(help).map(([name, text]) => [name, { ...options[name], help: text }])),
});

/** Throws the error for two options that contradict each other. */
export const failConflict = (one: string, other: string): never =>
  invalid("Conflicting options", `${one} and ${other} can't be combined. Omit one of them.`);

/** Throws the error for a command line that lacks an option or value, or that has an option without an effect. */
export const invalid = (summary: string, detail: string): never =>
  fail({ code: "invalid_arguments", summary, detail });
