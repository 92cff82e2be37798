import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseJson, stringifyJson } from "../json";

type JsonObject = Record<string, unknown>;

/**
 * Moves the states of all synthesized stacks into a folder, whatever backends the app configures, and lets references between
 * the stacks read them there: a test must not touch a state of real settings.
 */
export function useLocalStates(output: string, states: string): void {
  const files = stackFiles(output);
  const configurations = files.map(({ file }) => parseJson(readFileSync(file, "utf8")) as JsonObject);
  const moved = new Map<string, string>();
  configurations.forEach((configuration, at) => {
    const terraform = objectIn(configuration, "terraform");
    const local = path.join(states, `${files[at]!.name}.tfstate`);
    for (const [type, config] of Object.entries(objectIn(terraform, "backend")))
      moved.set(keyOf(type, config), local);
    terraform["backend"] = { local: { path: local } };
    configuration["terraform"] = terraform;
  });
  configurations.forEach((configuration, at) => {
    const remote = objectIn(objectIn(configuration, "data"), "terraform_remote_state");
    for (const source of Object.values(remote) as JsonObject[]) {
      const local = moved.get(keyOf(String(source["backend"]), source["config"]));
      if (local === undefined) continue;
      source["backend"] = "local";
      source["config"] = { path: local };
    }
    writeFileSync(files[at]!.file, stringifyJson(configuration));
  });
}

/** The configuration of each stack, by name. */
function stackFiles(output: string): { readonly name: string; readonly file: string }[] {
  const { stacks } = parseJson(readFileSync(path.join(output, "manifest.json"), "utf8")) as {
    readonly stacks: Readonly<Record<string, { readonly synthesizedStackPath: string }>>;
  };
  return Object.entries(stacks).map(([name, { synthesizedStackPath }]) => ({
    name,
    file: path.join(output, synthesizedStackPath),
  }));
}

/** Equal for a backend and for the data sources that read its state. */
const keyOf = (type: string, config: unknown): string => `${type} ${stringifyJson(config ?? {})}`;

const objectIn = (parent: JsonObject, name: string): JsonObject => (parent[name] ?? {}) as JsonObject;
