import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { type Configuration, readVariableFile, type VariableInput } from "../../engine";
import { parseJson } from "../../engine/values";
import type { VariableArgument } from "../arguments/stack-options";
import type { Terminal } from "../terminal";

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
  given: readonly VariableArgument[],
  { env, folder }: Pick<Terminal, "env" | "folder">,
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
export const fromLine = (given: readonly VariableArgument[], folder: string): Inputs =>
  Object.assign(
    {},
    ...given.map((one) =>
      one.from === "file"
        ? fromFile(path.resolve(folder, one.file))
        : { [one.name]: { from: "text", text: one.value, origin: "--var" } },
    ),
  );

const fromEnvironment = (env: Terminal["env"]): Inputs =>
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

function fromFile(file: string): Inputs {
  const values = file.endsWith(".json") ? readObject(file) : readVariableFile(readText(file), file);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { from: "json" as const, json: value, origin: file },
    ]),
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (problem) {
    return unusable(file, (problem as Error).message);
  }
}

function readObject(file: string): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = parseJson(readText(file));
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
    summary: "Unusable file of variables",
    detail: `${file} can't be used: ${why}.`,
  });
