import { EMAILS_VARIABLE, withoutAddresses } from "../model/emails";
import type { SkippedContainer } from "../model/live-settings";
import { commentText } from "../model/source-text";
import { type Code, expression, type ObjectCode, object, text } from "./code";
import type { ContainerDeclarations } from "./declarations";
import type { Names } from "./names";
import { assigned, printComment, printConstruct, printImport, printObject } from "./print";
import { hasOwnPath, shareRepeated } from "./share";
import type { AppStatements, ConstructStatement, LoopStatement } from "./statements";
import { stringLiteral } from "./text";

/** What `main.ts` is printed from. */
export interface MainFile {
  /** What was adopted. */
  readonly title: string;
  readonly stackId: string;
  readonly className: string;
  readonly statements: AppStatements;
  readonly declarations: readonly ContainerDeclarations[];
  readonly skipped: readonly SkippedContainer[];
  readonly names: Names;
  /** Whether addresses come from the variable. */
  readonly hasEmailsFile: boolean;
  readonly includeEmails: boolean;
}

/** The parts of the source that declares something, with repeated values named. */
export interface SourceParts {
  /** Constants, before everything else. */
  readonly constants: readonly string[];
  /** Statements of the stack's constructor, each a block of lines; blocks are separated by a blank line. */
  readonly blocks: readonly string[];
  /** Names that the package has to export to it; `type` before those that are types alone. */
  readonly imported: ReadonlySet<string>;
}

/** Prints statements with repeated values named; `indent` is that of the constructor's body. */
function printStatements(
  { loops, sections }: AppStatements,
  names: Names,
  {
    scope,
    indent,
    constantIndent,
  }: { readonly scope: string; readonly indent: number; readonly constantIndent: number },
): SourceParts {
  const constructs = sections.flatMap((section) => section.statements);
  const { constants, roots } = shareRepeated(
    [
      ...loops.map(({ paths }) => paths),
      ...loops.map(({ value }) => value),
      ...constructs.map(({ config }) => config),
    ],
    names,
  );
  const paths = roots.slice(0, loops.length);
  const values = roots.slice(loops.length, 2 * loops.length);
  const configs = new Map(constructs.map((one, at) => [one, roots[2 * loops.length + at]!]));
  const imported = new Set<string>();
  if (loops.length > 0) {
    imported.add("ProjectSettings");
    imported.add("type ProjectSettingsConfig");
  }
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
  const groups = loops.flatMap((loop, index) => [
    constant(loop.projects, undefined, paths[index]!),
    settingsConstant(loop, values[index] as ObjectCode, constant, constantIndent),
  ]);
  const blocks = [
    ...loops.map((loop) => printLoop(loop, scope, indent)),
    ...sections.flatMap(({ namespace, statements }) => {
      const lines = statements.map((one) => printStatement(one, configs.get(one)!, scope, indent));
      const title = sections.length > 1 ? [`${" ".repeat(indent)}// ${commentText(namespace)}`] : [];
      return joinBlocks(lines).map((block, at) => (at === 0 ? [...title, block].join("\n") : block));
    }),
  ];
  return { constants: [...joinBlocks(printed), ...groups], blocks, imported };
}

/** The settings of a loop's projects: a constant, or a function where they contain the path of the project. */
function settingsConstant(
  { settings }: LoopStatement,
  value: ObjectCode,
  constant: (name: string, type: string | undefined, value: Code) => string,
  indent: number,
): string {
  if (!hasOwnPath(value)) return constant(settings, 'Omit<ProjectSettingsConfig, "project">', value);
  const head = `${" ".repeat(indent)}const ${settings} = (project: string): ProjectSettingsConfig => (`;
  return `${head}${printObject(value, indent)});`;
}

function printLoop({ projects, settings, value }: LoopStatement, scope: string, indent: number): string {
  const pad = " ".repeat(indent);
  const config = hasOwnPath(value)
    ? expression(`${settings}(project)`)
    : object([
        ["project", expression("project")],
        [`...${settings}`, expression(settings)],
      ]);
  const statement = printConstruct(
    "ProjectSettings",
    [scope, expression("idOf(project)")],
    config,
    indent + 2,
  );
  return `${pad}for (const project of ${projects}) {\n${pad}  ${statement}\n${pad}}`;
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
function collectEnumerations(code: Code, into: Set<string>): void {
  if (code.kind === "expression") {
    const enumeration = /^([A-Z]\w*)\.\w+$/.exec(code.text)?.[1];
    if (enumeration !== undefined) into.add(enumeration);
  } else if (code.kind === "list") for (const item of code.items) collectEnumerations(item, into);
  else if (code.kind === "object") for (const [, value] of code.entries) collectEnumerations(value, into);
}

const PROVIDER_COMMENT = "// address and token come from STEWARD_BASE_URL and STEWARD_TOKEN";

/** The source of `main.ts`. */
export function mainFile(file: MainFile): string {
  const { stackId, className, statements, hasEmailsFile } = file;
  const { constants, blocks, imported } = printStatements(statements, file.names, {
    scope: "this",
    indent: 4,
    constantIndent: 0,
  });
  const hasImports = statements.imports.length > 0;
  const own = ["StewardProvider", ...imported];
  const cdktf = ["App", "TerraformStack", ...(hasEmailsFile ? ["Fn", "TerraformVariable"] : [])];
  const body = [
    `    new StewardProvider(this, "steward"); ${PROVIDER_COMMENT}`,
    ...(hasEmailsFile ? [emailsVariable(4)] : []),
    ...blocks,
    ...(hasImports ? ["    importLiveObjects(this);"] : []),
  ];
  return [
    ...header(file),
    printImport(cdktf, "cdktf"),
    printImport(own, "cdktf-provider-steward"),
    printImport(["type Construct"], "constructs"),
    ...(hasImports ? ['import { importLiveObjects } from "./imports";'] : []),
    "",
    ...(statements.loops.length > 0 ? [ID_OF, ""] : []),
    ...constants.flatMap((block) => [block, ""]),
    `class ${className} extends TerraformStack {`,
    "  constructor(scope: Construct, id: string) {",
    "    super(scope, id);",
    body.join("\n\n"),
    "  }",
    "}",
    "",
    "const app = new App();",
    `new ${className}(app, ${stringLiteral(stackId)});`,
    "app.synth();",
    "",
  ].join("\n");
}

/** How construct ids follow from paths, in loops. */
const ID_OF = `/** The construct id of a project. Addresses in the state follow from it. */
const idOf = (project: string) => project.replaceAll("/", "-");`;

/** The variable with the addresses of invitations, and the function that takes one by its name. */
function emailsVariable(indent: number): string {
  const pad = " ".repeat(indent);
  return [
    `${pad}// The addresses of invitations are in ${EMAILS_VARIABLE}.auto.tfvars.json, which is not committed.`,
    `${pad}const emails = new TerraformVariable(this, "${EMAILS_VARIABLE}", { type: "map(string)" });`,
    `${pad}const email = (name: string) => Fn.lookupNested(emails.value, [name]);`,
  ].join("\n");
}

/** What a reader of the file has to know, and what is not in it. */
function header({ title, skipped, declarations, includeEmails }: MainFile): string[] {
  const shown = (text: string) => commentText(includeEmails ? text : withoutAddresses(text));
  const lines = printComment(
    `The live settings of ${shown(title)}. \`steward adopt\` wrote this file; from here on, it is yours to edit.`,
    0,
  );
  const undeclarable = declarations.flatMap((each) =>
    each.undeclarable.map(({ what, why }) => `${each.container.path}, ${what}: ${why}`),
  );
  const listed = (head: string, items: readonly string[]): string[] =>
    items.length === 0
      ? []
      : ["//", `// ${head}`, ...items.flatMap((item) => printComment(item, 0, "- ", "  "))];
  return [
    ...lines,
    ...listed(
      "Skipped:",
      skipped.map(({ kind, path, why }) => shown(`${kind} ${path}: ${why}`)),
    ),
    ...listed("Live, but not declared here:", undeclarable.map(shown)),
  ];
}
