import { readdirSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { decodeText, readFileSync, readUserFile } from "../../files";
import { parseHandwrittenJson, parseJson, positionText, type Repetition } from "../../json";
import {
  type Configuration,
  ExpressionError,
  evaluate,
  parseArguments,
  type Range,
  refuseCalls,
  toPlain,
} from "../../language";
import { once } from "../../schema";
import type { Environment, VariableInput } from "../stack-run/context";
import { ifValid, type LoadedStacks } from "./load-stacks";

/**
 * Parses a variables file in HCL: lines such as `region = "eu"`, whose values are constants. As under Terraform, a name must
 * not occur twice, and functions can't be called.
 *
 * @throws DiagnosticError `variable_file_invalid`
 */
export function readVariableFile(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const values = new Map<string, unknown>();
    const ranges = new Map<string, Range>();
    for (const { name, range, value } of parseArguments(text)) {
      const first = ranges.get(name);
      if (first !== undefined) refuseRepeated(name, first, range, text);
      ranges.set(name, range);
      refuseCalls(value.root, (called) => `The function "${called}" can't be called here.`);
      values.set(name, toPlain(evaluate(value, { resolve: () => undefined })));
    }
    return Object.fromEntries(values);
  } catch (problem) {
    if (!(problem instanceof ExpressionError)) throw problem;
    const line = text.slice(0, problem.range.start).split("\n").length;
    return fail({
      code: "variable_file_invalid",
      summary: "Invalid variables file",
      detail: `${file}, line ${line}: ${problem.detail} A variables file holds constants, such as \`region = "eu"\`.`,
    });
  }
}

function refuseRepeated(name: string, first: Range, second: Range, text: string): never {
  const [one, other] = [first, second].map(({ start }) => positionText(text, start));
  const detail = `The variable "${name}" is set twice, at ${one} and at ${other}. Keep one of the two.`;
  throw new ExpressionError("Variable set twice", detail, second);
}

/** The value of a variable, or a file with values of variables. The last value of a variable wins. */
export type GivenVariable =
  /** A text as typed on a command line; the variable's type determines how the text is parsed. */
  | { readonly from: "line"; readonly name: string; readonly value: string }
  /** A JSON value. */
  | { readonly from: "value"; readonly name: string; readonly value: unknown }
  | { readonly from: "file"; readonly file: string };

type Inputs = Readonly<Record<string, VariableInput>>;

const ENVIRONMENT_PREFIX = "TF_VAR_";

type Variables = Configuration["variables"];

/** The variables of one configuration, with the data that show whether another stack declares a variable. */
export interface VariableOwners {
  /** The variables of the configuration. */
  readonly own: Variables;
  /** Returns whether a selected stack declares a variable with this name. */
  readonly isSelected: (name: string) => boolean;
  readonly unselected: LoadedStacks["unselected"];
  /** The folders whose variables files are read. */
  readonly folders: readonly string[];
}

/**
 * Returns the given values of a configuration's variables. Later sources win: TF_VAR_ variables of the environment,
 * files that Terraform loads automatically, then the command line in its order. Variables that only another stack
 * declares are left out. The engine rejects variables that no stack declares.
 */
export function variablesFor(
  { own, isSelected, unselected, folders }: VariableOwners,
  given: readonly GivenVariable[],
  { env, folder }: Environment,
): Inputs {
  const files = folders.flatMap(automaticFiles);
  const inputs: Inputs = {
    ...fromEnvironment(env),
    ...Object.assign({}, ...files.map((file) => fromFile(file))),
    ...fromCommandLine(given, folder),
  };
  const isDeclaredElsewhere = (name: string, { from }: VariableInput) =>
    !own.has(name) &&
    (isSelected(name) ||
      // A variables file can be for all stacks of an app, while the command line is only for the selected stacks. A stack that
      // can't be loaded can declare any variable, so nothing is reported then.
      (from === "json" && unselected.some(({ load }) => ifValid(load)?.variables.has(name) !== false)));
  return Object.fromEntries(
    Object.entries(inputs).filter(([name, input]) => !isDeclaredElsewhere(name, input)),
  );
}

/** Returns the values of variables from the command line. */
export const fromCommandLine = (given: readonly GivenVariable[], folder: string): Inputs =>
  Object.assign(
    {},
    ...given.map((one) => (one.from === "file" ? fromNamedFile(one, folder) : { [one.name]: inputOf(one) })),
  );

const inputOf = (given: Exclude<GivenVariable, { from: "file" }>): VariableInput =>
  given.from === "line"
    ? { from: "text", text: given.value, origin: "--var" }
    : { from: "json", json: parseJson(JSON.stringify(given.value ?? null)), origin: "the options" };

const fromEnvironment = (env: Environment["env"]): Inputs =>
  Object.fromEntries(
    Object.entries(env)
      .filter(([name, text]) => name.startsWith(ENVIRONMENT_PREFIX) && text !== undefined)
      .map(([name, text]) => [
        name.slice(ENVIRONMENT_PREFIX.length),
        { from: "text" as const, text: text!, origin: name },
      ]),
  );

const DEFAULT_FILES = ["terraform.tfvars", "terraform.tfvars.json"];

/**
 * Returns the paths of the variables files that Terraform reads from a folder automatically: `terraform.tfvars` and
 * `*.auto.tfvars`, each also with `.json`. The paths are in Terraform's order.
 */
function automaticFiles(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => AUTOMATIC.test(name));
  const first = DEFAULT_FILES.filter((name) => names.includes(name));
  const others = names.filter((name) => !DEFAULT_FILES.includes(name)).sort();
  return [...first, ...others].map((name) => path.join(folder, name));
}

const AUTOMATIC = /^terraform\.tfvars(?:\.json)?$|\.auto\.tfvars(?:\.json)?$/;

/** The values of each variables file from the command line. A file is read only once, because a pipe can't be read twice. */
const fileCache = new WeakMap<GivenVariable, () => Inputs>();

const fromNamedFile = (argument: Extract<GivenVariable, { from: "file" }>, folder: string): Inputs =>
  once(fileCache, argument, () =>
    settled(() => fromFile(path.resolve(folder, argument.file), readUserFile)),
  )();

/** Calls a function at once. Returns a function that returns the same result, or throws the same exception, at each call. */
function settled<T>(work: () => T): () => T {
  try {
    const result = work();
    return () => result;
  } catch (problem) {
    return () => {
      throw problem;
    };
  }
}

/**
 * Reads the variables files of the command line at the start of a run, and keeps their values. Problems are reported when a run
 * uses the values.
 */
export function readVariableFiles(given: readonly GivenVariable[], folder: string): void {
  settled(() => fromCommandLine(given, folder));
}

function fromFile(file: string, readBytes: (file: string) => Buffer = readFileSync): Inputs {
  const values = readValues(file, readBytes);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { from: "json" as const, json: value, origin: file },
    ]),
  );
}

function readValues(file: string, readBytes: (file: string) => Buffer): Readonly<Record<string, unknown>> {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (problem) {
      return unusable(file, (problem as Error).message);
    }
  };
  const text = attempt(() => decodeText(readBytes(file)));
  if (!file.endsWith(".json")) return readVariableFile(text, file);
  const json = attempt((): unknown => parseHandwrittenJson(text, repetitionOfVariables));
  if (typeof json === "object" && json !== null && !Array.isArray(json)) {
    const { [COMMENT]: _, ...values } = json as Record<string, unknown>;
    return values;
  }
  return unusable(file, "its root is not an object");
}

/** A property that Terraform ignores at the root of a JSON file. */
const COMMENT = "//";

const repetitionOfVariables = (keys: readonly string[]): Repetition =>
  keys.length === 1 && keys[0] === COMMENT ? "keep-last" : "refuse";

const unusable = (file: string, why: string): never =>
  fail({
    code: "variable_file_invalid",
    summary: "Invalid variables file",
    detail: `${file} can't be used: ${why}. Correct the path or the file.`,
  });
