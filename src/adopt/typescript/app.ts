import { EMAILS_FILE, EMAILS_VARIABLE, Emails } from "../model/emails";
import type { AdoptedFile, LiveSettings } from "../model/live-settings";
import { object, text } from "./code";
import { declarationsOfAll } from "./declarations";
import { mainFile } from "./main-file";
import { idText, Names, pascalCase } from "./names";
import { printComment, printImport, printObject } from "./print";
import { EMAIL_NAMES } from "./print-statements";
import { jsonFile, projectFiles } from "./project-files";
import { splitApp } from "./split-app";
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
  /** Whether a test and a fixture stand beside the app. */
  readonly isProject?: boolean;
  /** Whether `state.ts` stands beside the app, and says where its states are. */
  readonly hasStateFile?: boolean;
  /** Addresses by the names that an earlier adoption gave them. */
  readonly knownEmails?: Readonly<Record<string, string>>;
}

/** An app that declares live settings: its files. The same settings give the same texts. */
export function writeTypeScriptApp(settings: LiveSettings, options: TypeScriptAppOptions): AdoptedFile[] {
  const {
    name,
    allSettings,
    includeEmails,
    knownEmails,
    dependencies,
    isProject = false,
    hasStateFile = false,
  } = options;
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
  const className = classNameOf(stackId, names);
  const projects = settings.containers.filter(({ kind }) => kind === "project");
  const split = splitApp(
    statements,
    projects.map(({ path }) => path),
    names,
  );
  const main = mainFile({
    title: name,
    stackId,
    className,
    statements,
    split,
    declarations,
    skipped: settings.skipped,
    names,
    hasEmailsFile,
    includeEmails,
    isProject,
    hasStateFile,
  });
  return [
    { path: "main.ts", text: main },
    ...(split?.files ?? []),
    ...(statements.imports.length > 0 ? [{ path: "imports.ts", text: importsFile(statements.imports) }] : []),
    ...(hasEmailsFile
      ? [{ path: EMAILS_FILE, text: jsonFile({ [EMAILS_VARIABLE]: emails.addresses }) }]
      : []),
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
