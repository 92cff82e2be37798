import { type CommandLine, reword } from "./command-line";
import { defineRefresh, defineRun, type RunArguments, readRun } from "./stack-options";

export interface ExplainArguments extends RunArguments {
  /** By its full path or its numeric id. */
  readonly project: string;
}

export const explainLine: CommandLine<ExplainArguments> = {
  name: "explain",
  summary: "show where each setting of a project comes from",
  description:
    "Shows every setting that the app declares for a project: its value, the layer of the fleet or the declaration that it comes from, with file and line, what that overrides, and the live value where it differs. Plans the stacks; takes no lock and changes nothing.",
  examples: [
    ["steward explain acme/web-shop", "why the project has its settings"],
    ["steward explain acme/web-shop --json", "the same as one JSON object"],
  ],
  define: (command) =>
    void reword(defineRefresh(defineRun(command, "one at a time")), {
      "--json": "print the settings as one JSON object",
    }).argument("<project>", "the project, by its full path or its numeric id"),
  read: (options, [project]) => ({ ...readRun(options), project: project! }),
};
