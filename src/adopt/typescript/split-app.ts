import { append, once } from "../../schema";
import type { AdoptedFile } from "../model/live-settings";
import { type Code, expression, expressionsIn } from "./code";
import { idText, Names, pascalCase } from "./names";
import { print, printComment, printImport, WIDTH } from "./print";
import {
  collectEnumerations,
  EMAIL_NAMES,
  ID_OF,
  joinBlocks,
  noteType,
  type PrintedConstant,
  printConstant,
  printLoop,
  printStatement,
  projectsConstant,
  projectsOf,
  type SharedLoop,
  type SharedStatements,
  shareStatements,
  TABLE,
} from "./print-statements";
import type { AppStatements, ConstructStatement } from "./statements";

/** From how many projects on an app has a file for each top subgroup. */
const MANY_PROJECTS = 40;
/** The names of files that an app has anyway. */
const TAKEN = ["main", "main.test", "imports", "state", "baseline"];

/** An app in several files. */
export interface SplitApp {
  /** The files beside `main.ts`. */
  readonly files: readonly AdoptedFile[];
  /** The statements of the stack in `main.ts`, and the functions that it imports. */
  readonly calls: readonly string[];
  readonly imports: readonly string[];
}

/** What one file declares. */
interface Part {
  readonly name: string;
  readonly fileName: string;
  readonly statements: ConstructStatement[];
  /** Its projects of loops, by the loop. */
  readonly members: Map<SharedLoop, SharedLoop["entries"][number][]>;
}

/** How constructs are declared in the functions of the files. */
const PLACE = { scope: "stack", idOf: "idOf(project)", indent: 2 };

/**
 * Writes an app with a file for each subgroup, which declares the projects in it, and `baseline.ts`, which has what they share.
 * Returns undefined for an app of fewer projects, or of one subgroup.
 *
 * @param paths of all projects
 */
export function splitApp(
  statements: AppStatements,
  paths: readonly string[],
  names: Names,
): SplitApp | undefined {
  const subgroupOf = subgroupsOf(paths);
  if (paths.length < MANY_PROJECTS || new Set(paths.map(subgroupOf)).size < 2) return undefined;
  const shared = shareStatements(statements, names);
  const parts = partsOf(statements, shared, subgroupOf, names);
  const common = shared.loops.filter((loop) => parts.filter(({ members }) => members.has(loop)).length > 1);
  const functions = new Map(common.map((loop) => [loop, names.take([functionName(loop)])]));
  const baseline = new SourceFile();
  for (const loop of common) {
    baseline.append(loop.constants);
    baseline.use(loop.settings);
  }
  const bodies = parts.map((part) => bodyOf(part, shared, functions));
  // A constant that one file uses stands in it; one of several files, or of the baseline, in the baseline.
  for (const constant of [...shared.constants].reverse()) {
    const [first, second] = bodies.filter(({ file }) => file.isUsed(constant.name));
    const isOwn = second === undefined && first !== undefined && !baseline.isUsed(constant.name);
    (isOwn ? first.file : baseline).prepend([constant]);
  }
  const exported = ["idOf", ...functions.values(), ...baseline.constants.map(({ name }) => name)];
  const isUsed = (name: string) => bodies.some(({ file }) => file.isUsed(name));
  const email = ({ file }: Body): string => (file.isUsed(EMAIL) ? `, ${EMAIL}` : "");
  return {
    files: [
      { path: "baseline.ts", text: baselineFile(baseline, functions, isUsed) },
      ...bodies.map((body) => ({ path: `${body.part.fileName}.ts`, text: partFile(body, exported) })),
    ],
    calls: bodies.map((body) => `    ${body.part.name}(this${email(body)});`),
    imports: bodies.map(({ part }) => printImport([part.name], `./${part.fileName}`)),
  };
}

/** The group right below the one that all projects are in; empty for projects directly in that. */
function subgroupsOf(paths: readonly string[]): (path: string) => string {
  const [first = [], ...others] = paths.map((path) => path.split("/").slice(0, -1));
  const differs = first.findIndex((step, at) => others.some((steps) => steps[at] !== step));
  const depth = differs < 0 ? first.length : differs;
  return (path) => path.split("/").slice(depth, -1)[0] ?? "";
}

/** `declareProjects`, `declareToolsProjects`. */
const functionName = ({ loop }: SharedLoop): string =>
  `declare${pascalCase((loop.projectsName ?? "projects").toLowerCase())}`;

function partsOf(
  { sections }: AppStatements,
  { loops }: SharedStatements,
  subgroupOf: (path: string) => string,
  names: Names,
): Part[] {
  const parts = new Map<string, Part>();
  const fileNames = new Names(TAKEN);
  const partOf = (subgroup: string): Part =>
    once(parts, subgroup, () => {
      const title = subgroup === "" ? "others" : subgroup;
      return {
        name: names.take([`declare${pascalCase(title) || "Group"}`]),
        fileName: fileNames.take([idText(title).toLowerCase() || "group"], "-"),
        statements: [],
        members: new Map(),
      };
    });
  for (const shared of loops)
    for (const entry of shared.entries) append(partOf(subgroupOf(entry[0])).members, shared, entry);
  // The path of a project in a section is its namespace and one more name.
  for (const { namespace, statements } of sections)
    partOf(subgroupOf(`${namespace}/project`)).statements.push(...statements);
  return [...parts.values()];
}

/** The constants of a file, what it takes from the package, and the names that its code uses. */
class SourceFile {
  readonly imported = new Set<string>();
  readonly #constants: PrintedConstant[] = [];
  readonly #used = new Set<string>();

  get constants(): readonly PrintedConstant[] {
    return this.#constants;
  }

  /** Adds constants before those that there are. */
  prepend(constants: readonly PrintedConstant[]): void {
    this.#constants.unshift(...constants);
    for (const { value } of constants) this.use(value);
  }

  append(constants: readonly PrintedConstant[]): void {
    this.#constants.push(...constants);
    for (const { value } of constants) this.use(value);
  }

  /** Notes the names in code. */
  use(code: Code): void {
    for (const text of expressionsIn(code)) {
      const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
      if (name !== undefined) this.#used.add(name);
    }
  }

  isUsed(name: string): boolean {
    return this.#used.has(name);
  }

  /** Its constants as blocks of lines. */
  printed(isExported: (name: string) => boolean): string[] {
    return joinBlocks(
      this.#constants.map((one) => printConstant(one, 0, this.imported, isExported(one.name))),
    );
  }
}

interface Body {
  readonly part: Part;
  readonly file: SourceFile;
  readonly blocks: readonly string[];
}

function bodyOf(part: Part, shared: SharedStatements, functions: ReadonlyMap<SharedLoop, string>): Body {
  const file = new SourceFile();
  const blocks: string[] = [];
  for (const [loop, entries] of part.members) {
    const name = functions.get(loop);
    if (name === undefined) {
      const { projectsName } = loop.loop;
      file.append([...loop.constants, ...projectsConstant(loop)]);
      file.use(loop.settings);
      file.use(expression("idOf"));
      const over = projectsName === undefined ? projectsOf(loop) : expression(projectsName);
      blocks.push(printLoop(loop, over, PLACE, file.imported));
      continue;
    }
    const projects = projectsOf({ ...loop, entries });
    file.use(projects);
    file.use(expression(name));
    collectEnumerations(projects, file.imported);
    const head = `${name}(stack, `;
    blocks.push(`  ${head}${print(projects, { indent: 2, column: 2 + head.length, after: 2 })});`);
  }
  const statements = part.statements.map((one) => {
    const config = shared.configOf(one);
    file.use(config);
    return printStatement(one, config, PLACE, file.imported);
  });
  return { part, file, blocks: [...blocks, ...joinBlocks(statements)] };
}

/** Addresses of invitations are taken with a function of the stack. */
const EMAIL = EMAIL_NAMES.function;

function partFile({ part, file, blocks }: Body, exported: readonly string[]): string {
  const constants = file.printed(() => false);
  const used = exported.filter((name) => file.isUsed(name));
  const parameters = [
    "stack: TerraformStack",
    ...(file.isUsed(EMAIL) ? [`${EMAIL}: (name: string) => string`] : []),
  ];
  return [
    printImport(["type TerraformStack"], "cdktf"),
    ...(file.imported.size === 0 ? [] : [printImport([...file.imported], PACKAGE)]),
    ...(used.length === 0 ? [] : [printImport(used, "./baseline")]),
    "",
    ...constants.flatMap((block) => [block, ""]),
    signature(part.name, parameters),
    blocks.join("\n\n"),
    "}",
    "",
  ].join("\n");
}

/** The head of a function, on lines of its own where it is long. */
function signature(name: string, parameters: readonly string[]): string {
  const line = `export function ${name}(${parameters.join(", ")}): void {`;
  if (line.length <= WIDTH) return line;
  return `export function ${name}(\n${parameters.map((each) => `  ${each},\n`).join("")}): void {`;
}

const PACKAGE = "cdktf-provider-steward";

function baselineFile(
  file: SourceFile,
  functions: ReadonlyMap<SharedLoop, string>,
  /** Whether another file uses a name. */
  isUsed: (name: string) => boolean,
): string {
  const constants = file.printed(isUsed);
  const loops = [...functions].map(([loop, name]) => {
    const type = loop.loop.baseline === undefined ? "readonly string[]" : TABLE;
    noteType(type, file.imported);
    return [
      signature(name, ["stack: TerraformStack", `projects: ${type}`]),
      printLoop(loop, expression("projects"), PLACE, file.imported),
      "}",
    ].join("\n");
  });
  return [
    ...printComment(
      "What the files of this app share. Each of them declares the projects of one subgroup.",
      0,
    ),
    ...(loops.length === 0 ? [] : [printImport(["type TerraformStack"], "cdktf")]),
    ...(file.imported.size === 0 ? [] : [printImport([...file.imported], PACKAGE)]),
    "",
    ...(isUsed("idOf")
      ? [ID_OF.replace("\nconst ", "\nexport const "), ""]
      : loops.length > 0
        ? [ID_OF, ""]
        : []),
    ...[...constants, ...loops].flatMap((block) => [block, ""]),
  ].join("\n");
}
