import { EMAILS_VARIABLE, Emails, withoutAddresses } from "../model/emails";
import { notesOf } from "../model/fold-notes";
import type { AdoptedFile, AdoptOptions, LiveSettings } from "../model/live-settings";
import { commentText } from "../model/source-text";
import { object, stringLiteral, text } from "./code";
import { declarationsOfAll } from "./declarations";
import { idText, Names, pascalCase } from "./names";
import { type Imports, printComment, printObject, sourceText } from "./print";
import { EMAIL_NAMES, emailsVariable, idOfFunction, SourceFile } from "./source-file";
import { type PartFunction, type SplitApp, splitApp } from "./split-app";
import { byProject, bySubgroup, defaultStackUnit, type StackUnit } from "./stack-plan";
import { type AppStatements, type ImportedObject, shareStatements, statementsOf } from "./statements";

/**
 * Returns the files of an app other than its code, such as `package.json`.
 *
 * @param name the name of the package
 * @param dependencies the packages that the app depends on, with their ranges
 * @param isTested whether the app has a test and a fixture, `main.test.ts` and `fixture.yaml`
 */
export const projectFiles = (
  name: string,
  dependencies: Readonly<Record<string, string>>,
  isTested = false,
): AdoptedFile[] => [
  { path: "cdktf.json", text: jsonFile(CDKTF) },
  { path: "package.json", text: jsonFile(packageJson(name, dependencies, isTested)) },
  { path: "tsconfig.json", text: jsonFile(tsconfig(isTested)) },
  { path: ".gitignore", text: isTested ? `${GITIGNORE}${TRIAL}` : GITIGNORE },
];

const CDKTF = {
  language: "typescript",
  app: "node --import tsx main.ts",
  output: "cdktf.out",
  sendCrashReports: "false",
};

const packageJson = (name: string, dependencies: Readonly<Record<string, string>>, isTested: boolean) => ({
  // npm refuses names with upper case letters, and names that begin with some other characters.
  name: name.toLowerCase().replace(/^[^a-z\d]+/, ""),
  private: true,
  scripts: {
    plan: "steward plan",
    apply: "steward apply",
    drift: "steward drift --coverage",
    check: "tsc",
    ...(isTested && TEST_SCRIPTS),
  },
  dependencies: { ...dependencies, tsx: "^4.19.0" },
  devDependencies: { ...(isTested && { "@types/node": ">=20.19.0" }), typescript: ">=5.6.0" },
});

const TEST_SCRIPTS = {
  // The test checks types first, because tsx also runs an app whose types are wrong.
  test: "tsc && node --import tsx --test main.test.ts",
  serve: "steward serve --fixture fixture.yaml --port 8080 --admin-token-file admin.token",
};

/**
 * Returns the content of `tsconfig.json`. For a test, the content names Node's types, because TypeScript 6 and later use only
 * named types.
 */
const tsconfig = (isTested: boolean) => ({
  compilerOptions: {
    target: "ES2022",
    module: "Node16",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    skipLibCheck: true,
    noEmit: true,
    ...(isTested && { types: ["node"] }),
  },
  include: ["*.ts"],
});

const GITIGNORE = `node_modules/
cdktf.out/
# E-mail addresses of people.
*.auto.tfvars.json
# States can hold more than the code; keep them where all users reach them.
*.tfstate
*.tfstate.*
`;

const TRIAL = `# The token of the service to try the app on.
admin.token
`;

/** Prints JSON as formatters do: each property of an object on its own line, and a list of texts on one line. */
const jsonFile = (content: object): string =>
  `${JSON.stringify(content, undefined, 2).replace(/\[\n\s*("[^"\n]*")\n\s*\]/g, "[$1]")}\n`;

/** The options for writing an app. */
export interface TypeScriptAppOptions extends AdoptOptions {
  /** The name for the app and its stack. The name comes from the adopted selection, such as the path of a group. */
  readonly name: string;
  /** The packages that the app depends on, with their ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Whether the folder of the app contains a test and a fixture. */
  readonly isProject?: boolean;
  /** Whether the app has a `state.ts`, which sets where the app's states are stored. */
  readonly hasStateFile?: boolean;
  /** The unit of a stack. The default is a subgroup for an app with many projects, and the whole app for any other app. */
  readonly stackPer?: StackUnit | undefined;
}

/** The minimum number of projects at which an app with one stack has a file for each subgroup. */
const MANY_PROJECTS = 40;

/** Returns the files of an app that declares live settings. Equal settings always result in equal texts. */
export function writeTypeScriptApp(settings: LiveSettings, options: TypeScriptAppOptions): AdoptedFile[] {
  const { name, allSettings, includeEmails, knownEmails, dependencies, isProject } = options;
  const emails = new Emails(includeEmails, knownEmails);
  const emailFunction = EMAIL_NAMES.function;
  const declarations = declarationsOfAll(settings, { allSettings, emails, emailFunction });
  const stackId = idText(name.replaceAll("/", "-")) || "settings";
  const names = new Names(["TerraformStack"]);
  const declared = statementsOf(declarations, new Names(["steward", "imports", EMAILS_VARIABLE]), names);
  const division = divisionOf(settings, declared, options.stackPer);
  const hasStacks = division?.hasOwnStacks === true;
  const className = hasStacks ? names.take([STACKS_CLASS]) : classNameOf(stackId, names);
  const statements = shareStatements(declared, names);
  const split = division && splitApp(statements, names, division);
  const stackIds = new Names();
  const stacks = hasStacks
    ? split!.functions.map((each) => ({ ...each, id: stackIds.take([division.stackIdOf(each.part)], "-") }))
    : [];
  const { imports, blocks } = hasStacks
    ? stacksOf(className, stacks, statements, options)
    : stackOf(className, statements, split, emails, options);
  const created = hasStacks
    ? stacks.map(({ id, name: declare }) => `new ${className}(app, ${stringLiteral(id)}, ${declare});`)
    : [`new ${className}(app, ${stringLiteral(stackId)});`];
  const app = `${isProject ? "export " : ""}const app = new App();\n${created.join("\n")}\napp.synth();`;
  const comment = header(
    { skipped: settings.skipped, containers: declarations.map(({ container }) => container) },
    options,
  );
  const importsOfStacks = stacks.map(({ id, part }) => ({
    id,
    imports: statements.imports.filter(([, , container]) => division!.partOf(container) === part),
  }));
  return [
    { path: "main.ts", text: sourceText(comment, imports, [...blocks, app]) },
    ...(split?.files ?? []),
    ...(statements.imports.length > 0 ? [importsFile(statements.imports, importsOfStacks)] : []),
    ...emails.files,
    ...projectFiles(`${stackId}-settings`, dependencies, isProject),
  ];
}

/** Returns how an app is divided into files, and whether each file has its own stack. Undefined for an app with one file. */
function divisionOf({ containers }: LiveSettings, { sections, loops }: AppStatements, unit?: StackUnit) {
  const projects = containers.filter(({ kind }) => kind === "project").map(({ path }) => path);
  const stackPer = unit ?? defaultStackUnit(projects.length);
  if (stackPer === "app" && projects.length < MANY_PROJECTS) return undefined;
  const division = stackPer === "project" ? byProject(projects) : bySubgroup(projects);
  const parts = new Set([
    ...loops.flatMap((loop) => loop.projects).map(({ path }) => division.partOf({ kind: "project", path })),
    ...sections.flatMap((each) => each.statements).map(({ container }) => division.partOf(container)),
  ]);
  return parts.size < 2 ? undefined : { ...division, hasOwnStacks: stackPer !== "app" };
}

const STACKS_CLASS = "SettingsStack";

/** Returns the code of the stack class in `main.ts` if the app has several stacks, and the imports that this code needs. */
function stacksOf(
  className: string,
  functions: readonly PartFunction[],
  { imports }: AppStatements,
  { hasStateFile }: TypeScriptAppOptions,
) {
  const hasImports = imports.length > 0;
  const body = [
    `${PROVIDER}${hasStateFile ? "\n    keepState(this);" : ""}`,
    `    declare(this);${hasImports ? "\n    importLiveObjects(this);" : ""}`,
  ];
  const head = `class ${className} extends TerraformStack {\n  constructor(scope: Construct, id: string, declare: (stack: TerraformStack) => void) {\n    super(scope, id);\n`;
  return {
    imports: [
      ["cdktf", ["App", "TerraformStack"]],
      ["cdktf-provider-steward", ["StewardProvider"]],
      ["constructs", ["type Construct"]],
      ...ownImports(functions, hasImports, hasStateFile),
    ] satisfies Imports[],
    blocks: [`/** Each stack has its own state, plan and approvals. */\n${head}${body.join("\n")}\n  }\n}`],
  };
}

/** Returns the imports of `main.ts` from the other files of the app. */
const ownImports = (
  functions: readonly PartFunction[],
  hasImports: boolean,
  hasStateFile: boolean | undefined,
): Imports[] => {
  const all: Imports[] = [
    ["./imports", hasImports ? ["importLiveObjects"] : []],
    ["./state", hasStateFile ? ["keepState"] : []],
    ...functions.map(({ name, fileName }): Imports => [`./${fileName}`, [name]]),
  ];
  return all.sort(([one], [other]) => (one < other ? -1 : 1));
};

/** Returns a class name for the id of a stack, such as `PlatformStack`. The name never begins with a digit. */
function classNameOf(stackId: string, names: Names): string {
  const name = pascalCase(stackId);
  return names.take(/^[A-Z]/.test(name) ? [`${name}Stack`, `${name}SettingsStack`] : [`Stack${name}`]);
}

const PROVIDER = `    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN`;

/** Returns the code of the stack in `main.ts`, and the imports that this code needs. */
function stackOf(
  className: string,
  statements: AppStatements,
  split: SplitApp | undefined,
  emails: Emails,
  { hasStateFile }: TypeScriptAppOptions,
) {
  const code = new SourceFile({ scope: "this", idOf: "idOf(project)", indent: 4, constantIndent: 0 });
  if (split === undefined) code.add(statements);
  else
    code.blocks.push(
      split.functions
        .map(({ name, takesEmails }) => `    ${name}(this${takesEmails ? `, ${EMAIL_NAMES.function}` : ""});`)
        .join("\n"),
    );
  const hasImports = statements.imports.length > 0;
  const hasEmails = emails.named !== undefined;
  const body = [
    `${PROVIDER}${hasStateFile ? "\n    keepState(this);" : ""}`,
    ...(hasEmails ? [emailsVariable(4, "this", EMAIL_NAMES)] : []),
    ...code.blocks,
    ...(hasImports ? ["    importLiveObjects(this);"] : []),
  ];
  const head = `class ${className} extends TerraformStack {\n  constructor(scope: Construct, id: string) {\n    super(scope, id);\n`;
  return {
    imports: [
      ["cdktf", ["App", "TerraformStack", ...(hasEmails ? ["Fn", "TerraformVariable"] : [])]],
      ["cdktf-provider-steward", ["StewardProvider", ...code.imported]],
      ["constructs", ["type Construct"]],
      ...ownImports(split?.functions ?? [], hasImports, hasStateFile),
    ] satisfies Imports[],
    blocks: [
      ...(statements.loops.length > 0 && !split ? [idOfFunction()] : []),
      ...code.printConstants(),
      `${head}${body.join("\n\n")}\n  }\n}`,
    ],
  };
}

/** Returns the comment at the top of `main.ts`. The comment contains facts for readers and lists the omitted settings. */
function header(
  settings: Pick<LiveSettings, "skipped" | "containers">,
  { name, includeEmails }: TypeScriptAppOptions,
): string[] {
  const shown = commentText(includeEmails ? name : withoutAddresses(name));
  return [
    ...printComment(
      `The live settings of ${shown}. \`steward adopt\` wrote this file; from here on, it is yours to edit.`,
      0,
    ),
    ...notesOf(settings, includeEmails).flatMap(({ heading, lines }) => [
      "//",
      `// ${heading}`,
      ...lines.flatMap((line) => printComment(line, 0, "- ", "  ")),
    ]),
  ];
}

/**
 * Returns the file with the import ids of the live objects.
 *
 * @param stacks the imports of each stack, if the app has several stacks
 */
function importsFile(
  imports: readonly ImportedObject[],
  stacks: readonly { readonly id: string; readonly imports: readonly ImportedObject[] }[],
): AdoptedFile {
  const comment =
    "Takes the live objects that main.ts declares into the state, with the first `steward apply`, which changes none of " +
    "them. Afterwards, delete this file and the two lines of main.ts that name it.";
  const idsOf = (all: readonly ImportedObject[]) => object(all.map(([path, id]) => [text(path), text(id)]));
  const hasStacks = stacks.length > 0;
  const ids = hasStacks ? object(stacks.map((each) => [text(each.id), idsOf(each.imports)])) : idsOf(imports);
  const type = hasStacks ? ": Record<string, Record<string, string>>" : "";
  const of = hasStacks ? "[stack.node.id] ?? {}" : "";
  const modules: Imports[] = [
    ["cdktf-provider-steward", ["ImportBlocks"]],
    ["constructs", ["type Construct"]],
  ];
  const blocks = [
    `/** Import ids by the path of the construct in ${hasStacks ? "each" : "the"} stack. */\nconst IMPORT_IDS${type} = ${printObject(ids, 0)};`,
    "export function importLiveObjects(stack: Construct): void {\n" +
      `  new ImportBlocks(stack, "imports", IMPORT_IDS${of});\n}`,
  ];
  return { path: "imports.ts", text: sourceText(printComment(comment, 0), modules, blocks) };
}
