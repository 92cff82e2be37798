import type { CommandLine } from "./command-line";
import {
  defineLock,
  defineRequestPace,
  defineSource,
  defineState,
  defineVariables,
  type RunArguments,
  readRun,
} from "./stack-options";

export interface ImportArguments extends RunArguments {
  /** The address of the declared resource. */
  readonly address: string;
  /** The import ID of the live object. */
  readonly id: string;
}

export const importLine: CommandLine<ImportArguments> = {
  name: "import",
  summary: "import a live object into the state",
  description:
    "Imports an existing object into the state, for a resource that the configuration already declares. Writes only the state; a plan then shows the differences. The reference page of each resource describes its ID; most begin with the project's id or path.",
  examples: [
    ["steward import steward_job_token_scope.limit acme/web-shop", "a setting of a project"],
    ["steward import steward_protected_environment.production 42:production", "one object of a project"],
    ["steward import 'steward_job_token_scope.each[\"docs\"]' 43", "an instance under for_each"],
  ],
  define: (command) =>
    void defineRequestPace(defineLock(defineState(defineVariables(defineSource(command, "one at a time")))))
      .argument("<address>", "address of the declared resource instance")
      .argument("<id>", "import ID of the live object"),
  read: (options, [address, id]) => ({ ...readRun(options), address: address!, id: id! }),
};
