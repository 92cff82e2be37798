import { EMAILS_FILE, EMAILS_VARIABLE } from "../model/emails";
import { commentText } from "../model/source-text";
import { type Code, type Entry, expression, isOfPackage, list, namesIn, object, text } from "./code";
import { type FoldedStatements, foldStatements } from "./fold-statements";
import { assigned, print, printConstruct } from "./print";
import type { Constant } from "./share";
import {
  type AppStatements,
  BASELINE,
  type ConstructStatement,
  type LoopStatement,
  TABLE,
} from "./statements";

/** The position and indentation at which statements are printed. */
interface Placement {
  /** The scope of the constructs, such as `this`. */
  readonly scope: string;
  /** The expression that returns the construct id for `project` inside a loop. */
  readonly idOf: string;
  readonly indent: number;
  readonly constantIndent: number;
}

/** The declarations of one file, and the names that its code uses. */
export class SourceFile {
  /** The statements as blocks of lines. A blank line separates blocks. */
  readonly blocks: string[] = [];
  readonly #constants: Constant[] = [];
  readonly #used = new Set<string>();

  constructor(private readonly place: Placement) {}

  /** Records the names that the code uses, so that the file imports these names. */
  use(code: Code): void {
    for (const name of namesIn(code)) this.#used.add(name);
  }

  isUsed(name: string): boolean {
    return this.#used.has(name);
  }

  /** The names that the file imports from the package, with `type` before types. */
  get imported(): string[] {
    return [...this.#used].filter(isOfPackage);
  }

  get constants(): readonly Constant[] {
    return this.#constants;
  }

  append(constants: readonly Constant[]): void {
    this.#constants.push(...constants);
    this.#note(constants);
  }

  /** Adds constants before the existing constants, because the existing constants can use the added constants. */
  prepend(constants: readonly Constant[]): void {
    this.#constants.unshift(...constants);
    this.#note(constants);
  }

  #note(constants: readonly Constant[]): void {
    for (const { value, type } of constants) {
      this.use(value);
      this.useType(type);
    }
  }

  /** Records the names of types that a type expression needs from the package. */
  useType(type = ""): void {
    for (const [name] of type.matchAll(/(?!Record\b)[A-Z]\w+/g)) this.#used.add(`type ${name}`);
  }

  /** Adds all statements of an app. */
  add({ constants, loops, sections }: AppStatements): void {
    this.append(constants);
    for (const loop of loops) this.addLoop(loop);
    for (const { namespace, statements } of sections) {
      const [first = "", ...others] = this.#printed(statements);
      const title = sections.length > 1 ? `${this.#pad}// ${commentText(namespace)}\n` : "";
      this.blocks.push(`${title}${first}`, ...others);
    }
  }

  /** Adds a loop with its constants. */
  addLoop(loop: LoopStatement): void {
    const { projectsName: name, baseline } = loop;
    this.append(loop.constants);
    if (name !== undefined) this.append([{ name, type: baseline && TABLE, value: projectsOf(loop) }]);
    this.blocks.push(this.printLoop(loop, name === undefined ? projectsOf(loop) : expression(name)));
  }

  /** Adds a call of a function in another file. The argument of the call is a list of projects. */
  addCall(name: string, projects: Code): void {
    const { scope, indent } = this.place;
    const head = `${this.#pad}${name}(${scope}, `;
    this.use(expression(name));
    this.use(projects);
    this.blocks.push(`${head}${print(projects, { indent, column: head.length, after: 2 })});`);
  }

  addStatements(statements: readonly ConstructStatement[]): void {
    this.blocks.push(...this.#printed(statements));
  }

  #printed(statements: readonly ConstructStatement[]): string[] {
    const { scope, indent } = this.place;
    return joinBlocks(
      foldStatements(statements).map((one) => {
        this.use(expression(one.construct));
        if ("rows" in one) return this.#printTable(one);
        const { construct, id, config } = one;
        this.use(config);
        return `${this.#pad}${printConstruct(construct, [scope, text(id)], config, indent)}`;
      }),
    );
  }

  /** Prints a table with a row for each construct, and the loop that creates the constructs from the table. */
  #printTable({ construct, rows, common, own }: FoldedStatements): string {
    const { scope, indent } = this.place;
    for (const { config } of rows) this.use(config);
    const table = list(
      rows.map(({ id, config }) =>
        object([["id", text(id)], ...config.entries.filter(([key]) => own.includes(key as string))]),
      ),
    );
    const head = "for (const { id, ...own } of ";
    const config = object([...common, ["own", expression("...own")]]);
    const statement = printConstruct(construct, [scope, expression("id")], config, indent + 2);
    const over = print(table, { indent, column: indent + head.length, after: ") {".length });
    return `${this.#pad}${head}${over}) {\n${this.#pad}  ${statement}\n${this.#pad}}`;
  }

  /** Prints a loop over projects. `projects` is a list or the name of a constant. */
  printLoop({ baseline, settings }: LoopStatement, projects: Code): string {
    const { scope, idOf, indent } = this.place;
    const config =
      baseline === undefined
        ? object([["project", expression("project")], ...settings.entries])
        : expression(`Fleet.merge(project, ${baseline}, layers)`);
    for (const code of [expression("ProjectSettings"), expression(idOf), config, projects]) this.use(code);
    const statement = printConstruct("ProjectSettings", [scope, expression(idOf)], config, indent + 2);
    const place = { indent, column: indent + "for (const project of ".length, after: ") {".length };
    const over =
      baseline === undefined
        ? `project of ${print(projects, place)}`
        : `[project, layers] of Object.entries(${print(projects, place)})`;
    return `${this.#pad}for (const ${over}) {\n${this.#pad}  ${statement}\n${this.#pad}}`;
  }

  /** Returns the declarations of the constants as blocks of lines. */
  printConstants(isExported: (name: string) => boolean = () => false): string[] {
    const { constantIndent: indent } = this.place;
    const pad = " ".repeat(indent);
    return joinBlocks(
      this.#constants.map(({ name, value, type }) => {
        const head = `${isExported(name) ? "export " : ""}const ${name}${type === undefined ? "" : `: ${type}`} =`;
        const line = `${pad}${assigned(head, value, { indent, column: indent, after: 1 })};`;
        return type === BASELINE ? `${pad}${BASELINE_COMMENT}\n${line}` : line;
      }),
    );
  }

  get #pad(): string {
    return " ".repeat(this.place.indent);
  }
}

/** Returns the code of a loop's projects: a list of paths, or a table if projects differ from the baseline. */
export const projectsOf = ({ baseline, projects }: LoopStatement): Code =>
  baseline === undefined
    ? list(projects.map(({ path }) => text(path)))
    : object(projects.map(({ path, layers }): Entry => [text(path), list(layers)]));

const BASELINE_COMMENT =
  "/** What a project has. The layers in its entry change attributes of it; `Fleet.unmanaged` leaves one out. */";

/** Returns blocks of lines: consecutive texts of one line form one block, and each longer text forms its own block. */
function joinBlocks(texts: readonly string[]): string[] {
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

/** Returns the code of the function that converts a path to a construct id. Loops call this function. */
export const idOfFunction = (isExported = false): string =>
  `/** The construct id of a project. Addresses in the state follow from it. */
${isExported ? "export " : ""}const idOf = (project: string) => project.replaceAll("/", "-");`;

/** The names of two declarations: the variable with the addresses, and the function that reads one address. */
export interface EmailNames {
  readonly variable: string;
  readonly function: string;
}

export const EMAIL_NAMES: EmailNames = { variable: "emails", function: "email" };

/**
 * Returns the code of two declarations: the variable with the addresses of invitations, and the function that returns one address
 * by name.
 */
export function emailsVariable(indent: number, scope: string, names: EmailNames): string {
  const pad = " ".repeat(indent);
  const { variable } = names;
  return [
    `${pad}// The addresses of invitations are in ${EMAILS_FILE}, which is not committed.`,
    `${pad}const ${variable} = new TerraformVariable(${scope}, "${EMAILS_VARIABLE}", { type: "map(string)" });`,
    `${pad}const ${names.function} = (name: string) => Fn.lookupNested(${variable}.value, [name]);`,
  ].join("\n");
}
