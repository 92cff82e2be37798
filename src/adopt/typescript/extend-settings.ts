import type { Code, Entry, ObjectCode } from "./code";
import type { ContainerDeclarations, PartDeclaration } from "./declarations";
import { indentAt, reindented, unitOf } from "./edit";
import type { Edit, InsertionPoint } from "./insertion-point";
import { settingsOf, withPath } from "./layers";
import { printProperty } from "./print";
import { descendants, nameOf, newArguments, nodeOf, nodesOf, type SyntaxNode } from "./source-tree";

/** What is added to the `ProjectSettings` that an app has. */
export interface Extension {
  readonly edits: readonly Edit[];
  /** What was added, for the imports that it needs. */
  readonly added: readonly Code[];
  /** Import ids by construct path below the stack. */
  readonly imports: readonly (readonly [path: string, id: string])[];
  /** What has no place there. */
  readonly rest: readonly ContainerDeclarations[];
}

/**
 * Adds parts of a project's settings to the `ProjectSettings` that declares others of them, where it names the project and
 * its own id as literals and is made in the stack itself.
 */
export function extendSettings(
  source: string,
  point: InsertionPoint,
  declarations: readonly ContainerDeclarations[],
): Extension {
  const settings = settingsIn(point);
  const edits: Edit[] = [];
  const added: Code[] = [];
  const imports: [string, string][] = [];
  const rest = declarations.map((declared): ContainerDeclarations => {
    const { kind, path } = declared.container;
    const found = kind === "project" ? settings.get(path) : undefined;
    if (found === undefined) return declared;
    const parts = declared.parts.filter((part) => hasPlace(part, found.config, source));
    const options: Entry[] = [];
    for (const [name, code] of withPath(settingsOf(parts), path).entries) {
      const option = name as string;
      const value = propertyOf(found.config, option);
      added.push(code);
      if (value === undefined) options.push([option, code]);
      else edits.push(...inserted(source, value, (code as ObjectCode).entries));
    }
    if (options.length > 0) edits.push(...inserted(source, found.config, options));
    imports.push(
      ...parts.map(({ child, single }): [string, string] => [`${found.id}/${child}`, single.importId]),
    );
    return { ...declared, parts: declared.parts.filter((part) => !parts.includes(part)) };
  });
  return { edits, added, imports, rest };
}

interface Settings {
  readonly id: string;
  readonly config: SyntaxNode;
}

/** The `ProjectSettings` of a stack by the project that they name. */
function settingsIn({ body, scope }: InsertionPoint): ReadonlyMap<string, Settings> {
  const found = new Map<string, Settings>();
  for (const node of descendants(body)) {
    const [parent, id, config] = newArguments(node, "ProjectSettings") ?? [];
    const isOfStack = scope === "this" ? parent?.type === "ThisExpression" : nameOf(parent) === scope;
    if (!isOfStack || id?.type !== "StringLiteral" || config?.type !== "ObjectExpression") continue;
    const project = propertyOf(config, "project");
    if (project?.type === "StringLiteral")
      found.set(String(project["value"]), { id: String(id["value"]), config });
  }
  return found;
}

/** An option that is not there yet, or one whose keys stand in an object literal. A spread may have either already. */
function hasPlace({ option, key }: PartDeclaration, config: SyntaxNode, source: string): boolean {
  const value = propertyOf(config, option);
  if (value === undefined)
    return nodesOf(config, "properties").every(({ type }) => type === "ObjectProperty");
  return key !== undefined && value.type === "ObjectExpression" && isOnLines(config, source);
}

/** Whether the properties of an object literal stand on lines of their own. */
function isOnLines(node: SyntaxNode, source: string): boolean {
  const last = nodesOf(node, "properties").at(-1);
  return last !== undefined && source.slice(node.start, last.start).includes("\n");
}

/** The value of a property of an object literal. */
function propertyOf(config: SyntaxNode, name: string): SyntaxNode | undefined {
  const property = nodesOf(config, "properties").find((each) => {
    const key = nodeOf(each, "key");
    return each["computed"] !== true && (nameOf(key) ?? key?.["value"]) === name;
  });
  return nodeOf(property, "value");
}

/** Adds properties at the end of an object literal, in the way that its others are written. */
function inserted(source: string, node: SyntaxNode, entries: readonly Entry[]): Edit[] {
  const last = nodesOf(node, "properties").at(-1);
  const outer = indentAt(source, node.start);
  const isOpen = isOnLines(node, source);
  const own = isOpen ? indentAt(source, last!.start) : `${outer}${unitOf(outer)}`;
  const column = own.replaceAll("\t", "  ").length;
  const lines = entries.map((entry) => {
    const printed = `${" ".repeat(column)}${printProperty(entry, column)}`;
    return `${reindented(printed, column, own)},`;
  });
  const whole = (text: readonly string[]): Edit[] => [
    { start: node.start, end: node.end, text: `{\n${text.join("\n")}\n${outer}}` },
  ];
  if (last === undefined) return whole(lines);
  // What stands on one line gets several.
  if (!isOpen) {
    const properties = nodesOf(node, "properties").map(
      ({ start, end }) => `${own}${source.slice(start, end)},`,
    );
    return whole([...properties, ...lines]);
  }
  const [tail] = source.slice(last.end, node.end - 1).split("\n");
  const [behind] = /^\s*,?[^\S\n]*(?:\/\/.*|\/\*.*?\*\/)?/.exec(tail!)!;
  const at = last.end + behind.trimEnd().length;
  const comma = behind.trimStart().startsWith(",") ? "" : ",";
  const added = `\n${lines.join("\n")}`;
  if (at === last.end) return [{ start: at, end: at, text: `${comma}${added}` }];
  const edits: Edit[] = [{ start: at, end: at, text: added }];
  return comma === "" ? edits : [{ start: last.end, end: last.end, text: comma }, ...edits];
}
