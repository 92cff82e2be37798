const INTERFACE = /^export interface (\w+)( extends cdktf\.TerraformMetaArguments)? \{\n([\s\S]*?)\n?\}$/gm;
const PROPERTY = /^ {2}readonly (\w+)\??: (.+);$/gm;
const CONSTRUCTOR =
  /constructor\(scope: Construct, id: string, config: (\w+)[^\n]*\{\n {4}super\([\s\S]*?\n {4}\}\);\n/;

/**
 * Makes the constructors of a generated source refuse unknown keys. JavaScript ignores unknown keys, and TypeScript
 * finds them only in object literals.
 */
export function addKeyChecks(source: string): string {
  const properties = new Map(
    [...source.matchAll(INTERFACE)].map(([, name, meta, body]) => [
      name!,
      { hasMeta: meta !== undefined, all: [...body!.matchAll(PROPERTY)] },
    ]),
  );
  const tables: string[] = [];
  /** Writes the table of an interface, after the tables of the interfaces of its elements. */
  const tableOf = (name: string): string => {
    const { hasMeta, all } = properties.get(name)!;
    const keys = all.map(([, key, type]) => {
      const element = type!.match(/\w+/g)!.find((word) => properties.has(word));
      return `  ${key}: ${element === undefined ? "true" : tableOf(element)},\n`;
    });
    const table = `${name[0]!.toLowerCase()}${name.slice(1)}Keys`;
    tables.push(`const ${table}: Keys = {\n${hasMeta ? "  ...META_KEYS,\n" : ""}${keys.join("")}};\n`);
    return table;
  };
  const config = CONSTRUCTOR.exec(source)?.[1];
  if (config === undefined || !properties.has(config)) throw new Error(`No constructor in:\n${source}`);
  const check = `    refuseUnknownKeys(this, config, ${tableOf(config)});\n`;
  const imported = ["type Keys", properties.get(config)!.hasMeta ? "META_KEYS" : "", "refuseUnknownKeys"];
  return source
    .replace(CONSTRUCTOR, (head) => head + check)
    .replace(
      /^import .*\n(?!import )/m,
      (line) => `${line}import { ${imported.filter((name) => name !== "").join(", ")} } from "../../keys";\n`,
    )
    .concat(`\n${tables.join("\n")}`);
}
