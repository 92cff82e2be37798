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

/** Prints statements with repeated values named. */
export function printStatements(
  { loops, sections }: AppStatements,
  names: Names,
  { scope, idOf, indent, constantIndent }: Placement,
): SourceParts {
  const constructs = sections.flatMap((section) => section.statements);
  const shared: Code[] = [];
  const root = (code: Code): number => shared.push(code) - 1;
  const loopRoots = loops.map(({ options, baseline, settings, projects }) => ({
    // In its option, after which the constants in it are named.
    options: options.map(({ option, value }) => root(object([[option, value]]))),
    baseline: root(baseline?.value ?? object([])),
    settings: root(settings),
    owns: projects.map(({ own }) => root(own)),
  }));
  const configRoots = new Map(constructs.map((one) => [one, root(one.config)]));
  const { constants, roots } = shareRepeated(shared, names);
  const projectsOf = (
    { projects, baseline }: LoopStatement,
    { owns }: { readonly owns: readonly number[] },
  ): Code =>
    baseline === undefined
      ? list(projects.map(({ path }) => text(path)))
      : object(projects.map(({ path }, at): Entry => [text(path), roots[owns[at]!]!]));
  const imported = new Set<string>();
  if (loops.length > 0) imported.add("ProjectSettings");
  if (loops.some(({ baseline }) => baseline !== undefined)) imported.add("type ProjectSettingsConfig");
  for (const one of constructs) imported.add(one.construct);
  for (const code of [...roots, ...constants.map(({ value }) => value)]) collectEnumerations(code, imported);
  const pad = " ".repeat(constantIndent);
  const at = { indent: constantIndent, column: constantIndent, after: 1 };
  const constant = (name: string, type: string | undefined, value: Code): string =>
    `${pad}${assigned(`const ${name}${type === undefined ? "" : `: ${type}`} =`, value, at)};`;
  const printed = constants.map(({ name, value }) => {
    const type = value.kind === "list" ? value.elementType : undefined;
    if (type !== undefined) imported.add(`type ${type}`);
    return constant(name, type === undefined ? undefined : `${type}[]`, value);
  });
  const groups = loops.flatMap((loop, index) => {
    const { projectsName, baseline, options } = loop;
    const own = loopRoots[index]!;
    return [
      ...options.map(({ name }, each) => constant(name, undefined, onlyValue(roots[own.options[each]!]!))),
      ...(baseline === undefined
        ? []
        : [`${pad}${BASELINE_COMMENT}\n${constant(baseline.name, SETTINGS, roots[own.baseline]!)}`]),
      ...(projectsName === undefined
        ? []
        : [constant(projectsName, baseline && `Record<string, ${SETTINGS}>`, projectsOf(loop, own))]),
    ];
  });
  const blocks = [
    ...loops.map((loop, at) =>
      printLoop(loop, projectsOf(loop, loopRoots[at]!), roots[loopRoots[at]!.settings] as ObjectCode, {
        scope,
        idOf,
        indent,
      }),
    ),
    ...sections.flatMap(({ namespace, statements }) => {
      const lines = statements.map((one) =>
        printStatement(one, roots[configRoots.get(one)!]!, scope, indent),
      );
      const title = sections.length > 1 ? [`${" ".repeat(indent)}// ${commentText(namespace)}`] : [];
      return joinBlocks(lines).map((block, at) => (at === 0 ? [...title, block].join("\n") : block));
    }),
  ];
  return { constants: [...joinBlocks(printed), ...groups], blocks, imported };
}

/** The value of the one option of an object. */
const onlyValue = (code: Code): Code => (code as ObjectCode).entries[0]![1];

const BASELINE_COMMENT = "/** What the projects below have, as far as nothing else stands there. */";
const SETTINGS = 'Omit<ProjectSettingsConfig, "project">';

function printLoop(
  { projectsName, baseline }: LoopStatement,
  projects: Code,
  settings: ObjectCode,
  { scope, idOf, indent }: Pick<Placement, "scope" | "idOf" | "indent">,
): string {
  const pad = " ".repeat(indent);
  const spread = (name: string): Entry => [`...${name}`, expression(name)];
  const config = object([
    ["project", expression("project")],
    ...(baseline === undefined ? [] : [spread(baseline.name)]),
    ...settings.entries,
    ...(baseline === undefined ? [] : [spread("own")]),
  ]);
  const statement = printConstruct("ProjectSettings", [scope, expression(idOf)], config, indent + 2);
  const over =
    baseline === undefined
      ? `project of ${projectsName ?? print(projects, { indent, column: indent + "for (const project of ".length, after: ") {".length })}`
      : `[project, own] of Object.entries(${projectsName})`;
  return `${pad}for (const ${over}) {\n${pad}  ${statement}\n${pad}}`;
}

function printStatement(
  { construct, id }: ConstructStatement,
  config: Code,
  scope: string,
  indent: number,
): string {
  return `${" ".repeat(indent)}${printConstruct(construct, [scope, text(id)], config, indent)}`;
}

/** Texts of several lines as blocks of their own; those of one line together. */
function joinBlocks(texts: readonly string[]): string[] {
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
