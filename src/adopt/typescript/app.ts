import { EMAILS_VARIABLE, Emails, withoutAddresses } from "../model/emails";
import { noteText, skippedNotes, undeclarableNotes } from "../model/fold-notes";
import type { AdoptedFile, AdoptOptions, LiveSettings, SkippedContainer } from "../model/live-settings";
import { commentText } from "../model/source-text";
import { object, stringLiteral, text } from "./code";
import { type ContainerDeclarations, declarationsOfAll } from "./declarations";
import { idText, Names, pascalCase } from "./names";
import { printComment, printImport, printObject } from "./print";
import { EMAIL_NAMES, emailsVariable, idOfFunction, SourceFile } from "./source-file";
import { type SplitApp, splitApp } from "./split-app";
import { type AppStatements, shareStatements, statementsOf } from "./statements";

/**
 * The files around the code of an app.
 *
 * @param name of the package
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
  // npm refuses upper case, and names that begin with another character.
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
  // Types first: tsx runs an app whose types are wrong.
  test: "tsc && node --import tsx --test main.test.ts",
  serve: "steward serve --fixture fixture.yaml --port 8080 --admin-token-file admin.token",
};

/** From TypeScript 6 on, types of packages count only if they are named. */
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

/** JSON as formatters print it: an object with a property a line, a list of texts on one line. */
const jsonFile = (content: object): string =>
  `${JSON.stringify(content, undefined, 2).replace(/\[\n\s*("[^"\n]*")\n\s*\]/g, "[$1]")}\n`;

/** What `main.ts` is printed from. */
interface MainFile {
  readonly options: TypeScriptAppOptions;
  readonly stackId: string;
  readonly className: string;
  readonly statements: AppStatements;
  /** Where the statements are, if the app has a file for each subgroup. */
  readonly split: SplitApp | undefined;
  readonly declarations: readonly ContainerDeclarations[];
  readonly skipped: readonly SkippedContainer[];
  /** Whether addresses come from the variable. */
  readonly hasEmailsFile: boolean;
}

const PROVIDER_COMMENT = "// address and token come from STEWARD_BASE_URL and STEWARD_TOKEN";

/** The source of `main.ts`. */
function mainFile(file: MainFile): string {
  const { stackId, className, statements, hasEmailsFile, options } = file;
  const code = new SourceFile({ scope: "this", idOf: "idOf(project)", indent: 4, constantIndent: 0 });
  if (file.split === undefined) code.add(statements);
  else code.blocks.push(file.split.calls.join("\n"));
  const hasImports = statements.imports.length > 0;
  const own = ["StewardProvider", ...code.imported];
  const cdktf = ["App", "TerraformStack", ...(hasEmailsFile ? ["Fn", "TerraformVariable"] : [])];
  const body = [
    `    new StewardProvider(this, "steward"); ${PROVIDER_COMMENT}${options.hasStateFile ? "\n    keepState(this);" : ""}`,
    ...(hasEmailsFile ? [emailsVariable(4, "this", EMAIL_NAMES)] : []),
    ...code.blocks,
    ...(hasImports ? ["    importLiveObjects(this);"] : []),
  ];
  return [
    ...header(file),
    printImport(cdktf, "cdktf"),
    printImport(own, "cdktf-provider-steward"),
    printImport(["type Construct"], "constructs"),
    ...[
      ...(hasImports ? ['import { importLiveObjects } from "./imports";'] : []),
      ...(options.hasStateFile ? ['import { keepState } from "./state";'] : []),
      ...(file.split?.imports ?? []),
    ].sort((one, other) => (one.slice(one.indexOf("./")) < other.slice(other.indexOf("./")) ? -1 : 1)),
    "",
    ...(statements.loops.length > 0 && !file.split ? [idOfFunction(), ""] : []),
    ...code.printConstants().flatMap((block) => [block, ""]),
    `class ${className} extends TerraformStack {`,
    "  constructor(scope: Construct, id: string) {",
    "    super(scope, id);",
    body.join("\n\n"),
    "  }",
    "}",
    "",
    `${options.isProject ? "export " : ""}const app = new App();`,
    `new ${className}(app, ${stringLiteral(stackId)});`,
    "app.synth();",
    "",
  ].join("\n");
}

/** What a reader of the file has to know, and what is not in it. */
function header({ options: { name, includeEmails }, skipped, declarations }: MainFile): string[] {
  const shown = (text: string) => commentText(includeEmails ? text : withoutAddresses(text));
  const lines = printComment(
    `The live settings of ${shown(name)}. \`steward adopt\` wrote this file; from here on, it is yours to edit.`,
    0,
  );
  const undeclarable = undeclarableNotes(declarations.map(({ container }) => container));
  const listed = (head: string, items: readonly string[]): string[] =>
    items.length === 0
      ? []
      : ["//", `// ${head}`, ...items.flatMap((item) => printComment(item, 0, "- ", "  "))];
  return [
    ...lines,
    ...listed("Skipped:", skippedNotes({ skipped }).map(noteText).map(shown)),
    ...listed("Live, but not declared here:", undeclarable.map(noteText).map(shown)),
  ];
}

/** How an app is written. */
export interface TypeScriptAppOptions extends AdoptOptions {
  /** What is adopted, such as the path of a group: it names the app and its stack. */
  readonly name: string;
  /** The packages that the app depends on, with their ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Whether a test and a fixture stand beside the app. */
  readonly isProject?: boolean;
  /** Whether `state.ts` stands beside the app, and says where its states are. */
  readonly hasStateFile?: boolean;
}

/** An app that declares live settings: its files. The same settings give the same texts. */
export function writeTypeScriptApp(settings: LiveSettings, options: TypeScriptAppOptions): AdoptedFile[] {
  const { name, allSettings, includeEmails, knownEmails, dependencies, isProject } = options;
  const emails = new Emails(includeEmails, knownEmails);
  const declarations = declarationsOfAll(settings, {
    allSettings,
    emails,
    emailFunction: EMAIL_NAMES.function,
  });
  const stackId = idText(name.replaceAll("/", "-")) || "settings";
  const names = new Names(["TerraformStack"]);
  const declared = statementsOf(declarations, new Names(["steward", "imports", EMAILS_VARIABLE]), names);
  const hasEmailsFile = emails.named !== undefined;
  const className = classNameOf(stackId, names);
  const statements = shareStatements(declared, names);
  const projects = settings.containers.filter(({ kind }) => kind === "project");
  const split = splitApp(
    statements,
    projects.map(({ path }) => path),
    names,
  );
  const { skipped } = settings;
  const file = {
    options,
    stackId,
    className,
    statements,
    split,
    declarations,
    skipped,
    hasEmailsFile,
  };
  return [
    { path: "main.ts", text: mainFile(file) },
    ...(split?.files ?? []),
    ...(statements.imports.length > 0 ? [{ path: "imports.ts", text: importsFile(statements.imports) }] : []),
    ...emails.files,
    ...projectFiles(`${stackId}-settings`, dependencies, isProject),
  ];
}

/** `PlatformStack`; no name begins with a digit. */
function classNameOf(stackId: string, names: Names): string {
  const name = pascalCase(stackId);
  return names.take(/^[A-Z]/.test(name) ? [`${name}Stack`, `${name}SettingsStack`] : [`Stack${name}`]);
}

function importsFile(imports: readonly (readonly [path: string, id: string])[]): string {
  const comment =
    "Takes the live objects that main.ts declares into the state, with the first `steward apply`, which changes none of " +
    "them. Afterwards, delete this file and the two lines of main.ts that name it.";
  const ids = object(imports.map(([path, id]) => [text(path), text(id)]));
  return [
    ...printComment(comment, 0),
    printImport(["ImportBlocks"], "cdktf-provider-steward"),
    printImport(["type Construct"], "constructs"),
    "",
    "/** Import ids by the path of the construct in the stack. */",
    `const IMPORT_IDS = ${printObject(ids, 0)};`,
    "",
    "export function importLiveObjects(stack: Construct): void {",
    '  new ImportBlocks(stack, "imports", IMPORT_IDS);',
    "}",
    "",
  ].join("\n");
}
