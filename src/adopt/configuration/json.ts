import type { ValueObject } from "../../engine";
import { EMAILS_VARIABLE } from "../model/emails";
import { undeclarableNotes } from "../model/fold-notes";
import type { LiveSettings } from "../model/live-settings";
import { type DeclareOptions, declarationsOf } from "./declarations";
import { namedLine, skippedLines } from "./notes";

/** The configuration in Terraform's JSON syntax. */
export function printJson(settings: LiveSettings, options: DeclareOptions): string {
  const resource: Record<string, Record<string, ValueObject>> = {};
  const imports: object[] = [];
  const notes = [
    ...skippedLines(settings),
    ...undeclarableNotes(settings.containers).map((note) => namedLine(note, options.emails)),
  ];
  for (const declarations of declarationsOf(settings, options).values()) {
    for (const { type, label, body, importId } of declarations) {
      resource[type] ??= {};
      resource[type][label] = body;
      imports.push({ to: `${type}.${label}`, id: importId });
    }
  }
  const { source } = settings.schema;
  const hasEmails = Object.keys(options.emails.addresses).length > 0;
  const configuration = {
    ...(notes.length > 0 && { "//": notes }),
    terraform: { required_providers: { [source.split("/").at(-1)!]: { source } } },
    ...(hasEmails && { variable: { [EMAILS_VARIABLE]: { type: "map(string)" } } }),
    ...(imports.length > 0 && { resource, import: imports }),
  };
  return `${JSON.stringify(configuration, undefined, 2)}\n`;
}
