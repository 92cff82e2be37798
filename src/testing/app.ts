import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseJson, stringifyJson } from "../json";

/** An app of cdktf or cdktn. */
export interface TestedApp {
  readonly outdir: string;
  readonly node: Node;
  synth(): void;
}

/** A stack of a cdktf or cdktn app. */
export interface TestedStack {
  readonly node: Node;
  prepareStack(): void;
}

interface Node {
  readonly id: string;
  readonly root: unknown;
}

/** The subject of a test: an app with all its stacks, or one stack. */
export type Tested = TestedApp | TestedStack;

/** The manifest of cdktf, which lists the synthesized stacks of an output folder. */
interface Manifest {
  readonly version: string;
  readonly constructor: new (version: string, outdir: string, hclOutput: boolean) => Manifest;
}

/** Returns the names of the stacks to process; an empty list for an app, which means all its stacks. */
export const stackNames = (tested: Tested): readonly string[] => (isApp(tested) ? [] : [tested.node.id]);

/**
 * Synthesizes the whole app, with its validations, into the given folder. Tests run in parallel and leave no files, so
 * each test uses a separate folder.
 * @throws the errors of the app's synthesis
 */
export function synthesizeTo(folder: string, tested: Tested): void {
  const app = isApp(tested) ? tested : appOf(tested);
  const { manifest } = app as TestedApp & { readonly manifest: Manifest };
  const own = new manifest.constructor(manifest.version, folder, false);
  // An object that inherits from the app, but writes to another folder.
  const elsewhere: TestedApp = Object.create(app, {
    outdir: { value: folder },
    manifest: { value: own },
  });
  elsewhere.synth();
}

const isApp = (tested: object): tested is TestedApp => "synth" in tested && "outdir" in tested;

function appOf({ node }: TestedStack): TestedApp {
  const { root } = node;
  if (typeof root === "object" && root !== null && isApp(root)) return root;
  throw new TypeError(
    `The stack ${JSON.stringify(node.id)} is in no app. Make it in an App, such as \`Testing.app()\` of cdktf.`,
  );
}

type JsonObject = Record<string, unknown>;

/**
 * Makes all synthesized stacks keep their states in a folder, instead of the backends that the app configures.
 * References between the stacks then read the states in this folder. A test must not touch the state of real
 * settings.
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

/** Returns the name and the configuration file of each stack. */
function stackFiles(output: string): { readonly name: string; readonly file: string }[] {
  const { stacks } = parseJson(readFileSync(path.join(output, "manifest.json"), "utf8")) as {
    readonly stacks: Readonly<Record<string, { readonly synthesizedStackPath: string }>>;
  };
  return Object.entries(stacks).map(([name, { synthesizedStackPath }]) => ({
    name,
    file: path.join(output, synthesizedStackPath),
  }));
}

/** Returns a key that is equal for a backend and for the data sources that read the backend's state. */
const keyOf = (type: string, config: unknown): string => `${type} ${stringifyJson(config ?? {})}`;

const objectIn = (parent: JsonObject, name: string): JsonObject => (parent[name] ?? {}) as JsonObject;
