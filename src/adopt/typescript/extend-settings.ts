import type { Code, Entry, ObjectCode } from "./code";
import type { ContainerDeclarations, PartDeclaration } from "./declarations";
import { type Edit, isOnLines, withProperties } from "./edit";
import type { InsertionPoint } from "./insertion-point";
import { settingsOf, withPath } from "./layers";
import { descendants, nameOf, newArguments, nodesOf, optionOf, type SyntaxNode } from "./source-tree";

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
      const value = optionOf(found.config, option);
      added.push(code);
      if (value === undefined) options.push([option, code]);
      else edits.push(...withProperties(source, value, (code as ObjectCode).entries));
    }
    if (options.length > 0) edits.push(...withProperties(source, found.config, options));
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
    const project = optionOf(config, "project");
    if (project?.type === "StringLiteral")
      found.set(String(project["value"]), { id: String(id["value"]), config });
  }
  return found;
}

/** An option that is not there yet, or one whose keys stand in an object literal. A spread may have either already. */
function hasPlace({ option, key }: PartDeclaration, config: SyntaxNode, source: string): boolean {
  const value = optionOf(config, option);
  if (value === undefined)
    return nodesOf(config, "properties").every(({ type }) => type === "ObjectProperty");
  return key !== undefined && value.type === "ObjectExpression" && isOnLines(config, source);
}
