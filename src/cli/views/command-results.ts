import path from "node:path";
import type { Diagnostic } from "../../diagnostics";
import { type ProviderSchema, type StackEntry, schemaJson } from "../../engine";
import type { NewFile } from "../../init";
import { counted, oneLine, shellWord } from "../../text";
import type { InitArguments } from "../arguments/adopt";
import type { ServeArguments } from "../arguments/offline";
import type { ViewArguments } from "../arguments/shared-options";
import { paragraphs, type Terminal } from "../terminal/terminal";
import { styleFor } from "../terminal/text";
import { reportDiagnostics } from "./diagnostics";
import { diagnosticJson, jsonEvent, writeResult } from "./json/events";

/** Writes the path of the configuration to stdout, for scripts, and the instructions to stderr. */
export function writeMirrored(
  configuration: string,
  folder: string,
  { out, err }: Pick<Terminal, "out" | "err">,
): void {
  out.line(configuration);
  err.lines([
    "To use it, set TF_CLI_CONFIG_FILE to this file for Terraform or OpenTofu.",
    `They create lock files from registries only: \`terraform providers lock\` needs -fs-mirror=${folder}. The ` +
      "cdktf CLI needs --skip-provider-lock for the first run of a stack (`cdktf diff --skip-provider-lock`), or " +
      `TF_CLI_ARGS_providers_lock=-fs-mirror=${folder} in its environment.`,
  ]);
}

/** Writes the line by which scripts know that the service listens, and a line that says where users find a token. */
export function writeListening(
  url: string,
  { out, err }: Pick<Terminal, "out" | "err">,
  args: ServeArguments,
): void {
  out.line(`listening on ${url}`);
  err.line(`${tokenHint(args)} Press Ctrl-C to stop the service.`);
}

/** Returns the hint that says where users find a token. Never prints the token itself. */
function tokenHint({ adminTokenFile, data, fixture }: ServeArguments): string {
  if (adminTokenFile !== undefined) return `The administrator's token is in ${adminTokenFile}.`;
  if (fixture !== undefined)
    return "The fixture's tokens are accepted. If it has none, set --admin-token-file.";
  return data === undefined
    ? "The service has no token. Set --admin-token-file or --fixture."
    : `The tokens in ${data} are accepted. If it has none, set --admin-token-file.`;
}

/** Writes a schema in the format of `terraform providers schema -json`. */
export function writeSchema(schema: ProviderSchema, { out }: Pick<Terminal, "out">): void {
  out.line(JSON.stringify(schemaJson(schema)));
}

/** Lists the stacks and their folders. */
export function writeSynthesized(
  output: string,
  stacks: readonly StackEntry[],
  { out, folder }: Pick<Terminal, "out" | "folder">,
  args: ViewArguments,
): void {
  const count = counted(stacks.length, "stack");
  const shownOutput = path.relative(folder, output) || ".";
  const sentence = `Synthesized ${count} into ${shownOutput}`;
  const named = stacks.map((stack) => ({ name: stack.name, folder: stack.folder }));
  const event = jsonEvent("synth_complete", sentence, { output, stacks: named });
  const lines = stacks.map((stack) => `  ${stack.name}: ${path.relative(folder, stack.folder)}`);
  writeResult(out, args, [event], [`${sentence}:`, ...lines].map(oneLine));
}

/** Writes the result of a validation: a text for people, or an object in the format of `terraform validate -json`. */
export function writeValidation(
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
  args: ViewArguments,
): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  if (args.json) {
    const result = {
      format_version: "1.0",
      valid: errors === 0,
      error_count: errors,
      warning_count: warnings,
      diagnostics: diagnostics.map((one) => diagnosticJson(one, terminal.source)),
    };
    terminal.out.line(JSON.stringify(result));
    return;
  }
  reportDiagnostics(diagnostics, terminal, args);
  if (errors > 0) return;
  const { green } = styleFor(terminal.out, terminal, args.color);
  const warningPart = warnings > 0 ? `, with ${counted(warnings, "warning")}` : "";
  terminal.out.line(`${green("Success!")} The configuration is valid${warningPart}.`);
}

/** The advice for users of Steward's package file. Without this file, npm looks for the package in its registry. */
export const INSTALL_OF_FILE =
  "If you have Steward as a package file, run `npm install FILE` instead of `npm install`.";

/** Writes the files of a new app, and what users should do next. */
export function writeNewApp(files: readonly NewFile[], args: InitArguments, terminal: Terminal): void {
  const { folder, color } = args;
  const summary = `Created an app in ${folder}.`;
  const names = files.map((file) => file.path).sort();
  const style = styleFor(terminal.out, terminal, color);
  const lines = paragraphs([
    [style.bold(style.green(oneLine(summary)))],
    names.map((name) => oneLine(`  ${name}`)),
    [
      "Next, try it on the content of fixture.yaml:",
      oneLine(`  cd ${shellWord(folder)} && npm install && npm test`),
      "  npm run serve",
      "and in a second terminal:",
      "  export STEWARD_BASE_URL=http://127.0.0.1:8080",
      '  export STEWARD_TOKEN="$(cat admin.token)"',
      "  npx steward plan",
    ],
    [INSTALL_OF_FILE],
  ]);
  const event = jsonEvent("init_summary", summary, { app: { folder, files: names } });
  writeResult(terminal.out, args, [event], ["", ...lines]);
}
