import type { Command, OptionValues } from "commander";
import { failConflict } from "./stack-options";

export interface ImportExistingArguments {
  /** Import what is declared and live and in no state, in place of an error for each. */
  readonly importExisting: boolean;
}

export const defineImportExisting = (command: Command): Command =>
  command.option(
    "--import-existing",
    "take over declared objects that exist on the service and are in no state",
  );

/** @param isImplied whether another option needs it */
export function readImportExisting(options: OptionValues, isImplied = false): ImportExistingArguments {
  const importExisting = options["importExisting"] === true || isImplied;
  if (importExisting)
    for (const [name, option] of Object.entries(WITHOUT_NEW_OBJECTS))
      if (options[name] === true) failConflict("--import-existing", option);
  if (importExisting && options["refresh"] === false) failConflict("--import-existing", "--refresh=false");
  return { importExisting };
}

/** Plans that create nothing. */
const WITHOUT_NEW_OBJECTS = { refreshOnly: "--refresh-only", destroy: "--destroy" };
