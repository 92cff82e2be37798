import { EMAILS_FILE, EMAILS_VARIABLE } from "../model/emails";
import { commentText } from "../model/source-text";
import { type Code, type Entry, expression, list, type ObjectCode, object, text } from "./code";
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
  readonly comment?: string;
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
  /** The options that are spread, values that refer to them, and the baseline. */
  readonly constants: readonly PrintedConstant[];
  readonly settings: ObjectCode;
  /** The projects with what they have otherwise. */
  readonly entries: readonly (readonly [path: string, own: Code])[];
}

/** Names the values that occur more than twice in statements. */
export function shareStatements({ loops, sections }: AppStatements, names: Names): SharedStatements {
  const shared: Code[] = [];
  const root = (code: Code): number => shared.push(code) - 1;
  const loopRoots = loops.map(({ options, variants, baseline, settings, projects }) => ({
    // In its option, after which the constants in it are named.
    options: options.map(({ option, value }) => root(object([[option, value]]))),
    variants: variants.map(({ value }) => root(value)),
    baseline: root(baseline?.value ?? object([])),
    settings: root(settings),
    owns: projects.map(({ own }) => root(own)),
  }));
  const constructs = sections.flatMap((section) => section.statements);
  const configRoots = new Map(constructs.map((one) => [one, root(one.config)]));
  const { constants, roots } = shareRepeated(shared, names);
  const typed = constants.map(({ name, value }) => {
    const type = value.kind === "list" && !isUniform(value.items) ? value.elementType : undefined;
    return { name, value, type: type && `${type}[]` };
  });
  // What refers to an option of a loop stands below it.
  const below = loops.map(({ options }) => {
    const known = new Set(options.map(({ name }) => name));
    return typed.filter(({ name, value }) => refersTo(value, known) && known.add(name));
  });
  return {
    constants: typed.filter((one) => !below.flat().includes(one)),
    loops: loops.map((loop, index) => {
      const own = loopRoots[index]!;
      const { baseline, options, variants, projects } = loop;
      const value = roots[own.baseline]!;
      return {
        loop,
        constants: [
          ...options.map(({ name }, at) => ({ name, value: onlyValue(roots[own.options[at]!]!) })),
          ...below[index]!,
          ...variants.map(({ name }, at) => ({ name, value: roots[own.variants[at]!]! })),
          ...(baseline === undefined
            ? []
            : [{ name: baseline.name, value, type: SETTINGS, comment: BASELINE_COMMENT }]),
        ],
        settings: roots[own.settings] as ObjectCode,
        entries: projects.map(({ path }, at) => [path, roots[own.owns[at]!]!] as const),
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
  const groups = loops.flatMap((shared) => {
    const { projectsName, baseline } = shared.loop;
    const projects = projectsOf(shared);
    const type = baseline && `Record<string, ${SETTINGS}>`;
    return [
      ...shared.constants.map(constant),
      ...(projectsName === undefined ? [] : [constant({ name: projectsName, type, value: projects })]),
    ];
  });
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
  return { constants: [...joinBlocks(printed), ...groups], blocks, imported };
}

/** The projects of a loop: their paths, or a table with what they have otherwise. */
export const projectsOf = ({ loop, entries }: SharedLoop): Code =>
  loop.baseline === undefined
    ? list(entries.map(([path]) => text(path)))
    : object(entries.map(([path, own]): Entry => [text(path), own]));

/** A constant as a statement; notes what the package has to export for it. */
export function printConstant(
  { name, value, type, comment }: PrintedConstant,
  indent: number,
  imported: Set<string>,
  isExported = false,
): string {
  const pad = " ".repeat(indent);
  const element = /^(\w+)\[\]$/.exec(type ?? "")?.[1];
  if (element !== undefined) imported.add(`type ${element}`);
  if (type?.includes("ProjectSettingsConfig")) imported.add("type ProjectSettingsConfig");
  collectEnumerations(value, imported);
  const head = `${isExported ? "export " : ""}const ${name}${type === undefined ? "" : `: ${type}`} =`;
  const line = `${pad}${assigned(head, value, { indent, column: indent, after: 1 })};`;
  return comment === undefined ? line : `${pad}${comment}\n${line}`;
}

/** Whether code refers to a constant, or to a part of it. */
const refersTo = (code: Code, names: ReadonlySet<string>): boolean =>
  code.kind === "expression"
    ? names.has(/^\w+/.exec(code.text)?.[0] ?? "")
    : code.kind === "list"
      ? code.items.some((item) => refersTo(item, names))
      : code.kind === "object" && code.entries.some(([, value]) => refersTo(value, names));

/** Whether elements have the same properties, so that the type of their list follows from them. */
const isUniform = (items: readonly Code[]): boolean =>
  new Set(items.map((item) => item.kind === "object" && item.entries.map(([name]) => name).join())).size < 2;

/** The value of the one option of an object. */
const onlyValue = (code: Code): Code => (code as ObjectCode).entries[0]![1];

const BASELINE_COMMENT =
  "/** What a project has. An option of its own entry stands in place of the option here; `{}` leaves that out. */";
export const SETTINGS = 'Omit<ProjectSettingsConfig, "project">';

/** A loop over projects, which are given by a name or as they are; notes what the package has to export for it. */
export function printLoop(
  { loop: { baseline }, settings }: SharedLoop,
  projects: Code,
  { scope, idOf, indent }: Pick<Placement, "scope" | "idOf" | "indent">,
  imported: Set<string>,
): string {
  const pad = " ".repeat(indent);
  const spread = (name: string): Entry => [`...${name}`, expression(name)];
  const config = object([
    ["project", expression("project")],
    ...(baseline === undefined ? [] : [spread(baseline.name)]),
    ...settings.entries,
    ...(baseline === undefined ? [] : [spread("own")]),
  ]);
  imported.add("ProjectSettings");
  collectEnumerations(settings, imported);
  const statement = printConstruct("ProjectSettings", [scope, expression(idOf)], config, indent + 2);
  const place = { indent, column: indent + "for (const project of ".length, after: ") {".length };
  const over =
    baseline === undefined
      ? `project of ${print(projects, place)}`
      : `[project, own] of Object.entries(${print(projects, place)})`;
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
  let wasShort = false;
  for (const each of texts) {
    const isShort = !each.includes("\n");
    if (isShort && wasShort) blocks.push(`${blocks.pop()}\n${each}`);
    else blocks.push(each);
    wasShort = isShort;
  }
  return blocks;
}

/** The enumerations that code takes members of. */
export function collectEnumerations(code: Code, into: Set<string>): void {
  if (code.kind === "expression") {
    const enumeration = /^([A-Z][a-z]\w*)\.\w+$/.exec(code.text)?.[1];
    if (enumeration !== undefined) into.add(enumeration);
  } else if (code.kind === "list") for (const item of code.items) collectEnumerations(item, into);
  else if (code.kind === "object") for (const [, value] of code.entries) collectEnumerations(value, into);
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
