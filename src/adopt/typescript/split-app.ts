import { groupBy, once } from "../../schema";
import type { AdoptedFile } from "../model/live-settings";
import { expression } from "./code";
import { idText, Names, pascalCase } from "./names";
import { type Imports, printComment, sourceText, WIDTH } from "./print";
import { EMAIL_NAMES, idOfFunction, projectsOf, SourceFile } from "./source-file";
import { type AppStatements, type LoopStatement, TABLE } from "./statements";

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
  readonly imports: readonly Imports[];
}

/** A file that declares the projects of one subgroup, in a function. */
interface Part {
  readonly name: string;
  readonly fileName: string;
  readonly file: SourceFile;
}

/** How constructs are declared in the functions of the files. */
const PLACE = { scope: "stack", idOf: "idOf(project)", indent: 2, constantIndent: 0 };

/**
 * Writes an app with a file for each subgroup, which declares the projects in it, and `baseline.ts`, which has what they share.
 * Returns undefined for an app of fewer projects, or of one subgroup.
 *
 * @param paths of all projects
 */
export function splitApp(
  { constants, loops, sections }: AppStatements,
  paths: readonly string[],
  names: Names,
): SplitApp | undefined {
  const subgroupOf = subgroupsOf(paths);
  if (paths.length < MANY_PROJECTS || new Set(paths.map(subgroupOf)).size < 2) return undefined;
  const parts = new Map<string, Part>();
  const fileNames = new Names(TAKEN);
  const partOf = (subgroup: string): Part =>
    once(parts, subgroup, () => {
      const title = subgroup === "" ? "others" : subgroup;
      return {
        name: names.take([`declare${pascalCase(title) || "Group"}`]),
        fileName: fileNames.take([idText(title).toLowerCase() || "group"], "-"),
        file: new SourceFile(PLACE),
      };
    });
  const baseline = new SourceFile(PLACE);
  const functions: string[] = [];
  const shared = ["idOf"];
  for (const loop of loops) {
    const bySubgroup = groupBy(loop.projects, ({ path }) => subgroupOf(path));
    if (bySubgroup.size === 1) {
      for (const subgroup of bySubgroup.keys()) partOf(subgroup).file.addLoop(loop);
      continue;
    }
    const name = names.take([functionName(loop)]);
    shared.push(name);
    functions.push(loopFunction(name, loop, baseline));
    for (const [subgroup, projects] of bySubgroup)
      partOf(subgroup).file.addCall(name, projectsOf({ ...loop, projects }));
  }
  // The path of a project in a section is its namespace and one more name.
  for (const { namespace, statements: own } of sections)
    partOf(subgroupOf(`${namespace}/project`)).file.addStatements(own);
  const files = [...parts.values()].map(({ file }) => file);
  // A constant that one file uses stands in it; one of several files, or of the baseline, in the baseline.
  for (const constant of [...constants].reverse()) {
    const [first, second] = files.filter((file) => file.isUsed(constant.name));
    const isOwn = second === undefined && first !== undefined && !baseline.isUsed(constant.name);
    (isOwn ? first : baseline).prepend([constant]);
  }
  shared.push(...baseline.constants.map(({ name }) => name));
  const isUsed = (name: string) => files.some((file) => file.isUsed(name));
  return {
    files: [
      { path: "baseline.ts", text: baselineFile(baseline, functions, isUsed) },
      ...[...parts.values()].map((part) => ({ path: `${part.fileName}.ts`, text: partFile(part, shared) })),
    ],
    calls: [...parts.values()].map(
      ({ name, file }) => `    ${name}(this${file.isUsed(EMAIL) ? `, ${EMAIL}` : ""});`,
    ),
    imports: [...parts.values()].map(({ name, fileName }) => [`./${fileName}`, [name]]),
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
const functionName = ({ projectsName = "projects" }: LoopStatement): string =>
  `declare${pascalCase(projectsName.toLowerCase())}`;

/** A function of the baseline that declares the projects which are given to it. */
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

/** Addresses of invitations are taken with a function of the stack. */
const EMAIL = EMAIL_NAMES.function;

function partFile({ name, file }: Part, shared: readonly string[]): string {
  const email = file.isUsed(EMAIL) ? [`${EMAIL}: (name: string) => string`] : [];
  const head = signature(name, ["stack: TerraformStack", ...email]);
  return sourceText(
    [],
    [
      ["cdktf", ["type TerraformStack"]],
      [PACKAGE, file.imported],
      ["./baseline", shared.filter((each) => file.isUsed(each))],
    ],
    [...file.printConstants(), `${head}\n${file.blocks.join("\n\n")}\n}`],
  );
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
  functions: readonly string[],
  /** Whether another file uses a name. */
  isUsed: (name: string) => boolean,
): string {
  const isOfOthers = isUsed("idOf");
  const hasFunctions = functions.length > 0;
  return sourceText(
    printComment("What the files of this app share. Each of them declares the projects of one subgroup.", 0),
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
