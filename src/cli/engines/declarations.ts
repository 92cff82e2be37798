import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * What steward has to know of a configuration that another engine works on, as far as it is written in JSON. What is wrong
 * with it that engine tells, and knows better.
 */
export interface Declarations {
  /** Names of variables. */
  readonly variables: ReadonlySet<string>;
  /** Construct paths by address, such as `steward_job_token_scope.limit`; nothing where there is none. */
  readonly resources: ReadonlyMap<string, string | undefined>;
  /** Where the state is kept: `local` where nothing is said. */
  readonly backend: string;
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
        Object.entries(names).map(([name, body]) => [`${type}.${name}`, constructOf(body)] as const),
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

function constructOf(body: unknown): string | undefined {
  const [{ "//": note } = {}] = blocks(body);
  const metadata = isObject(note) ? note["metadata"] : undefined;
  const construct = isObject(metadata) ? metadata["path"] : undefined;
  return typeof construct === "string" ? construct : undefined;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // The engine reads it too, and says what is wrong with it and where.
    return undefined;
  }
}
