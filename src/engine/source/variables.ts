import { readdirSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { readFileSync, readUserFile } from "../../files";
import { parseJson } from "../../json";
import type { Configuration } from "../../language";
import type { VariableInput } from "../run/context";
import { readVariableFile } from "../run/variable-file";
import type { Environment } from "./environment";

/** A value, or a file of values, for variables. Of several the later one wins. */
export type GivenVariable =
  /** A text as it is typed on a command line; the variable's type says what it means. */
  | { readonly from: "line"; readonly name: string; readonly value: string }
  /** A value as JSON has it. */
  | { readonly from: "value"; readonly name: string; readonly value: unknown }
  | { readonly from: "file"; readonly file: string };

type Inputs = Readonly<Record<string, VariableInput>>;

const ENVIRONMENT = "TF_VAR_";

/**
 * The values given for a configuration's variables; a later source wins: TF_VAR_ names of the environment, files that
 * Terraform reads by itself, then what the command line gives, in its order. What another of the stacks declares and
 * this one doesn't is left out; what none declares is left for the engine to refuse.
 */
export function variablesFor(
  configuration: Configuration,
  all: readonly Configuration[],
  given: readonly GivenVariable[],
  { env, folder }: Environment,
): Inputs {
  const inputs: Inputs = {
    ...fromEnvironment(env),
    ...Object.assign({}, ...automaticFiles(configuration.folder).map((file) => fromFile(file))),
    ...fromLine(given, folder),
  };
  const declaredElsewhere = (name: string) =>
    !configuration.variables.has(name) && all.some(({ variables }) => variables.has(name));
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !declaredElsewhere(name)));
}

/** What the command line itself gives. */
export const fromLine = (given: readonly GivenVariable[], folder: string): Inputs =>
  Object.assign(
    {},
    ...given.map((one) => (one.from === "file" ? named(one, folder) : { [one.name]: inputOf(one) })),
  );

const inputOf = (given: Exclude<GivenVariable, { from: "file" }>): VariableInput =>
  given.from === "line"
    ? { from: "text", text: given.value, origin: "--var" }
    : { from: "json", json: parseJson(JSON.stringify(given.value ?? null)), origin: "the options" };

const fromEnvironment = (env: Environment["env"]): Inputs =>
  Object.fromEntries(
    Object.entries(env)
      .filter(([name, text]) => name.startsWith(ENVIRONMENT) && text !== undefined)
      .map(([name, text]) => [
        name.slice(ENVIRONMENT.length),
        { from: "text" as const, text: text!, origin: name },
      ]),
  );

const FIRST = ["terraform.tfvars", "terraform.tfvars.json"];

/** `terraform.tfvars` and `*.auto.tfvars` beside the configuration, each also with `.json` behind it, as Terraform orders them. */
function automaticFiles(folder: string): string[] {
  const names = readdirSync(folder).sort();
  const first = FIRST.filter((name) => names.includes(name));
  const others = names.filter((name) => /\.auto\.tfvars(?:\.json)?$/.test(name));
  return [...first, ...others].map((name) => path.join(folder, name));
}

/** What was read of a file that the command line names; each is read once, as what a pipe gave is gone then. */
const read = new WeakMap<GivenVariable, () => Inputs>();

function named(argument: Extract<GivenVariable, { from: "file" }>, folder: string): Inputs {
  let inputs = read.get(argument);
  if (inputs === undefined) {
    inputs = outcomeOf(() => fromFile(path.resolve(folder, argument.file), readUserFile));
    read.set(argument, inputs);
  }
  return inputs();
}

/** Does something once, and answers or throws the same from then on. */
function outcomeOf<T>(work: () => T): () => T {
  try {
    const result = work();
    return () => result;
  } catch (problem) {
    return () => {
      throw problem;
    };
  }
}

/** Reads the files of variables that the command line names, before anything is waited for. What is wrong with one is told later. */
export function readVariableFiles(given: readonly GivenVariable[], folder: string): void {
  outcomeOf(() => fromLine(given, folder));
}

function fromFile(file: string, readBytes: (file: string) => Buffer = readFileSync): Inputs {
  const text = textOf(file, readBytes);
  const values = file.endsWith(".json") ? parseObject(text, file) : readVariableFile(text, file);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { from: "json" as const, json: value, origin: file },
    ]),
  );
}

function textOf(file: string, readBytes: (file: string) => Buffer): string {
  try {
    return readBytes(file).toString("utf8");
  } catch (problem) {
    return unusable(file, (problem as Error).message);
  }
}

function parseObject(text: string, file: string): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (problem) {
    return unusable(file, (problem as Error).message);
  }
  if (typeof json === "object" && json !== null && !Array.isArray(json))
    return json as Record<string, unknown>;
  return unusable(file, "its root is no object");
}

const unusable = (file: string, why: string): never =>
  fail({
    code: "variable_file_invalid",
    summary: "Invalid variables file",
    detail: `${file} can't be used: ${why}.`,
  });
