import { EMAILS_VARIABLE, Emails } from "../model/emails";
import type { AdoptedContainer, AdoptOptions, LiveSettings } from "../model/live-settings";
import { type Code, type Entry, type ObjectCode, object, text } from "../typescript/code";
import {
  type ContainerDeclarations,
  declarationsOfAll,
  type PartDeclaration,
} from "../typescript/declarations";
import { applyEdits, type Edit, indentAt, isOnLines, reindented, withProperties } from "../typescript/edit";
import { type InsertionPoint, insertionPoint, mergeImport, moduleOf } from "../typescript/insertion-point";
import { settingsOf, withPath } from "../typescript/layers";
import { Names } from "../typescript/names";
import { printConstruct } from "../typescript/print";
import { type EmailNames, emailsVariable, SourceFile } from "../typescript/source-file";
import {
  descendants,
  nameOf,
  newArguments,
  nodeOf,
  nodesOf,
  optionOf,
  parseSource,
  type SyntaxNode,
} from "../typescript/source-tree";
import { shareStatements, statementsOf } from "../typescript/statements";
import { TypeScriptSource } from "./typescript-source";

/** The options for adding live settings to an existing app. */
export interface InsertOptions extends AdoptOptions {
  /** The name of the file, for errors. */
  readonly file: string;
  /** The ids of the constructs that the app has. */
  readonly constructIds: readonly string[];
  /** The name of the stack to add to, if the file has several stacks. */
  readonly stack?: string | undefined;
  /** Returns the fleet that contains a project, for the path of the project; undefined if no fleet contains it. */
  readonly fleetOf?: (path: string) => FleetPlace | undefined;
}

/** The place of a project in a fleet, as the state records it. */
export interface FleetPlace {
  /** The line of the fleet in the file, counted from 1. */
  readonly line: number;
  /** The key of the project's resource instances in the fleet, such as `42`. */
  readonly key: string;
  /** The paths of the fleet's resources below the stack, such as `acme/environments`, by type. */
  readonly resources: ReadonlyMap<string, string>;
}

/** A source with its additions. */
export interface Insertion {
  readonly text: string;
  /** All e-mail addresses of invitations by name; undefined if the app does not read addresses from a file. */
  readonly emails: Readonly<Record<string, string>> | undefined;
}

/**
 * Checks that declarations can be added to a source.
 *
 * @throws DiagnosticError if a source can't be parsed, or has no place for declarations
 */
export function requirePlace(source: string, file: string, stack?: string): void {
  insertionPoint(parseSource(source, file), file, stack);
}

/**
 * Returns whether declarations can be added to a stack of the source. If the addresses of invitations are needed, the
 * source must already declare the variable with the addresses.
 */
export function canTake(source: string, file: string, isEmailsFileNeeded: boolean): boolean {
  try {
    const program = parseSource(source, file);
    insertionPoint(program, file);
    return !isEmailsFileNeeded || emailAccess(program, new Names()).isDeclared;
  } catch {
    return false;
  }
}

/**
 * Adds declarations, with imports, to a source: to its fleets, to its `ProjectSettings`, and at the end of the stack. All other
 * code stays unchanged. Returns undefined if there is nothing to declare.
 *
 * @throws DiagnosticError if the source can't be parsed, or has no place for declarations
 */
export function insertIntoApp(
  before: string,
  settings: LiveSettings,
  options: InsertOptions,
): Insertion | undefined {
  const { file, allSettings, includeEmails, knownEmails, constructIds } = options;
  const fleets = extendFleets(before, settings, options);
  const source = fleets.text;
  const program = parseSource(source, file);
  const point = insertionPoint(program, file, options.stack);
  const { scope } = point;
  const names = new Names(source.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []);
  const ids = new Names([...constructIds, ...textsOf(program)]);
  const emails = new Emails(includeEmails, knownEmails);
  const access = emailAccess(program, names);
  const declarations = declarationsOfAll(
    { ...settings, containers: fleets.containers },
    {
      allSettings,
      emails,
      emailFunction: access.function,
    },
  );
  const extension = extendSettings(source, point, declarations);
  // Settings at the service's default are not added. The app may already declare a part of such a setting, such as single
  // entries of an allowlist.
  const rest = extension.rest.map((each) => ({ ...each, defaults: [] }));
  const statements = statementsOf(rest, ids, names);
  const imports = [...fleets.imports, ...extension.imports, ...statements.imports];
  if (imports.length === 0) return undefined;
  const { base, unit } = indentation(source, point);
  const indent = base.replaceAll("\t", "  ").length;
  const idOf = 'project.replaceAll("/", "-")';
  const code = new SourceFile({ scope, idOf, indent, constantIndent: indent });
  code.add(shareStatements(statements, names));
  for (const added of extension.added) code.use(added);
  const pad = " ".repeat(indent);
  const importIds = object(imports.map(([path, id]) => [text(path), text(id)]));
  const importsId = text(ids.take(["adopted-imports"], "-"));
  const isEmailsVariableMissing = emails.named !== undefined && !access.isDeclared;
  const blocks = [
    `${pad}// Live settings that this app did not declare, added by \`steward adopt\`.`,
    ...(isEmailsVariableMissing ? [emailsVariable(indent, scope, access)] : []),
    ...code.printConstants(),
    ...code.blocks,
    `${pad}// The next apply takes the live objects into the state. Delete this statement afterwards.\n` +
      `${pad}${printConstruct("ImportBlocks", [scope, importsId], importIds, indent)}`,
  ];
  // The comment belongs to the block below the comment, so no empty line comes between the comment and the block.
  const body = `${blocks[0]}\n${blocks.slice(1).join("\n\n")}`;
  const cdktf = isEmailsVariableMissing ? ["Fn", "TerraformVariable"] : [];
  const edits = [
    ...extension.edits,
    mergeImport(program, source, moduleOf(program, "TerraformStack", "cdktf"), cdktf),
    mergeImport(program, source, moduleOf(program, "StewardProvider", "cdktf-provider-steward"), [
      ...code.imported,
      "ImportBlocks",
    ]),
    insertedAt(source, point, reindented(body, indent, base, unit)),
  ].filter((edit) => edit !== undefined);
  return {
    text: applyEdits(source, edits),
    emails: emails.named && { ...knownEmails, ...emails.named },
  };
}

/** Declares live settings of the projects of a fleet in the layers of these projects. */
export function extendFleets(
  source: string,
  settings: LiveSettings,
  { file, allSettings, includeEmails, fleetOf }: InsertOptions,
) {
  const code = new TypeScriptSource(source, file);
  const imports: [string, string][] = [];
  const extended = (container: AdoptedContainer): AdoptedContainer => {
    const place = fleetOf?.(container.path);
    if (place === undefined) return container;
    const rest = container.objects.filter((one) => {
      const [declared] = declarationsOfAll(
        { ...settings, containers: [{ ...container, objects: [one] }] },
        { allSettings, emails: new Emails(includeEmails), emailFunction: "" },
      );
      const [part] = declared!.parts;
      const resource = place.resources.get(one.type);
      if (part === undefined || resource === undefined) return true;
      const key = layerKey(part);
      const path = [part.option, ...(key === undefined ? [] : [key])];
      if (key === "" || code.extend(place.line, container.path, path, part.value) !== undefined) return true;
      const instance = key === undefined ? place.key : `${place.key}:${key}`;
      imports.push([`${resource}[${instance}]`, part.single.importId]);
      return false;
    });
    return { ...container, objects: rest };
  };
  const containers = settings.containers.map(extended);
  return { text: code.text, containers, imports };
}

/** Returns the key of a part in a layer: an empty text if the key is computed, or undefined if the part has no key. */
function layerKey({ key }: PartDeclaration): string | undefined {
  if (key === undefined) return undefined;
  if (key.kind === "text") return key.text;
  return key.kind === "own-path" ? `{project}${key.rest}` : "";
}

/**
 * Returns the names of the variable with the e-mail addresses and of the function that reads one address, and whether the code
 * declares both.
 */
function emailAccess(program: SyntaxNode, names: Names): EmailNames & { readonly isDeclared: boolean } {
  const nodes = [...descendants(program)];
  const hasVariable = nodes.some((node) => {
    const id = newArguments(node, "TerraformVariable")?.[1];
    return id?.type === "StringLiteral" && id["value"] === EMAILS_VARIABLE;
  });
  const hasFunction = nodes.some(
    (node) => node.type === "VariableDeclarator" && nameOf(nodeOf(node, "id")) === "email",
  );
  if (hasVariable && hasFunction) return { variable: "emails", function: "email", isDeclared: true };
  return { variable: names.take(["emails"]), function: names.take(["email"]), isDeclared: false };
}

/** Returns all string literals of a source, which include the ids of constructs. */
const textsOf = (program: SyntaxNode): string[] =>
  [...descendants(program)]
    .filter(({ type }) => type === "StringLiteral")
    .map((node) => String(node["value"]));

/** Returns the indentation of statements at an insertion point, and the unit by which the source indents each level. */
function indentation(source: string, { at, isEndOfBlock }: InsertionPoint): { base: string; unit: string } {
  const lines = source.slice(0, at).split("\n");
  const outer = /^[\t ]*/.exec(lines.at(-1)!)![0];
  if (!isEndOfBlock) return { base: outer, unit: "  " };
  const last = lines.slice(0, -1).findLast((line) => line.trim() !== "") ?? "";
  const inner = /^[\t ]*/.exec(last)![0];
  const isDeeper = inner.length > outer.length && inner.startsWith(outer) && lines.at(-1)!.trim() === "";
  if (outer.includes("\t") || inner.includes("\t")) return { base: `${outer}\t`, unit: "\t" };
  const unit = isDeeper && (inner.length - outer.length) % 4 === 0 ? "    " : "  ";
  return { base: `${outer}${unit}`, unit };
}

function insertedAt(source: string, { at, isEndOfBlock }: InsertionPoint, body: string): Edit {
  const lineStart = source.lastIndexOf("\n", at - 1) + 1;
  const before = source.slice(lineStart, at);
  if (!isEndOfBlock) return { start: lineStart, end: lineStart, text: `${body}\n\n` };
  if (before.trim() === "") return { start: lineStart, end: lineStart, text: `\n${body}\n` };
  return { start: at, end: at, text: `\n${body}\n${indentAt(source, at)}` };
}

/**
 * Adds parts of a project's settings to the `ProjectSettings` of the project. The construct must be created in the stack itself,
 * with the project and its id as literals. The result has `rest`: the parts that can't be added.
 */
function extendSettings(
  source: string,
  point: InsertionPoint,
  declarations: readonly ContainerDeclarations[],
) {
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

/** Returns each `ProjectSettings` of a stack by the path of its project. */
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

/**
 * Returns whether an option can be added to a construct. Returns true if the construct lacks the option, or if the option is an
 * object literal with keys. Returns false if a spread can already contain the option.
 */
function hasPlace({ option, key }: PartDeclaration, config: SyntaxNode, source: string): boolean {
  const value = optionOf(config, option);
  if (value === undefined)
    return nodesOf(config, "properties").every(({ type }) => type === "ObjectProperty");
  return key !== undefined && value.type === "ObjectExpression" && isOnLines(config, source);
}
