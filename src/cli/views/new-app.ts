import type { NewFile } from "../../init";
import { oneLine, shellWord } from "../../text";
import type { InitArguments } from "../arguments/init";
import { paragraphs } from "../printing/paragraphs";
import { styleFor } from "../printing/style";
import type { Terminal } from "../terminal/terminal";
import { jsonEvent } from "./json/events";

/** The files of a new app, and what to do next. */
export function writeNewApp(
  files: readonly NewFile[],
  { folder, json, color }: InitArguments,
  terminal: Terminal,
): void {
  const { out } = terminal;
  const summary = `Created an app in ${folder}.`;
  const names = files.map((file) => file.path).sort();
  if (json) {
    out.line(JSON.stringify(jsonEvent("init_summary", summary, { app: { folder, files: names } })));
    return;
  }
  const style = styleFor(out, terminal, color);
  const lines = paragraphs([
    [style.bold(style.green(summary))],
    names.map((name) => `  ${name}`),
    [
      "Next, try it on the content of fixture.yaml:",
      `  cd ${shellWord(folder)} && npm install && npm test`,
      "  npm run serve",
      "and in a second terminal:",
      "  export STEWARD_BASE_URL=http://127.0.0.1:8080",
      '  export STEWARD_TOKEN="$(cat admin.token)"',
      "  npx steward plan",
    ],
  ]);
  out.lines(["", ...lines.map(oneLine)]);
}

/** That git ignores a fixture because it has e-mail addresses. */
export const writeFixtureIgnored = (fixture: string, json: boolean, { out }: Pick<Terminal, "out">): void => {
  const sentence = `${fixture} has e-mail addresses, so .gitignore names it.`;
  out.line(json ? JSON.stringify(jsonEvent("init_fixture_ignored", sentence, { file: fixture })) : sentence);
};
