import { EMAILS_FILE, EMAILS_VARIABLE, Emails } from "../model/emails";
import type { AdoptedFile, LiveSettings } from "../model/live-settings";
import { object, text } from "./code";
import { declarationsOfAll } from "./declarations";
import { mainFile } from "./main-file";
import { idText, Names, pascalCase } from "./names";
import { printComment, printImport, printObject } from "./print";
import { EMAIL_NAMES } from "./print-statements";
import { statementsOf } from "./statements";

/** How an app is written. */
export interface TypeScriptAppOptions {
  /** What is adopted, such as the path of a group: it names the app and its stack. */
  readonly name: string;
  /** The packages that the app depends on, with their ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Also declares settings that are at the service's default. */
  readonly allSettings: boolean;
  /** Writes the e-mail addresses of invitations into the code, rather than into a file that git ignores. */
  readonly includeEmails: boolean;
  /** Addresses by the names that an earlier adoption gave them. */
  readonly knownEmails?: Readonly<Record<string, string>>;
}

/** An app that declares live settings: its files. The same settings give the same texts. */
export function writeTypeScriptApp(settings: LiveSettings, options: TypeScriptAppOptions): AdoptedFile[] {
  const { name, allSettings, includeEmails, knownEmails, dependencies } = options;
  const emails = new Emails(includeEmails, knownEmails);
  const declarations = declarationsOfAll(settings, {
    schema: settings.schema,
    allSettings,
    emails,
    emailFunction: EMAIL_NAMES.function,
  });
  const stackId = idText(name.replaceAll("/", "-")) || "settings";
  const names = new Names(["TerraformStack"]);
  const statements = statementsOf(declarations, new Names(["steward", "imports", EMAILS_VARIABLE]), names);
  const hasEmailsFile = !includeEmails && Object.keys(emails.addresses).length > 0;
  const main = mainFile({
    title: name,
    stackId,
    className: classNameOf(stackId, names),
    statements,
    declarations,
    skipped: settings.skipped,
    names,
    hasEmailsFile,
    includeEmails,
  });
  return [
    { path: "main.ts", text: main },
    ...(statements.imports.length > 0 ? [{ path: "imports.ts", text: importsFile(statements.imports) }] : []),
    ...(hasEmailsFile
      ? [{ path: EMAILS_FILE, text: jsonFile({ [EMAILS_VARIABLE]: emails.addresses }) }]
      : []),
    { path: "cdktf.json", text: jsonFile(CDKTF) },
    { path: "package.json", text: jsonFile(packageJson(stackId, dependencies)) },
    { path: "tsconfig.json", text: jsonFile(TSCONFIG) },
    { path: ".gitignore", text: GITIGNORE },
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

const CDKTF = {
  language: "typescript",
  app: "node --import tsx main.ts",
  output: "cdktf.out",
  sendCrashReports: "false",
};

const packageJson = (stackId: string, dependencies: Readonly<Record<string, string>>) => ({
  // npm refuses upper case, and names that begin with another character.
  name: `${stackId.toLowerCase().replace(/^[^a-z\d]+/, "")}-settings`.replace(/^-/, ""),
  private: true,
  scripts: { plan: "steward plan", apply: "steward apply", drift: "steward drift --coverage", check: "tsc" },
  dependencies: { ...dependencies, tsx: "^4.19.0" },
  devDependencies: { typescript: ">=5.6.0" },
});

const TSCONFIG = {
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
  },
  include: ["*.ts"],
};

const GITIGNORE = `node_modules/
cdktf.out/
# E-mail addresses of people.
*.auto.tfvars.json
# States can hold more than the code; keep them where all users reach them.
*.tfstate
*.tfstate.*
`;

/** JSON as formatters print it: an object with a property a line, a list of texts on one line. */
const jsonFile = (content: object): string =>
  `${JSON.stringify(content, undefined, 2).replace(/\[\n\s*("[^"\n]*")\n\s*\]/g, "[$1]")}\n`;
