import { readdirSync } from "node:fs";
import path from "node:path";
import { readFileNow } from "../../files";
import { parseJson } from "../../json";
import { type Lifecycle, parseTraversal, type Traversal } from "../../language";

/**
 * What steward has to know of a configuration that another engine works on, as far as it is written in JSON. What is wrong
 * with it that engine tells, and knows better.
 */
export interface Declarations {
  /** Names of variables. */
  readonly variables: ReadonlySet<string>;
  /** By address, such as `steward_job_token_scope.limit`. */
  readonly resources: ReadonlyMap<string, DeclaredResource>;
  /** Where the state is kept: `local` where nothing is said. */
  readonly backend: string;
}

/** What is written of one resource. */
export interface DeclaredResource {
  /** The path of its construct, where it has one. */
  readonly construct: string | undefined;
  readonly ignoreChanges: Lifecycle["ignoreChanges"];
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A block is an object, or a list of objects. */
const blocks = (value: unknown): JsonObject[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => isObject(one));

export function readDeclarations(folder: string): Declarations {
  const roots = readdirSync(folder)
    .filter((name) => name.endsWith(".tf.json"))
    .map((name) => readJson(path.join(folder, name)))
    .filter(isObject);
  const all = (keyword: string) => roots.flatMap((root) => blocks(root[keyword]));
  const resources = all("resource").flatMap((types) =>
    Object.entries(types).flatMap(([type, named]) =>
      blocks(named).flatMap((names) =>
        Object.entries(names).map(([name, body]) => [`${type}.${name}`, declaredResource(body)] as const),
      ),
    ),
  );
  const backends = all("terraform").flatMap(({ backend, cloud }) => [
    ...blocks(backend).flatMap(Object.keys),
    ...(cloud === undefined ? [] : ["cloud"]),
  ]);
  return {
    variables: new Set(all("variable").flatMap(Object.keys)),
    resources: new Map(resources),
    backend: backends.find((name) => name !== "//") ?? "local",
  };
}

function declaredResource(body: unknown): DeclaredResource {
  const [block = {}] = blocks(body);
  const [{ ignore_changes: ignored } = {}] = blocks(block["lifecycle"]);
  const paths = Array.isArray(ignored) ? ignored.filter((one) => typeof one === "string") : [];
  return {
    construct: constructOf(block),
    ignoreChanges: ignored === "all" ? ignored : paths.flatMap(traversalIn),
  };
}

function traversalIn(text: string): Traversal[] {
  try {
    return [parseTraversal(text)];
  } catch {
    // The engine parses it too, and says what is wrong with it.
    return [];
  }
}

function constructOf({ "//": note }: JsonObject): string | undefined {
  const metadata = isObject(note) ? note["metadata"] : undefined;
  const construct = isObject(metadata) ? metadata["path"] : undefined;
  return typeof construct === "string" ? construct : undefined;
}

function readJson(file: string): unknown {
  try {
    return parseJson(readFileNow(file).toString("utf8"));
  } catch {
    // The engine reads it too, and says what is wrong with it and where.
    return undefined;
  }
}
