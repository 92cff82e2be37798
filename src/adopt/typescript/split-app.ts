import { groupBy, once } from "../../schema";
import type { AdoptedFile } from "../model/live-settings";
import { expression } from "./code";
import { idText, Names, pascalCase } from "./names";
import { printComment, sourceText, WIDTH } from "./print";
import { EMAIL_NAMES, emailsVariable, idOfFunction, projectsOf, SourceFile } from "./source-file";
import type { Division } from "./stack-plan";
import { type AppStatements, type LoopStatement, TABLE } from "./statements";

/** The names of files in every app. The name of a part's file must differ from these names. */
const TAKEN = ["main", "main.test", "imports", "state", "baseline"];

/** An app in several files. */
export interface SplitApp {
  /** The files next to `main.ts`. */
  readonly files: readonly AdoptedFile[];
  /** The functions that these files export. */
  readonly functions: readonly PartFunction[];
}

/** The function that the file of a part exports. The function declares the settings of this part in a stack. */
export interface PartFunction {
  readonly name: string;
  readonly part: string;
  /** The name of the file without its ending. */
  readonly fileName: string;
  /** Whether the function has a second parameter: a function that returns the address for a name. */
  readonly takesEmails: boolean;
}

/** A file for one part of the app. The function in the file declares the projects of the part. */
interface Part {
  readonly name: string;
  readonly key: string;
  readonly fileName: string;
  readonly file: SourceFile;
}

interface SplitOptions extends Division {
  /**
   * Whether each part has its own stack. If each part has its own stack, each function also declares the variables of this stack.
   */
  readonly hasOwnStacks: boolean;
}

/** The scope and indentation of constructs inside the function of a part. */
const PLACE = { scope: "stack", idOf: "idOf(project)", indent: 2, constantIndent: 0 };

/**
 * Writes an app with a file for each part, which declares the part's projects. `baseline.ts` contains the constants that several
 * parts use.
 */
export function splitApp(
  { constants, loops, sections }: AppStatements,
  names: Names,
  { partOf: keyOf, titleOf, hasOwnStacks }: SplitOptions,
): SplitApp {
  const parts = new Map<string, Part>();
  const fileNames = new Names(TAKEN);
  const partOf = (key: string): Part =>
    once(parts, key, () => {
      const title = titleOf(key);
      return {
        key,
        name: names.take([`declare${pascalCase(title) || "Group"}`]),
        fileName: fileNames.take([idText(title).toLowerCase() || "group"], "-"),
        file: new SourceFile(PLACE),
      };
    });
  const baseline = new SourceFile(PLACE);
  const functions: string[] = [];
  const shared = ["idOf"];
  for (const loop of loops) {
    const byPart = groupBy(loop.projects, ({ path }) => keyOf({ kind: "project", path }));
    if (byPart.size === 1) {
      for (const key of byPart.keys()) partOf(key).file.addLoop(loop);
      continue;
    }
    const name = names.take([functionName(loop)]);
    shared.push(name);
    functions.push(loopFunction(name, loop, baseline));
    for (const [key, projects] of byPart) partOf(key).file.addCall(name, projectsOf({ ...loop, projects }));
  }
  for (const { statements } of sections)
    for (const [key, own] of groupBy(statements, ({ container }) => keyOf(container)))
      partOf(key).file.addStatements(own);
  const all = [...parts.values()];
  const files = all.map(({ file }) => file);
  // A constant that only one file uses belongs to this file. Other constants belong to the baseline.
  for (const constant of [...constants].reverse()) {
    const [first, second] = files.filter((file) => file.isUsed(constant.name));
    const isOwn = second === undefined && first !== undefined && !baseline.isUsed(constant.name);
    (isOwn ? first : baseline).prepend([constant]);
  }
  shared.push(...baseline.constants.map(({ name }) => name));
  const isUsed = (name: string) => files.some((file) => file.isUsed(name));
  const isBaseline = functions.length + baseline.constants.length > 0 || isUsed("idOf");
  return {
    files: [
      ...(isBaseline ? [{ path: "baseline.ts", text: baselineFile(baseline, functions, isUsed) }] : []),
      ...all.map((part) => ({ path: `${part.fileName}.ts`, text: partFile(part, shared, hasOwnStacks) })),
    ],
    functions: all.map(({ name, key, fileName, file }) => ({
      name,
      part: key,
      fileName,
      takesEmails: !hasOwnStacks && file.isUsed(EMAIL),
    })),
  };
}

/** `declareProjects`, `declareToolsProjects`. */
const functionName = ({ projectsName = "projects" }: LoopStatement): string =>
  `declare${pascalCase(projectsName.toLowerCase())}`;

/** Prints a function for `baseline.ts` that declares the projects in its argument. */
function loopFunction(name: string, loop: LoopStatement, baseline: SourceFile): string {
  const type = loop.baseline === undefined ? "readonly string[]" : TABLE;
  baseline.append(loop.constants);
  baseline.useType(type);
  return [
    signature(name, ["stack: TerraformStack", `projects: ${type}`]),
    baseline.printLoop(loop, expression("projects")),
    "}",
  ].join("\n");
}

/** The name of the function in `main.ts` that returns the address of an invitation. */
const EMAIL = EMAIL_NAMES.function;

function partFile({ name, file }: Part, shared: readonly string[], hasOwnStack: boolean): string {
  const hasEmails = file.isUsed(EMAIL);
  const email = hasEmails && !hasOwnStack ? [`${EMAIL}: (name: string) => string`] : [];
  const own = hasEmails && hasOwnStack;
  const head = signature(name, ["stack: TerraformStack", ...email]);
  const blocks = [...(own ? [emailsVariable(2, "stack", EMAIL_NAMES)] : []), ...file.blocks];
  return sourceText(
    [],
    [
      ["cdktf", [...(own ? ["Fn"] : []), "type TerraformStack", ...(own ? ["TerraformVariable"] : [])]],
      [PACKAGE, file.imported],
      ["./baseline", shared.filter((each) => file.isUsed(each))],
    ],
    [...file.printConstants(), `${head}\n${blocks.join("\n\n")}\n}`],
  );
}

/** Returns the first lines of a function, up to its opening brace. A long list of parameters takes several lines. */
function signature(name: string, parameters: readonly string[]): string {
  const line = `export function ${name}(${parameters.join(", ")}): void {`;
  if (line.length <= WIDTH) return line;
  return `export function ${name}(\n${parameters.map((each) => `  ${each},\n`).join("")}): void {`;
}

const PACKAGE = "cdktf-provider-steward";

function baselineFile(
  file: SourceFile,
  functions: readonly string[],
  /** Returns whether another file uses a name. */
  isUsed: (name: string) => boolean,
): string {
  const isOfOthers = isUsed("idOf");
  const hasFunctions = functions.length > 0;
  return sourceText(
    printComment("Code that the files of this app share. Each of them declares some of the projects.", 0),
    [
      ["cdktf", hasFunctions ? ["type TerraformStack"] : []],
      [PACKAGE, file.imported],
    ],
    [
      ...(isOfOthers || hasFunctions ? [idOfFunction(isOfOthers)] : []),
      ...file.printConstants(isUsed),
      ...functions,
    ],
  );
}
