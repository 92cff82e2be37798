import { EMAILS_FILE, EMAILS_VARIABLE } from "../model/emails";
import { commentText } from "../model/source-text";
import {
  type Code,
  type Entry,
  expression,
  expressionsIn,
  list,
  type ObjectCode,
  object,
  text,
} from "./code";
import type { Names } from "./names";
import { assigned, print, printConstruct } from "./print";
import { shareRepeated } from "./share";
import type { AppStatements, ConstructStatement, LoopStatement } from "./statements";

/** The parts of the source that declares something, with repeated values named. */
export interface SourceParts {
  /** Constants, before everything else. */
  readonly constants: readonly string[];
  /** Statements of the stack's constructor, each a block of lines; blocks are separated by a blank line. */
  readonly blocks: readonly string[];
  /** Names that the package has to export to it; `type` before those that are types alone. */
  readonly imported: ReadonlySet<string>;
}

/** Where statements are printed. */
interface Placement {
  /** The scope of the constructs, such as `this`. */
  readonly scope: string;
  /** The expression for the construct id of `project`, in loops. */
  readonly idOf: string;
  readonly indent: number;
  readonly constantIndent: number;
}

/** A constant of the source. */
export interface PrintedConstant {
  readonly name: string;
  readonly value: Code;
  /** Its type, where the value alone has another one. */
  readonly type?: string | undefined;
}

/** Statements with names in place of repeated values. */
export interface SharedStatements {
  /** Repeated values, each after those that it names. */
  readonly constants: readonly PrintedConstant[];
  readonly loops: readonly SharedLoop[];
  readonly configOf: (statement: ConstructStatement) => Code;
}

export interface SharedLoop {
  readonly loop: LoopStatement;
  /** What several projects have otherwise, and the baseline. */
  readonly constants: readonly PrintedConstant[];
  readonly settings: ObjectCode;
  /** The projects with what they have otherwise. */
  readonly entries: readonly (readonly [path: string, layers: Code])[];
}

/** Names the values that occur more than twice in statements. */
export function shareStatements({ loops, sections }: AppStatements, names: Names): SharedStatements {
  const shared: Code[] = [];
  const root = (code: Code): number => shared.push(code) - 1;
  const loopRoots = loops.map(({ variants, baseline, settings, projects }) => ({
    variants: variants.map(({ value }) => root(value)),
    baseline: root(baseline?.value ?? object([])),
    settings: root(settings),
    // Each by itself: what a project has otherwise stays in its entry.
    layers: projects.map(({ layers }) => layers.map(root)),
  }));
  const constructs = sections.flatMap((section) => section.statements);
  const configRoots = new Map(constructs.map((one) => [one, root(one.config)]));
  const { constants, roots } = shareRepeated(shared, names);
  const typed = constants.map(({ name, value }) => {
    const type = value.kind === "list" && !isUniform(value.items) ? value.elementType : undefined;
    return { name, value, type: type && `${type}[]` };
  });
  return {
    constants: typed,
    loops: loops.map((loop, index) => {
      const own = loopRoots[index]!;
      const { baseline, variants, projects } = loop;
      const value = roots[own.baseline]!;
      return {
        loop,
        constants: [
          ...variants.map(({ name }, at) => ({ name, type: LAYER, value: roots[own.variants[at]!]! })),
          ...(baseline === undefined ? [] : [{ name: baseline.name, value, type: BASELINE }]),
        ],
        settings: roots[own.settings] as ObjectCode,
        entries: projects.map(
          ({ path }, at) => [path, list(own.layers[at]!.map((layer) => roots[layer]!))] as const,
        ),
      };
    }),
    configOf: (statement) => roots[configRoots.get(statement)!]!,
  };
}

/** Prints statements with repeated values named. */
export function printStatements(
  statements: AppStatements,
  names: Names,
  { scope, idOf, indent, constantIndent }: Placement,
): SourceParts {
  const { constants, loops, configOf } = shareStatements(statements, names);
  const { sections } = statements;
  const imported = new Set<string>();
  const constant = (one: PrintedConstant) => printConstant(one, constantIndent, imported);
  const printed = constants.map(constant);
  const groups = loops.flatMap((shared) => [...shared.constants, ...projectsConstant(shared)].map(constant));
  const blocks = [
    ...loops.map((shared) => {
      const { projectsName } = shared.loop;
      const projects = projectsName === undefined ? projectsOf(shared) : expression(projectsName);
      return printLoop(shared, projects, { scope, idOf, indent }, imported);
    }),
    ...sections.flatMap(({ namespace, statements: own }) => {
      const lines = own.map((one) => printStatement(one, configOf(one), { scope, indent }, imported));
      const title = sections.length > 1 ? [`${" ".repeat(indent)}// ${commentText(namespace)}`] : [];
      return joinBlocks(lines).map((block, at) => (at === 0 ? [...title, block].join("\n") : block));
    }),
  ];
  return { constants: joinBlocks([...printed, ...groups]), blocks, imported };
}

/** The projects of a loop: their paths, or a table with what they have otherwise. */
export const projectsOf = ({ loop, entries }: SharedLoop): Code =>
  loop.baseline === undefined
    ? list(entries.map(([path]) => text(path)))
    : object(entries.map(([path, layers]): Entry => [text(path), layers]));

/** The constant with the projects of a loop, if they are many. */
export const projectsConstant = (shared: SharedLoop): readonly PrintedConstant[] => {
  const { projectsName: name, baseline } = shared.loop;
  return name === undefined ? [] : [{ name, type: baseline && TABLE, value: projectsOf(shared) }];
};

/** A constant as a statement; notes what the package has to export for it. */
export function printConstant(
  { name, value, type }: PrintedConstant,
  indent: number,
  imported: Set<string>,
  isExported = false,
): string {
  const pad = " ".repeat(indent);
  noteType(type ?? "", imported);
  collectEnumerations(value, imported);
  const head = `${isExported ? "export " : ""}const ${name}${type === undefined ? "" : `: ${type}`} =`;
  const line = `${pad}${assigned(head, value, { indent, column: indent, after: 1 })};`;
  return type === BASELINE ? `${pad}${BASELINE_COMMENT}\n${line}` : line;
}

/** Notes what the package has to export for a type. */
export function noteType(type: string, imported: Set<string>): void {
  for (const [name] of type.matchAll(/(?!Record\b)[A-Z]\w+/g)) imported.add(`type ${name}`);
}

/** Whether elements have the same properties, so that the type of their list follows from them. */
const isUniform = (items: readonly Code[]): boolean =>
  new Set(items.map((item) => item.kind === "object" && item.entries.map(([name]) => name).join())).size < 2;

const BASELINE = "FleetBaseline";
const LAYER = "FleetLayerSettings";
/** What projects have otherwise, by their paths. */
export const TABLE = `Record<string, readonly ${LAYER}[]>`;
const BASELINE_COMMENT =
  "/** What a project has. The layers in its entry change attributes of it; `Fleet.unmanaged` leaves one out. */";

/** A loop over projects, which are given by a name or as they are; notes what the package has to export for it. */
export function printLoop(
  { loop: { baseline }, settings }: SharedLoop,
  projects: Code,
  { scope, idOf, indent }: Pick<Placement, "scope" | "idOf" | "indent">,
  imported: Set<string>,
): string {
  const pad = " ".repeat(indent);
  imported.add("ProjectSettings");
  if (baseline !== undefined) imported.add("Fleet");
  collectEnumerations(settings, imported);
  const config =
    baseline === undefined
      ? object([["project", expression("project")], ...settings.entries])
      : expression(`Fleet.merge(project, ${baseline.name}, layers)`);
  const statement = printConstruct("ProjectSettings", [scope, expression(idOf)], config, indent + 2);
  const place = { indent, column: indent + "for (const project of ".length, after: ") {".length };
  const over =
    baseline === undefined
      ? `project of ${print(projects, place)}`
      : `[project, layers] of Object.entries(${print(projects, place)})`;
  return `${pad}for (const ${over}) {\n${pad}  ${statement}\n${pad}}`;
}

/** A statement that makes a construct; notes what the package has to export for it. */
export function printStatement(
  { construct, id }: ConstructStatement,
  config: Code,
  { scope, indent }: Pick<Placement, "scope" | "indent">,
  imported: Set<string>,
): string {
  imported.add(construct);
  collectEnumerations(config, imported);
  return `${" ".repeat(indent)}${printConstruct(construct, [scope, text(id)], config, indent)}`;
}

/** Texts of several lines as blocks of their own; those of one line together. */
export function joinBlocks(texts: readonly string[]): string[] {
  const blocks: string[] = [];
  let isPreviousShort = false;
  for (const each of texts) {
    const isShort = !each.includes("\n");
    if (isShort && isPreviousShort) blocks.push(`${blocks.pop()}\n${each}`);
    else blocks.push(each);
    isPreviousShort = isShort;
  }
  return blocks;
}

/** The enumerations that code takes members of. */
export function collectEnumerations(code: Code, into: Set<string>): void {
  for (const text of expressionsIn(code)) {
    const enumeration = /^([A-Z][a-z]\w*)\.\w+$/.exec(text)?.[1];
    if (enumeration !== undefined) into.add(enumeration);
  }
}

/** How construct ids follow from paths, in loops. */
export const ID_OF = `/** The construct id of a project. Addresses in the state follow from it. */
const idOf = (project: string) => project.replaceAll("/", "-");`;

/** The names with which the code takes an address from the variable. */
export interface EmailNames {
  readonly variable: string;
  readonly function: string;
}

export const EMAIL_NAMES: EmailNames = { variable: "emails", function: "email" };

/** The variable with the addresses of invitations, and the function that takes one by its name. */
export function emailsVariable(indent: number, scope: string, names: EmailNames): string {
  const pad = " ".repeat(indent);
  const { variable } = names;
  return [
    `${pad}// The addresses of invitations are in ${EMAILS_FILE}, which is not committed.`,
    `${pad}const ${variable} = new TerraformVariable(${scope}, "${EMAILS_VARIABLE}", { type: "map(string)" });`,
    `${pad}const ${names.function} = (name: string) => Fn.lookupNested(${variable}.value, [name]);`,
  ].join("\n");
}
