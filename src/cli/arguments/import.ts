import { type ArgumentsOf, commandLine } from "./command-line";
import { oneEach, option } from "./option";
import { LOCK_TIMEOUT, PACE, SOURCE, STATE, VARIABLES, WHOLE_RUN } from "./stack-options";

export const importLine = commandLine(
  {
    name: "import",
    summary: "import a live object into the state",
    description:
      "Imports an existing object into the state, for a resource that the configuration already declares. Writes only the state; a plan then shows the differences. The reference page of each resource describes its ID; most begin with the project's id or path.",
    examples: {
      "steward import steward_job_token_scope.limit acme/web-shop": "a setting of a project",
      "steward import steward_protected_environment.production 42:production": "one object of a project",
      "steward import 'steward_job_token_scope.each[\"docs\"]' 43": "an instance under for_each",
    },
    options: oneEach({ ...SOURCE, ...VARIABLES, ...STATE, ...LOCK_TIMEOUT, ...PACE }),
    operands: {
      address: option("<address>", "address of the declared resource instance"),
      id: option("<id>", "import ID of the live object"),
    },
  },
  (given) => ({ ...WHOLE_RUN, parallelism: undefined, ...given }),
);
export type ImportArguments = ArgumentsOf<typeof importLine>;
