import path from "node:path";
import type { run } from "../../../src/cli/program";
import type { Channel } from "../../../src/cli/terminal/terminal";

/** The measured code: the command, and the modules that an app imports. */
export interface Product {
  readonly run: typeof run;
  readonly Channel: typeof Channel;
  readonly constructs: () => typeof import("../../../src/constructs");
}

/** Loads the sources. */
export function loadProduct(): Product {
  const load = (...names: readonly string[]) =>
    require(path.join(__dirname, "..", "..", "..", "src", ...names));
  return {
    run: load("cli", "program").run,
    Channel: load("cli", "terminal", "terminal").Channel,
    constructs: () => load("constructs"),
  };
}
