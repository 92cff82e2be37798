import { withoutAddresses } from "../model/emails";
import { noteText, skippedNotes, undeclarableNotes } from "../model/fold-notes";
import type { SkippedContainer } from "../model/live-settings";
import { commentText } from "../model/source-text";
import type { ContainerDeclarations } from "./declarations";
import type { Names } from "./names";
import { printComment, printImport } from "./print";
import { EMAIL_NAMES, emailsVariable, ID_OF, printStatements } from "./print-statements";
import type { SplitApp } from "./split-app";
import type { AppStatements } from "./statements";
import { stringLiteral } from "./text";

/** What `main.ts` is printed from. */
export interface MainFile {
  /** What was adopted. */
  readonly title: string;
  readonly stackId: string;
  readonly className: string;
  readonly statements: AppStatements;
  /** Where the statements are, if the app has a file for each subgroup. */
  readonly split: SplitApp | undefined;
  readonly declarations: readonly ContainerDeclarations[];
  readonly skipped: readonly SkippedContainer[];
  readonly names: Names;
  /** Whether addresses come from the variable. */
  readonly hasEmailsFile: boolean;
  readonly includeEmails: boolean;
  /** Whether a test, which takes the app, stands beside it. */
  readonly isProject: boolean;
  /** Whether `state.ts` stands beside it. */
  readonly hasStateFile: boolean;
}

const PROVIDER_COMMENT = "// address and token come from STEWARD_BASE_URL and STEWARD_TOKEN";

/** The source of `main.ts`. */
export function mainFile(file: MainFile): string {
  const { stackId, className, statements, hasEmailsFile } = file;
  const { constants, blocks, imported } = file.split
    ? { constants: [], blocks: [file.split.calls.join("\n")], imported: [] }
    : printStatements(statements, file.names, {
        scope: "this",
        idOf: "idOf(project)",
        indent: 4,
        constantIndent: 0,
      });
  const hasImports = statements.imports.length > 0;
  const own = ["StewardProvider", ...imported];
  const cdktf = ["App", "TerraformStack", ...(hasEmailsFile ? ["Fn", "TerraformVariable"] : [])];
  const body = [
    `    new StewardProvider(this, "steward"); ${PROVIDER_COMMENT}${file.hasStateFile ? "\n    keepState(this);" : ""}`,
    ...(hasEmailsFile ? [emailsVariable(4, "this", EMAIL_NAMES)] : []),
    ...blocks,
    ...(hasImports ? ["    importLiveObjects(this);"] : []),
  ];
  return [
    ...header(file),
    printImport(cdktf, "cdktf"),
    printImport(own, "cdktf-provider-steward"),
    printImport(["type Construct"], "constructs"),
    ...[
      ...(hasImports ? ['import { importLiveObjects } from "./imports";'] : []),
      ...(file.hasStateFile ? ['import { keepState } from "./state";'] : []),
      ...(file.split?.imports ?? []),
    ].sort((one, other) => (one.slice(one.indexOf("./")) < other.slice(other.indexOf("./")) ? -1 : 1)),
    "",
    ...(statements.loops.length > 0 && !file.split ? [ID_OF, ""] : []),
    ...constants.flatMap((block) => [block, ""]),
    `class ${className} extends TerraformStack {`,
    "  constructor(scope: Construct, id: string) {",
    "    super(scope, id);",
    body.join("\n\n"),
    "  }",
    "}",
    "",
    `${file.isProject ? "export " : ""}const app = new App();`,
    `new ${className}(app, ${stringLiteral(stackId)});`,
    "app.synth();",
    "",
  ].join("\n");
}

/** What a reader of the file has to know, and what is not in it. */
function header({ title, skipped, declarations, includeEmails }: MainFile): string[] {
  const shown = (text: string) => commentText(includeEmails ? text : withoutAddresses(text));
  const lines = printComment(
    `The live settings of ${shown(title)}. \`steward adopt\` wrote this file; from here on, it is yours to edit.`,
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
